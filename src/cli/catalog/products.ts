import { listDeskProducts, type ProductFilter, productSorts } from '#database/catalog/desk-products.ts'
import {
  changeProducts,
  findNamedProducts,
  type ProductChange,
  readDeskProduct,
  type StockChange,
  type WrittenProduct,
} from '#shop/catalog/manage-products.ts'
import { exportProducts } from '#shop/import/export-products.ts'
import type { CommandContext } from '../shared/command.ts'
import {
  commandGroup,
  type Given,
  jsonOption,
  listGiven,
  type Options,
  printFaults,
  textGiven,
} from '../shared/command-group.ts'
import { listOptions, pageGiven, printList, unknownWord, wordOf } from '../shared/listing.ts'
import { productColumns, productJson, productLines } from './product-text.ts'

const statuses = ['publish', 'private', 'draft', 'trash'] as const
const types = ['simple', 'variable', 'variation', 'grouped', 'external'] as const
const stocks = ['instock', 'outofstock', 'onbackorder'] as const
const stockFilters = [...stocks, 'low'] as const
const yesNo = ['yes', 'no'] as const

const filters = {
  search: { type: 'string', value: '<text>', what: 'in the name, the SKU or the GTIN' },
  status: { type: 'string', value: '<status>', what: `${statuses.join(', ')}; all but the trash`, completes: statuses },
  type: { type: 'string', value: '<type>', what: types.join(', '), completes: types },
  stock: { type: 'string', value: '<status>', what: `${stocks.join(', ')}, or low`, completes: stockFilters },
  category: { type: 'string', value: '<slug>', what: 'with the categories below it', completes: 'category' },
  sale: { type: 'boolean', what: 'on sale now' },
  variations: { type: 'boolean', what: 'each variation by itself too' },
  sort: { type: 'string', value: '<order>', what: `${productSorts.join(', ')}; name`, completes: productSorts },
} as const satisfies Options

/** What can be written, and the column of a product file that means the same. */
const fields = {
  name: ['Name', '<text>', 'what it is called'],
  sku: ['SKU', '<SKU>', 'the number of your own'],
  gtin: ['GTIN, UPC, EAN, or ISBN', '<digits>', 'the number that every shop knows it by'],
  price: ['Regular price', '<amount>', 'the regular price; "" takes it off sale altogether'],
  'sale-price': ['Sale price', '<amount>', 'the lower price; "" ends the sale'],
  'sale-from': ['Date sale price starts', '<date>', '2026-11-27: from the beginning of that day'],
  'sale-to': ['Date sale price ends', '<date>', '2026-11-30: to the end of that day'],
  visibility: ['Visibility in catalog', '<where>', 'visible, catalog, search or hidden'],
  featured: ['Is featured?', 'yes|no', 'shown first where the shop features products'],
  'short-description': ['Short description', '<text>', 'beside the picture'],
  description: ['Description', '<text>', 'below'],
  'tax-status': ['Tax status', '<status>', 'taxable, shipping or none'],
  'tax-class': ['Tax class', '<slug>', '"" for the standard class'],
  'shipping-class': ['Shipping class', '<slug>', 'for shipping methods that tell them apart'],
  weight: ['Weight (kg)', '<kilograms>', 'with its packing'],
  'low-stock': ['Low stock amount', '<pieces>', 'warn at so many; "" as the shop does'],
  backorders: ['Backorders allowed?', 'yes|no|notify', 'sold beyond what is there'],
  'one-per-order': ['Sold individually?', 'yes|no', 'no more than one in an order'],
  'keeps-method': ['Keeps a way to pay?', 'yes|no', 'for nothing only with what can be charged later: a free trial'],
  'purchase-note': ['Purchase note', '<text>', 'for those who bought it'],
  position: ['Position', '<number>', 'the smaller, the earlier in lists'],
} as const satisfies Readonly<Record<string, readonly [column: string, value: string, what: string]>>

