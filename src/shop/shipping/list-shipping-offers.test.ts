import { describe, expect, it } from 'vitest'
import { shopSettings } from '#contract/shared/settings.ts'
import { type Exchange, exchangeOf, noExchange } from '#domain/currency/exchange.ts'
import { money } from '#domain/money/money.ts'
import { shopConfiguration } from '../operations/settings/shop-configuration.ts'
import { offerShipping } from './list-shipping-offers.ts'

type Method = { method: 'flat_rate' | 'free_shipping' | 'local_pickup'; settings: Record<string, unknown> }

function costs(
  zones: { countries: string[]; postcodes?: string[]; methods: Method[] }[],
  settings: object = {},
  price = 5000,
  exchange: Exchange = noExchange('USD'),
) {
  const { shippingZones } = shopConfiguration({
    settings: {},
    taxRates: [],
    rates: [],
    shippingZones: zones.map(({ countries, postcodes = [], methods }, nr) => ({
      id: nr + 1,
      name: 'zone',
      zone_order: nr,
      countries,
      continents: [],
      postcodes,
      methods: methods.map(({ method, settings: set }, position) => ({
        instance_id: nr * 10 + position,
        zone_id: nr + 1,
        method,
        title: 'way',
        enabled: true,
        position,
        settings: set,
      })),
    })),
  })
  const shown = money(exchange.price(price), exchange.to)
  const offered = { shippingClass: '', weightGrams: 1500, price: shown, ownPrice: money(price, 'USD') }
  const facts = { settings: { ...shopSettings.parse(settings), currency: exchange.to }, shippingZones, exchange }
  return offerShipping(facts, offered).map(({ country, cost }) => `${country} ${cost.minor}`)
}

const flat = (cost: string): Method => ({ method: 'flat_rate', settings: { cost } })

describe('shipping offers for search engines', () => {
  it('is the cheapest way to each country that the merchant names, not what one fetches oneself', () => {
    const pickup: Method = { method: 'local_pickup', settings: { cost: '0' } }
    expect(costs([{ countries: ['US', 'CA'], methods: [flat('15'), flat('6.90'), pickup] }])).toEqual([
      'US 690',
      'CA 690',
    ])
  })

  it('goes by the price where it is free from an amount on', () => {
    const free: Method = { method: 'free_shipping', settings: { requires: 'min_amount', min_amount: '75' } }
    const zones = [{ countries: ['US'], methods: [flat('6.90'), free] }]
    expect(costs(zones, {}, 7499)).toEqual(['US 690'])
    expect(costs(zones, {}, 7500)).toEqual(['US 0'])
  })

  it('CUR-07 compares that amount in the shop’s own currency, whatever endings make of the price', () => {
    const free: Method = { method: 'free_shipping', settings: { requires: 'min_amount', min_amount: '75' } }
    const zones = [{ countries: ['US'], methods: [flat('6.90'), free] }]
    const ending = { type: 'up', step: '1', subtract: '0.01' } as const
    const fee = { type: 'percentage', value: '0' } as const
    const euros = exchangeOf('USD', { code: 'EUR', rate: '0.92', fee, ending, decimals: 2 })
    expect(costs(zones, {}, 7500, euros)).toEqual(['US 0'])
    expect(costs(zones, {}, 7499, euros)).toEqual(['US 635'])
  })

  it('leaves out what holds for some places of a country alone', () => {
    const town = { countries: ['US'], postcodes: ['94110'], methods: [flat('1')] }
    const state = { countries: ['US:NY'], methods: [flat('2')] }
    expect(costs([town, state, { countries: ['US'], methods: [flat('6.90')] }])).toEqual(['US 690'])
    expect(costs([town, state])).toEqual([])
  })

  it('is nothing where the checkout would ask something else, or nobody ships', () => {
    const zones = [{ countries: ['US'], methods: [flat('6.90')] }]
    expect(costs(zones, { shipping: { hideUntilAddress: true } })).toEqual([])
    expect(costs(zones, { shipping: { enabled: false } })).toEqual([])
    expect(costs(zones, { shipTo: ['DE'] })).toEqual([])
    expect(costs(zones, { taxes: { displayShop: 'incl' } })).toEqual([])
  })
})
