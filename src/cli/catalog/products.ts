import { listDeskProducts, type ProductFilter, productSorts } from '#database/catalog/desk-products.ts'
import {
  changeProducts,
  findNamedProducts,
  type ProductChange,
  readDeskProduct,
  type StockChange,
  type WrittenProduct,
} from '#shop/catalog/manage-products.ts'
import { exportAllColumns } from '#shop/import/export-all-columns.ts'
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
import { fail, rejectUsage } from '../shared/messages.ts'
import { productColumns, productJson, productLines } from './product-text.ts'

const statuses = ['publish', 'private', 'draft', 'trash'] as const
const types = ['simple', 'variable', 'variation', 'grouped', 'external'] as const
const stocks = ['instock', 'outofstock', 'onbackorder'] as const
const stockFilters = [...stocks, 'low'] as const
const yesNo = ['yes', 'no'] as const

const filters = {
  search: { type: 'string', value: '<text>', what: 'in name, SKU or GTIN' },
  status: { type: 'string', value: '<status>', what: `${statuses.join(', ')}; all except trash`, completes: statuses },
  type: { type: 'string', value: '<type>', what: types.join(', '), completes: types },
  stock: { type: 'string', value: '<status>', what: `${stocks.join(', ')}, or low`, completes: stockFilters },
  category: { type: 'string', value: '<slug>', what: 'and its subcategories', completes: 'category' },
  sale: { type: 'boolean', what: 'on sale now' },
  variations: { type: 'boolean', what: 'lists variations as well' },
  sort: {
    type: 'string',
    value: '<order>',
    what: `${productSorts.join(', ')}; name by default`,
    completes: productSorts,
  },
} as const satisfies Options

/** The options that change a product, each with its column of a product file. */
const fields = {
  name: ['Name', '<text>', 'the name'],
  sku: ['SKU', '<SKU>', 'your own article number'],
  gtin: ['GTIN, UPC, EAN, or ISBN', '<digits>', 'the global trade item number'],
  price: ['Regular price', '<amount>', 'the regular price; "" makes the product unavailable'],
  'sale-price': ['Sale price', '<amount>', 'the sale price; "" ends the sale'],
  'sale-from': ['Date sale price starts', '<date>', '2026-11-27: the first day of the sale'],
  'sale-to': ['Date sale price ends', '<date>', '2026-11-30: the last day of the sale'],
  visibility: ['Visibility in catalog', '<where>', 'visible, catalog, search or hidden'],
  featured: ['Is featured?', 'yes|no', 'featured products are listed first'],
  'short-description': ['Short description', '<text>', 'shown beside the image'],
  description: ['Description', '<text>', 'shown below'],
  'tax-status': ['Tax status', '<status>', 'taxable, shipping or none'],
  'tax-class': ['Tax class', '<slug>', '"" for the standard class'],
  'shipping-class': ['Shipping class', '<slug>', 'for shipping methods with costs per class'],
  weight: ['Weight (kg)', '<kilograms>', 'including packaging'],
  'low-stock': ['Low stock amount', '<pieces>', 'warns at this stock; "" uses the setting of the shop'],
  backorders: ['Backorders allowed?', 'yes|no|notify', 'may be sold without stock'],
  'one-per-order': ['Sold individually?', 'yes|no', 'limits an order to one piece'],
  'keeps-method': ['Keeps a way to pay?', 'yes|no', 'a free trial requires a payment method that can be charged later'],
  'purchase-note': ['Purchase note', '<text>', 'shown to customers who bought it'],
  position: ['Position', '<number>', 'a smaller number comes first in lists'],
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
    summary: 'Lists products of every status with price and stock.',
    example: 'bowl --status draft',
    options: { ...filters, ...listOptions },
    words: [0, 1],
    run: ([text], given, context) => list({ ...given, ...(text === undefined ? {} : { search: text }) }, context),
  },

  show: {
    usage: '<SKU> [--json]',
    summary: 'Shows one product with its variations and last stock movements.',
    example: 'BOWL',
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
    usage: '[--all] > products.csv',
    summary: 'Prints a product file with names, prices and status, to edit and load again with "import --update".',
    example: '> products.csv',
    options: { all: { type: 'boolean', what: 'prints every column, to move the products to another shop' } },
    words: [0, 0],
    async run(_, { all }, context) {
      for await (const line of all ? exportAllColumns(context) : exportProducts(context)) context.print(line)
      return 0
    },
  },

  edit: {
    ...named,
    usage: '<SKU>… [options]',
    summary: 'Changes the given values of all named products, or of none after an error; "" empties a value.',
    example: 'BOWL --price 24 --sale-price 19.50',
    options: { ...fieldOptions, ...jsonOption },
    async run(names, given, context) {
      const written: Record<string, string> = {}
      for (const [option, [column]] of Object.entries(fields)) {
        const value = textGiven(given[option])
        if (value !== undefined) written[column] = value
      }
      if (Object.keys(written).length === 0) {
        return rejectUsage(
          context,
          'no option to change was given. Example: products edit BOWL --price 24 --sale-price 19.50',
        )
      }
      return change(names, { written }, given, context)
    },
  },

  stock: {
    ...named,
    usage: '<SKU>… --count 12',
    example: 'BOWL --count 12',
    summary: 'Sets or adjusts the stock, or sets a stock status without counting.',
    options: {
      count: { type: 'string', value: '<pieces>', what: 'sets the stock' },
      by: { type: 'string', value: '<pieces>', what: 'adjusts the stock: 5, -2' },
      status: {
        type: 'string',
        value: '<status>',
        what: `stops counting: ${stocks.join(', ')}`,
        completes: stocks,
      },
      ...jsonOption,
    },
    async run(names, given, context) {
      const wanted = stockGiven(given)
      if (typeof wanted === 'string') return rejectUsage(context, wanted)
      return change(names, { stock: wanted }, given, context)
    },
  },

  publish: {
    ...named,
    usage: '<SKU>…',
    summary: 'Publishes products, also from the trash.',
    example: 'BOWL',
    options: jsonOption,
    run: (names, given, context) => change(names, { status: 'publish' }, given, context),
  },

  hide: {
    ...named,
    usage: '<SKU>…',
    summary: 'Hides products: no page, no listing, no purchase.',
    example: 'BOWL',
    options: jsonOption,
    run: (names, given, context) => change(names, { status: 'private' }, given, context),
  },

  trash: {
    ...named,
    usage: '<SKU>…',
    summary: 'Moves products to the trash. Orders keep them; "products publish" restores them.',
    example: 'BOWL',
    options: jsonOption,
    run: (names, given, context) => change(names, { status: 'trash' }, given, context),
  },
})

