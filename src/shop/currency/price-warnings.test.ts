import { describe, expect, it } from 'vitest'
import { shopSettings } from '#contract/shared/settings.ts'
import { priceWarnings } from './price-warnings.ts'

const warningsOf = (settings: object) => priceWarnings(shopSettings.parse(settings))

describe('decimals of prices', () => {
  it('I7 are warned of where fewer are shown than are charged', () => {
    const currencies = [
      { code: 'JPY', rate: '150', decimals: 0 },
      { code: 'KWD', rate: '0.3', decimals: 2 },
      { code: 'EUR', rate: '0.9' },
    ]
    expect(warningsOf({ currency: 'USD', priceFormat: { decimals: 0 }, currencies })).toEqual([
      expect.stringMatching(/^priceFormat\.decimals: USD has 2 decimals, and 0 are shown/),
      expect.stringMatching(/^currencies\[1\]\.decimals: KWD has 3 decimals, and 2 are shown/),
    ])
  })

  it('are not where all of them are shown, or none are there', () => {
    expect(warningsOf({})).toEqual([])
    expect(warningsOf({ currency: 'JPY', priceFormat: { decimals: 0 } })).toEqual([])
    expect(warningsOf({ currency: 'USD', priceFormat: { decimals: 3 } })).toEqual([])
  })
})
