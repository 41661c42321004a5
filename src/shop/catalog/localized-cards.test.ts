import { expect, it } from 'vitest'
import { shopSettings } from '#contract/shared/settings.ts'
import type { CardRow } from '#database/catalog/product-rows.ts'
import { noExchange } from '#domain/currency/exchange.ts'
import { interfaceTranslator, type Translator } from '../translation/translator.ts'
import { emptyCatalogCache } from './catalog-cache.ts'
import { treeOf } from './catalog-tree.ts'
import { localizeCards } from './localized-cards.ts'
import { displayPrices } from './read-product-prices.ts'

const aRow = (id: number, over: Partial<CardRow> = {}): CardRow => ({
  id,
  type: 'simple',
  sku: '',
  name: `Bowl ${id}`,
  slug: `bowl-${id}`,
  featured: false,
  stock: 'instock',
  virtual: false,
  downloadable: false,
  soldIndividually: false,
  hasDefaults: false,
  averageRating: 0,
  ratingCount: 0,
  externalUrl: '',
  buttonText: '',
  categoryIds: [],
  tags: [],
  image: null,
  regularPrice: 1000,
  minPrice: 1000,
  maxPrice: 1000,
  onSale: false,
  sharedRegular: null,
  taxStatus: 'taxable',
  taxClass: '',
  ...over,
})
const shouting = (mark: string): Translator => ({
  ...interfaceTranslator('de-DE'),
  isOwn: false,
  sourceLanguage: 'en-US',
  texts: async (originals) => originals.map((text) => text.toUpperCase() + mark),
})
const settings = shopSettings.parse({})
const catalogCache = emptyCatalogCache()
const taxRates = [] as const
const display = () => displayPrices({ settings, taxRates, exchange: noExchange(settings.currency), catalogCache })
const tree = treeOf([])
const german = shouting('!')

const said = (rows: readonly CardRow[], by = german, at = tree, prices = display()) =>
  localizeCards({ translator: async () => by, catalogCache }, rows, at, prices)

it('gives the same cards again while nothing of them has changed, in the order that is asked for', async () => {
  const [one, two, three] = [aRow(1), aRow(2), aRow(3)]
  const first = await said([one, two])
  expect(first.map(({ name }) => name)).toEqual(['BOWL 1!', 'BOWL 2!'])
  const again = await said([three, two, one])
  expect(again.map(({ name }) => name)).toEqual(['BOWL 3!', 'BOWL 2!', 'BOWL 1!'])
  expect(again[2]).toBe(first[0])
  expect(again[1]).toBe(first[1])
})

it('makes them anew for another row, after another translation, with other prices, and under other categories', async () => {
  const row = aRow(1)
  const [before] = await said([row])
  expect((await said([aRow(1, { name: 'Cup' })]))[0]?.name).toBe('CUP!')
  expect((await said([row], shouting('?')))[0]?.name).toBe('BOWL 1?')
  expect((await said([row], interfaceTranslator('en-US')))[0]?.name).toBe('Bowl 1')
  expect((await said([row], german, treeOf([])))[0]).not.toBe(before)
  const dearer = { ...noExchange(settings.currency), to: 'EUR', price: (minor: number) => 2 * minor } as const
  const prices = displayPrices({ settings: { ...settings, currency: 'EUR' }, taxRates, exchange: dearer, catalogCache })
  expect((await said([row], german, tree, prices))[0]?.price).toEqual({
    kind: 'single',
    price: { minor: 2000, currency: 'EUR' },
  })
  expect((await said([row]))[0]?.price).toEqual({ kind: 'single', price: { minor: 1000, currency: settings.currency } })
})

it('shows prices by the rates, the settings and the exchange of now', () => {
  const shown = display()
  expect(display()).toBe(shown)
  expect(
    displayPrices({ settings: { ...settings }, taxRates, exchange: noExchange(settings.currency), catalogCache }),
  ).not.toBe(shown)
  expect(displayPrices({ settings, taxRates: [], exchange: noExchange(settings.currency), catalogCache })).not.toBe(
    shown,
  )
  const other = { ...noExchange(settings.currency), from: 'EUR', price: (minor: number) => 3 * minor } as const
  expect(
    displayPrices({ settings, taxRates, exchange: other, catalogCache })(100, { taxStatus: 'none', taxClass: '' })
      .minor,
  ).toBe(300)
})