async function list(given: Given, context: CommandContext): Promise<number> {
  const page = pageGiven(given)
  const wanted = filterGiven(given)
  for (const problem of [page, wanted]) {
    if (typeof problem === 'string') return rejectUsage(context, problem)
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
      ? 'No product matches.'
      : 'There are no products yet. Import some: npm run shop -- import products.csv',
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
    return 'give exactly one option: --count 12, --by -2 or --status outofstock.'
  const pieces = /^[+-]?\d{1,9}$/.test(String(count ?? by ?? '0')) ? Number(count ?? by ?? 0) : null
  if (pieces === null)
    return `${count === undefined ? '--by' : '--count'} "${count ?? by}" is not a whole number. Example: --count 12`
  if (count !== undefined) return { count: pieces }
  if (by !== undefined) return { by: pieces }
  const uncounted = wordOf(status, stocks)
  return uncounted ? { uncounted } : unknownWord('status', status, stocks)
}

/** Finds the ids of products by SKU or number, and prints which are unknown. */
async function idsOf(names: readonly string[], context: CommandContext): Promise<number[] | null> {
  const { ids, unknown } = await findNamedProducts(context, listGiven(names) ?? [])
  for (const name of unknown)
    fail(context, `no product has the SKU or number "${name}". Find it with: products list "${name}"`)
  return unknown.length > 0 ? null : ids
}

async function change(
  names: readonly string[],
  wanted: ProductChange & { written?: WrittenProduct },
  given: Given,
  context: CommandContext,
): Promise<number> {
  const ids = await idsOf(names, context)
  if (!ids) return 1
  const result = await changeProducts(context, ids, wanted)
  if (!result.ok) return printFaults(context, result.faults, optionOf, given)
  const { products, changed } = result.value
  const { settings } = context
  if (given.json) context.print(JSON.stringify(products.map((product) => productJson(product, settings))))
  else {
    const page = { limit: products.length, offset: 0 }
    const columns = productColumns(settings)
    printList(context, {}, page, { items: products, count: products.length, columns, json: (it) => it, none: '' })
  }
  if (changed.length === 0) context.say('No change: the products have these values already.')
  return 0
}
