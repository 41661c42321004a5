import { describe, expect, it } from 'vitest'
import { isWindowClosed } from './payment-failure.ts'

describe('errors of the wallet', () => {
  it.each([
    'Detected popup close',
    'Window is closed',
    'Error: window is closed, can not call',
    'zoid destroyed all components',
  ])('NOTE-09 "%s" says only that a window is gone', (text) => expect(isWindowClosed(new Error(text))).toBe(true))

  it('NOTE-09 everything else is an error', () => {
    expect(isWindowClosed(new Error('Expected an order id to be passed'))).toBe(false)
    expect(isWindowClosed('card declined')).toBe(false)
  })
})