const fieldWords: Readonly<Record<string, readonly string[]>> = {
  visibility: ['visible', 'catalog', 'search', 'hidden'],
  featured: yesNo,
  'tax-status': ['taxable', 'shipping', 'none'],
  backorders: ['yes', 'no', 'notify'],
  'one-per-order': yesNo,
  'keeps-method': yesNo,
}

const fieldOptions: Options = Object.fromEntries(
  Object.entries(fields).map(([option, [, value, what]]) => {
    const completes = fieldWords[option]
    return [option, { type: 'string', value, what, ...(completes ? { completes } : {}) }]
  }),
)

const optionOf: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(fields).map(([option, [column]]) => [column, `--${option}`])),
  Stock: 'stock',
  'In stock?': 'stock',
}

const anyNumber = 1000
const named = { words: [1, anyNumber], completes: ['product'] } as const

export const productsCommand = commandGroup('products', {
  list: {
    usage: '[text] [options]',
    summary: 'Products whatever their status, with price and stock.',
    options: { ...filters, ...listOptions },
    words: [0, 1],
    run: ([text], given, context) => list({ ...given, ...(text === undefined ? {} : { search: text }) }, context),
  },

  show: {
    usage: '<SKU> [--json]',
    summary: 'One product with its variations and the last movements of its stock.',
    options: jsonOption,
    words: [1, 1],
    completes: ['product'],
    async run(names, { json }, context) {
      const [id] = (await idsOf(names, context)) ?? []
      const product = id === undefined ? null : await readDeskProduct(context, id)
      if (!product) return 1
      if (json) {
        const { product: own, variations, ...around } = product
        const of = (each: typeof own) => productJson(each, context.settings)
        context.print(JSON.stringify({ ...of(own), ...around, variations: variations.map(of) }))
      } else for (const line of productLines(product, context)) context.print(line)
      return 0
    },
  },

  export: {
    usage: '> products.csv',
    summary: 'A product file of this shop with names, prices and status, for "import --update" after a change.',
    options: {},
    words: [0, 0],
    async run(_, __, context) {
      for await (const line of exportProducts(context)) context.print(line)
      return 0
    },
  },

  edit: {
    ...named,
    usage: '<SKU>… [options]',
    summary: 'Changes what is given, of all the products named or of none; "" empties a value.',
    options: { ...fieldOptions, ...jsonOption },
    async run(names, given, context) {
      const written: Record<string, string> = {}
      for (const [option, [column]] of Object.entries(fields)) {
        const value = textGiven(given[option])
        if (value !== undefined) written[column] = value
      }
      if (Object.keys(written).length === 0) {
        context.say('Nothing was given to change: products edit BOWL --price 24 --sale-price 19.50')
        return 2
      }
      return change(names, { written }, given, context)
    },
  },

  stock: {
    ...named,
    usage: '<SKU>… --count 12',
    summary: 'Counts pieces, adds or takes some, or says by word what nobody counts.',
    options: {
      count: { type: 'string', value: '<pieces>', what: 'so many are there' },
      by: { type: 'string', value: '<pieces>', what: 'so many more, or fewer: 5, -2' },
      status: {
        type: 'string',
        value: '<status>',
        what: `counts it no longer: ${stocks.join(', ')}`,
        completes: stocks,
      },
      ...jsonOption,
    },
    async run(names, given, context) {
      const wanted = stockGiven(given)
      if (typeof wanted === 'string') {
        context.say(wanted)
        return 2
      }
      return change(names, { stock: wanted }, given, context)
    },
  },

  publish: {
    ...named,
    usage: '<SKU>…',
    summary: 'Shows products to everybody, also what was in the trash.',
    options: jsonOption,
    run: (names, given, context) => change(names, { status: 'publish' }, given, context),
  },

  hide: {
    ...named,
    usage: '<SKU>…',
    summary: 'Takes products out of the shop: no page, no listing, not to be bought.',
    options: jsonOption,
    run: (names, given, context) => change(names, { status: 'private' }, given, context),
  },

  trash: {
    ...named,
    usage: '<SKU>…',
    summary: 'Puts products away. Orders keep them, and "publish" brings them back.',
    options: jsonOption,
    run: (names, given, context) => change(names, { status: 'trash' }, given, context),
  },
})

