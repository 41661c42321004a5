import { describe, expect, it } from 'vitest'
import { shopSettings } from '#contract/shared/settings.ts'
import type { DatedRate } from '#shop/currency/offered-currencies.ts'
import { currencyForScripts, followOffered } from './currency-settings.ts'

const rates = (eur: string, day = '2026-01-05'): ReadonlyMap<string, DatedRate> =>
  new Map([['EUR', { rate: eur, day, source: 'ecb' }]])

describe('the currencies that are offered, as they are followed', () => {
  const settings = shopSettings.parse({
    currency: 'USD',
    currencies: [{ code: 'GBP', rate: '0.8' }, { code: 'EUR' }],
    exchange: { rates: { maxAgeDays: 1 } },
  })
  const following = () => {
    const shop = { settings, rates: rates('0.9'), now: new Date('2026-01-06T23:59:59.999Z') }
    const offered = followOffered(
      () => shop,
      () => shop.now,
    )
    return { shop, offered, said: () => offered().map(({ code, rate }) => `${code} ${rate}`) }
  }

  it('are the same objects as long as they are the same', () => {
    const { shop, offered, said } = following()
    const first = offered()
    expect(offered()).toBe(first)
    shop.rates = rates('0.9')
    expect(offered()).toBe(first)
    shop.rates = rates('0.91')
    expect(said()).toEqual(['GBP 0.8', 'EUR 0.91'])
    shop.settings = { ...settings, currencies: settings.currencies.slice(0, 1) }
    expect(said()).toEqual(['GBP 0.8'])
  })

  it('are no longer those whose rate is too old, and are again where the clock was set back or the rate is renewed', () => {
    const { shop, said } = following()
    expect(said()).toEqual(['GBP 0.8', 'EUR 0.9'])
    shop.now = new Date('2026-01-07T00:00:00Z')
    expect(said()).toEqual(['GBP 0.8'])
    shop.now = new Date('2026-01-06T12:00:00Z')
    expect(said()).toEqual(['GBP 0.8', 'EUR 0.9'])
    shop.now = new Date('2026-01-09T00:00:00Z')
    expect(said()).toEqual(['GBP 0.8'])
    shop.rates = rates('0.95', '2026-01-08')
    expect(said()).toEqual(['GBP 0.8', 'EUR 0.95'])
  })
})

describe('the currency of a page, as scripts are told it', () => {
  it('is written once, and anew where another place in the list is its own', () => {
    const settings = shopSettings.parse({ currency: 'EUR' })
    const setting = (code: string) => shopSettings.parse({ currencies: [{ code }] }).currencies[0]
    const entry = (code: string) => ({ code, rate: '0.9', setting: setting(code), day: null, source: 'hand' }) as never
    let offered = [entry('GBP'), entry('EUR')]
    const shop = { tools: { settings } as never, ownCurrency: 'USD', currencies: () => offered }
    const first = currencyForScripts(shop)
    expect(first).toMatchObject({ ID: '3', currency: 'EUR' })
    expect(currencyForScripts(shop)).toBe(first)
    offered = [entry('EUR')]
    expect(currencyForScripts(shop)).toMatchObject({ ID: '2', currency: 'EUR' })
    expect(
      currencyForScripts({ ...shop, ownCurrency: 'EUR', tools: { settings: { ...settings } } as never }),
    ).toBeNull()
  })
})
