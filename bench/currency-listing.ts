import { writeSettings } from '#database/operations/configuration.ts'
import { inTurns } from './support/alternate-requests.ts'
import { aBenchShop } from './support/bench-shop.ts'
import { report } from './support/report.ts'

/**
 * What does a listing cost in another currency that nobody has asked for before, with a fee and price endings, against the same in
 * the currency in which the merchant enters prices?
 */
await using shop = await aBenchShop()
await writeSettings(shop.db, {
  currencies: [
    {
      code: 'EUR',
      rate: '0.9220839096',
      fee: { type: 'percentage', value: '2.5' },
      rounding: { type: 'up', step: '1', subtract: '0.01' },
    },
  ],
})
await shop.restart()
const { byTime, byProcessor, first, second } = await inTurns(
  shop,
  { path: '/shop/' },
  { path: '/shop/', headers: { cookie: 'currency=EUR' } },
)
report('currency-listing', [
  {
    what: 'a listing in another currency against the own one, time at 8 connections',
    value: byTime,
    unit: '×',
    budget: { atMost: 1.05 },
  },
  {
    what: 'the same by processor time of shop and database',
    value: byProcessor,
    unit: '×',
    budget: { atMost: 1.05 },
  },
  { what: 'own currency', value: first, unit: 'a second' },
  { what: 'other currency', value: second, unit: 'a second' },
])
