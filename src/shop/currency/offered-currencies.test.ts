import { describe, expect, it } from 'vitest'
import { shopSettings } from '#contract/shared/settings.ts'
import { checkCurrencies } from '../operations/doctor/check-currencies.ts'
import { changedSetting } from '../operations/settings/change-setting.ts'
import { declaredSettings } from '../operations/settings/declared-settings.ts'
import { currencyFaults, currencyStates, type DatedRate, offeredCurrencies } from './offered-currencies.ts'

const now = new Date('2026-01-05T18:00:00Z')

const shop = (currencies: object[], rates: Record<string, Partial<DatedRate>> = {}, more: object = {}) => ({
  settings: shopSettings.parse({ currency: 'USD', currencies, ...more }),
  rates: new Map(
    Object.entries(rates).map(([code, rate]) => [
      code,
      { rate: '2', day: '2026-01-05', source: 'ecb', ...rate } as const,
    ]),
  ),
})

describe('the currencies that are offered', () => {
  it('CUR-04 are those with a rate by hand, or one that is young enough', () => {
    const configuration = shop(
      [{ code: 'GBP', rate: '0.8' }, { code: 'EUR' }, { code: 'JPY' }, { code: 'CHF' }],
      { EUR: { rate: '0.92' }, JPY: { day: '2025-12-28' }, GBP: { rate: '0.7' } },
      { exchange: { rates: { maxAgeDays: 7 } } },
    )
    const codes = (at: string) => offeredCurrencies(configuration, new Date(at)).map(({ code }) => code)
    expect(codes('2026-01-04T23:59:59.999Z')).toEqual(['GBP', 'EUR', 'JPY'])
    expect(codes('2026-01-05T00:00:00Z')).toEqual(['GBP', 'EUR'])
    expect(codes('2030-01-01T00:00:00Z')).toEqual(['GBP'])
    expect(offeredCurrencies(configuration, now)).toMatchObject([
      { code: 'GBP', rate: '0.8', day: null, source: 'hand', setting: { code: 'GBP' } },
      { code: 'EUR', rate: '0.92', day: '2026-01-05', source: 'ecb', setting: { code: 'EUR' } },
    ])
    expect(currencyStates(configuration, now).map(({ code, state }) => `${code} ${state}`)).toEqual([
      'GBP offered',
      'EUR offered',
      'JPY too-old',
      'CHF no-rate',
    ])
  })

  it('follow new rates and new settings', () => {
    const before = shop([{ code: 'EUR' }], { EUR: { rate: '0.9' } })
    const after = { settings: before.settings, rates: shop([], { EUR: { rate: '0.95' } }).rates }
    expect([before, after, before].map((each) => offeredCurrencies(each, now)[0]?.rate)).toEqual(['0.9', '0.95', '0.9'])
  })

  it.each([
    [{ code: 'USD', rate: '1' }, "it is the shop's own currency, which needs no entry"],
    [{ code: 'ABC', rate: '1' }, 'there is no currency ABC'],
    [{ code: 'EUR', rate: '0.000000001' }, '100 USD would be nothing in it at the rate 0.000000001'],
    [
      { code: 'EUR', rate: '0.9', rounding: { type: 'down', step: '1000' } },
      '100 USD would be nothing in it at the rate 0.9',
    ],
    [{ code: 'IDR', rate: '999999999999' }, 'prices in it could not be counted at the rate 999999999999'],
  ])('CUR-04 %j is named as a fault, and not offered', (entry, problem) => {
    const { settings } = shop([entry, { code: 'GBP', rate: '0.8' }])
    expect(currencyFaults(settings)).toEqual([{ rule: `currency ${entry.code}`, problem }])
    const offered = offeredCurrencies({ settings, rates: new Map() }, now)
    expect(offered.map(({ code }) => code)).toEqual(['GBP'])
    expect(currencyStates({ settings, rates: new Map() }, now)[0]).toMatchObject({ state: 'unworkable', problem })
    // Rejected when it is saved.
    const written = JSON.stringify([entry])
    expect(changedSetting(shop([]).settings, 'currencies', written)).toEqual({
      ok: false,
      problem: `currency ${entry.code}: ${problem}`,
    })
    expect(declaredSettings(shop([]).settings, { settings: { currencies: [entry] } })).toEqual({
      ok: false,
      faults: [{ key: 'currencies', problem: `currency ${entry.code}: ${problem}` }],
    })
  })

  it('a rate from a source that comes to nothing is not offered either', () => {
    const configuration = shop([{ code: 'EUR' }], { EUR: { rate: '0.00000000000000000001' } })
    expect(currencyFaults(configuration.settings)).toEqual([])
    expect(offeredCurrencies(configuration, now)).toEqual([])
    expect(currencyStates(configuration, now)).toMatchObject([
      { state: 'unworkable', problem: expect.stringContaining('would be nothing') },
    ])
  })
})

it('before real money comes in, the merchant reads which currencies are not what was meant', () => {
  const currencies = [
    { code: 'EUR' },
    { code: 'GBP', rate: '0.8', checkout: false },
    { code: 'IDR', rate: '16000' },
    ...[{ code: 'JPY' }, { code: 'CHF' }, { code: 'ABC', rate: '2' }],
  ]
  const configuration = shop(
    currencies,
    { EUR: { rate: '0.92' }, JPY: { day: '2025-06-01' } },
    { exchange: { checkoutInShown: true }, paypal: { enabled: true } },
  )
  expect(checkCurrencies(configuration, now).map(({ state, what }) => `${state} ${what}`)).toEqual([
    'ok currency EUR: offered, and taken',
    'ok currency GBP: offered, paid in USD',
    'look currency IDR: PayPal takes no payments in it',
    'look currency JPY is not offered: its rate is of 2025-06-01',
    'look currency CHF is not offered: there is no rate of it',
    'look currency ABC is not offered: there is no currency ABC',
  ])
})
