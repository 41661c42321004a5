import { describe, expect, it } from 'vitest'
import { effectiveClientId } from './page-settings.ts'

describe('client id for pages', () => {
  it('SDK-07 falls back to sb in the sandbox', () => {
    expect(effectiveClientId('', 'sandbox')).toBe('sb')
    expect(effectiveClientId('own', 'sandbox')).toBe('own')
  })

  it('SDK-07 T3 has no fallback in production', () => {
    expect(effectiveClientId('', 'production')).toBe('')
  })
})
