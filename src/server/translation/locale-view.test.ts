import { expect, it } from 'vitest'
import { shopSettings } from '#contract/shared/settings.ts'
import type { OfferedCurrency } from '#shop/currency/offered-currencies.ts'
import { localeViews } from './locale-view.ts'

const parsed = (name: string, more: object = {}) =>
  shopSettings.parse({ name, currency: 'USD', languages: [{ tag: 'de-DE' }], currencies: [{ code: 'EUR' }], ...more })

it('a view has its settings as they are now, and the same object as long as they are', () => {
  let settings = parsed('Before')
  const euro = (rate: string) => ({ code: 'EUR', rate, setting: settings.currencies[0], day: null, source: 'hand' })
  let offered = [euro('0.9')] as OfferedCurrency[]
  const { own } = localeViews({
    shared: {} as never,
    settings: () => settings,
    currencies: () => offered,
    toolsIn: (read) =>
      ({
        get settings() {
          return read()
        },
      }) as never,
    translator: () => Promise.reject(new Error('nobody speaks here')),
    contextOf: () => Promise.reject(new Error('nobody looks here')),
  })
  const view = own.inLanguage('de-DE').inCurrency('EUR')
  const told = () => view.tools.settings
  const first = told()
  expect(first).toMatchObject({ name: 'Before', language: 'de-DE', currency: 'EUR' })
  expect(told()).toBe(first)
  settings = parsed('After')
  expect(told()).toMatchObject({ name: 'After', language: 'de-DE', currency: 'EUR' })
  // Another rate changes the offer.
  const before = told()
  offered = [euro('0.95')] as OfferedCurrency[]
  expect(told()).not.toBe(before)
  // Requests in a currency that is no longer offered finish in the shop's own.
  offered = []
  expect(told()).toMatchObject({ name: 'After', language: 'de-DE', currency: 'USD' })
  settings = parsed('After', { languages: [] })
  expect(told()).toMatchObject({ language: 'en-US' })
})

it('what pages know of the shop is put together once, and again when a rate has grown too old to be offered', async () => {
  const settings = parsed('Shop')
  const euro = { code: 'EUR', rate: '0.9', setting: settings.currencies[0], day: null, source: 'hand' }
  let offered = [euro] as OfferedCurrency[]
  const { own } = localeViews({
    shared: {} as never,
    settings: () => settings,
    currencies: () => offered,
    toolsIn: () => ({}) as never,
    translator: () => Promise.reject(new Error('nobody speaks here')),
    contextOf: async (app) => ({ currencies: app.currencies().map(({ code }) => ({ code })) }) as never,
  })
  const codes = async () => (await own.shop()).currencies?.map(({ code }) => code)
  expect(await codes()).toEqual(['EUR'])
  expect(await own.shop()).toBe(await own.shop())
  offered = []
  expect(await codes()).toEqual([])
})