async function list(given: Given, context: CommandContext): Promise<number> {
  const page = pageGiven(given)
  const wanted = filterGiven(given)
  for (const problem of [page, wanted]) {
    if (typeof problem !== 'string') continue
    context.say(problem)
    return 2
  }
  if (typeof page === 'string' || typeof wanted === 'string') return 2
  const { filter, sort } = wanted
  const now = context.clock.now()
  const { count, products } = await listDeskProducts(context.db.kysely, filter, { sort, ...page }, now)
  printList(context, given, page, {
    items: products,
    count,
    columns: productColumns(context.settings),
    json: (product) => productJson(product, context.settings),
    none: Object.values(filter).some((value) => value !== undefined)
      ? 'No product is like that.'
      : 'There is no product yet: npm run shop -- import products.csv',
  })
  return 0
}

function filterGiven(given: Given): { filter: ProductFilter; sort: (typeof productSorts)[number] } | string {
  const status = wordOf(given.status, statuses)
  const type = wordOf(given.type, types)
  const stock = wordOf(given.stock, stockFilters)
  const sort = wordOf(given.sort, productSorts)
  if (status === null) return unknownWord('status', given.status, statuses)
  if (type === null) return unknownWord('type', given.type, types)
  if (stock === null) return unknownWord('stock', given.stock, stockFilters)
  if (sort === null) return unknownWord('sort', given.sort, productSorts)
  const filter = {
    text: textGiven(given.search) || undefined,
    status,
    type,
    stock,
    category: textGiven(given.category),
    onSale: given.sale === true || undefined,
    variations: given.variations === true || undefined,
  }
  return { filter, sort: sort ?? 'name' }
}

function stockGiven({ count, by, status }: Given): StockChange | string {
  if ([count, by, status].filter((value) => value !== undefined).length !== 1)
    return 'Say one of them: --count 12, --by -2 or --status outofstock.'
  const pieces = /^[+-]?\d{1,9}$/.test(String(count ?? by ?? '0')) ? Number(count ?? by ?? 0) : null
  if (pieces === null) return `${count === undefined ? '--by' : '--count'}: must be a whole number.`
  if (count !== undefined) return { count: pieces }
  if (by !== undefined) return { by: pieces }
  const uncounted = wordOf(status, stocks)
  return uncounted ? { uncounted } : unknownWord('status', status, stocks)
}

/** The numbers of products by their names; says which are unknown. */
async function idsOf(names: readonly string[], context: CommandContext): Promise<number[] | null> {
  const { ids, unknown } = await findNamedProducts(context, listGiven(names) ?? [])
  for (const name of unknown) context.say(`There is no product with the SKU or number "${name}".`)
  return unknown.length > 0 ? null : ids
}

async function change(
  names: readonly string[],
  wanted: ProductChange & { written?: WrittenProduct },
  { json }: Given,
  context: CommandContext,
): Promise<number> {
  const ids = await idsOf(names, context)
  if (!ids) return 1
  const result = await changeProducts(context, ids, wanted)
  if (!result.ok) {
    printFaults(context, result.faults, optionOf)
    return 1
  }
  const { products, changed } = result.value
  const { settings } = context
  if (json) context.print(JSON.stringify(products.map((product) => productJson(product, settings))))
  else {
    const page = { limit: products.length, offset: 0 }
    const columns = productColumns(settings)
    printList(context, {}, page, { items: products, count: products.length, columns, json: (it) => it, none: '' })
  }
  if (changed.length === 0) context.say('Nothing had to be changed.')
  return 0
}
