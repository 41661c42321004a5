import { describe, expect, it } from 'vitest'
import { printedSettings, settingsName } from './browser-settings.ts'

describe('a settings object as it is printed', () => {
  it('has strings for scalars and leaves what is nested', () => {
    expect(
      printedSettings({ yes: true, no: false, count: 5000, text: 'x', list: [1, true], none: null, gone: undefined }),
    ).toEqual({
      yes: '1',
      no: '',
      count: '5000',
      text: 'x',
      list: [1, true],
    })
  })
})

describe('names that may become globals', () => {
  it.each(['wc_add_to_cart_params', 'woocommerce_params', 'wcPPCPSettings', 'pwsL10n', '_zxcvbnSettings'])(
    '%s may',
    (name) => {
      expect(settingsName.test(name)).toBe(true)
    },
  )

  it.each(['__proto__', 'location', 'constructor', 'wc__proto__', '_wc__proto__', 'jQuery', 'password'])(
    '%s may not',
    (name) => {
      expect(settingsName.test(name)).toBe(false)
    },
  )
})
