import { slugOf } from '../product-csv-cells.ts'
import type { CellFault } from '../product-csv-row.ts'
import { cellCleaner } from './clean-cells.ts'
import type { ConvertedRow, ImportFormat, TableRow, ValueRules } from './import-format.ts'
import { readTitle } from './read-title.ts'
import { titleKey } from './title-key.ts'
import { booleanWords, wordValue } from './value-words.ts'

/** Columns of Shopify's product export: the titles of its classic file and of its present one. */
const shopifyTitles = {
  handle: 'Handle|URL handle',
  title: 'Title',
  body: 'Body (HTML)|Body HTML|Description',
  vendor: 'Vendor',
  category: 'Product Category|Product category',
  type: 'Type|Custom Product Type',
  tags: 'Tags',
  published: 'Published|Published on online store',
  status: 'Status',
  option1: 'Option1 Name',
  option2: 'Option2 Name',
  option3: 'Option3 Name',
  value1: 'Option1 Value',
  value2: 'Option2 Value',
  value3: 'Option3 Value',
  sku: 'Variant SKU|SKU',
  grams: 'Variant Grams|Weight value (grams)',
  tracker: 'Variant Inventory Tracker|Inventory tracker',
  quantity: 'Variant Inventory Qty|Inventory quantity',
  policy: 'Variant Inventory Policy|Continue selling when out of stock',
  price: 'Variant Price|Price',
  compareAt: 'Variant Compare At Price|Compare-at price',
  shipped: 'Variant Requires Shipping|Requires shipping',
  taxable: 'Variant Taxable|Charge tax',
  barcode: 'Variant Barcode|Barcode',
  image: 'Image Src|Product image URL',
  imagePosition: 'Image Position',
  imageText: 'Image Alt Text',
  seoTitle: 'SEO Title',
  seoDescription: 'SEO Description',
  variantImage: 'Variant Image|Variant image URL',
  cost: 'Cost per item',
} as const

type ShopifyColumn = keyof typeof shopifyTitles

/** Columns of the export that a product of this shop has no place for. */
const unused = [
  ...[
    'Gift Card',
    'Variant Fulfillment Service',
    'Fulfillment service',
    'Variant Weight Unit',
    'Weight unit for display',
  ],
  ...['Variant Tax Code', 'Tax code', 'Option1 Linked To', 'Option2 Linked To', 'Option3 Linked To'],
]

const byTitle = new Map<string, ShopifyColumn>(
  Object.entries(shopifyTitles).flatMap(([column, titles]) =>
    // Object.entries loses the key type of the table above.
    titles.split('|').map((title) => [titleKey(title), column as ShopifyColumn] as const),
  ),
)
const unusedKeys = new Set(unused.map(titleKey))

/** Titles of the converted rows; meta columns of the file follow. */
const header = [
  ...['Type', 'SKU', 'Slug', 'GTIN, UPC, EAN, or ISBN', 'Name', 'Published', 'Description', 'Tax status', 'Stock'],
  ...['Backorders allowed?', 'Weight (kg)', 'Sale price', 'Regular price', 'Categories', 'Tags', 'Brands', 'Images'],
  ...['Image texts', 'Parent', 'Position', 'Meta: _cogs_total_value', 'Meta: seo_title', 'Meta: seo_description'],
  ...[1, 2, 3].flatMap((number) => [`Attribute ${number} name`, `Attribute ${number} value(s)`]),
]

/** Returns true for the header of a product export of Shopify. */
export function isShopify(written: readonly string[]): boolean {
  const keys = new Set(written.map(titleKey))
  if (!keys.has('handle') && !keys.has('url handle')) return false
  return keys.has('variant price') || keys.has('option1 name') || keys.has('variant sku')
}

/**
 * Returns the format of Shopify's product export. Rows of one handle are a product: a simple one, or a variable one whose
 * variations are its rows with option values. Further rows bring further images.
 */
export function shopifyFormat(written: readonly string[]): ImportFormat {
  const places = new Map<ShopifyColumn, number>()
  const ignored: string[] = []
  const meta: { title: string; index: number }[] = []
  for (const [index, title] of written.entries()) {
    const key = titleKey(title)
    const column = byTitle.get(key)
    const target = readTitle(title)
    if (column) places.set(column, index)
    else if (target?.startsWith('Meta: ')) meta.push({ title: target, index })
    else if (key !== '' && !unusedKeys.has(key)) ignored.push(title.trim())
  }
  const titleOf = (column: ShopifyColumn) => written[places.get(column) ?? -1] ?? column
  return {
    name: 'shopify',
    header: [...header, ...meta.map(({ title }) => title)],
    titles: new Map([
      ['SKU', titleOf('sku')],
      ['Name', titleOf('title')],
      ['Regular price', titleOf('price')],
      ['Sale price', titleOf('price')],
      ['Stock', titleOf('quantity')],
      ['Weight (kg)', titleOf('grams')],
      ['Images', titleOf('image')],
      ['Parent', titleOf('handle')],
    ]),
    ignored,
    notes: [],
    groupBy: places.get('handle') ?? 0,
    convert: (rows, rules) => convertProduct(rows, places, meta, rules),
  }
}

function convertProduct(
  rows: readonly TableRow[],
  places: ReadonlyMap<ShopifyColumn, number>,
  meta: readonly { readonly index: number }[],
  rules: ValueRules,
): ConvertedRow[] {
  const cell = (row: TableRow, column: ShopifyColumn) => (row.cells[places.get(column) ?? -1] ?? '').trim()
  const [first] = rows
  if (!first) return []
  const handle = cell(first, 'handle')
  const options = (['option1', 'option2', 'option3'] as const).map((column) => cell(first, column))
  const valuesOf = (row: TableRow) => (['value1', 'value2', 'value3'] as const).map((column) => cell(row, column))
  const isSimple =
    options[0] === '' ||
    (options[0]?.toLowerCase() === 'title' && valuesOf(first)[0]?.toLowerCase() === 'default title')
  const variants = isSimple ? [first] : rows.filter((row) => valuesOf(row).some((value) => value !== ''))
  const photos = rows
    .flatMap((row, order) => {
      const source = cell(row, 'image')
      const position = Number(cell(row, 'imagePosition')) || order + 1
      return source === '' ? [] : [{ source, position, text: cell(row, 'imageText') }]
    })
    .sort((a, b) => a.position - b.position)

  const skus = variants.map((row) => skuOf(cell(row, 'sku')))
  const parentSku = skus.some((sku) => sku.toLowerCase() === handle.toLowerCase()) ? `${handle}-product` : handle
  const product = {
    Slug: handle,
    Name: cell(first, 'title'),
    Published: publishedOf(cell(first, 'published'), cell(first, 'status')),
    Description: cell(first, 'body'),
    Categories: escaped(cell(first, 'type')) || escaped(cell(first, 'category')),
    Tags: cell(first, 'tags'),
    Brands: escaped(cell(first, 'vendor')),
    Images: photos.map(({ source }) => escaped(source)).join(', '),
    'Image texts': photos.map(({ text }) => text.replaceAll('|', '/')).join('|'),
    'Meta: seo_title': cell(first, 'seoTitle'),
    'Meta: seo_description': cell(first, 'seoDescription'),
  }
  const metaCells = (row: TableRow) => meta.map(({ index }) => (row.cells[index] ?? '').trim())

  const converted = (row: TableRow, values: Readonly<Record<string, string>>, extra: string[]): ConvertedRow => {
    const notes: CellFault[] = []
    const faults: CellFault[] = []
    const cells = header.map((title) => {
      const given = values[title] ?? ''
      const clean = given === '' ? null : cellCleaner(title)
      if (!clean || title === 'Images') return given
      const { text, note, problem } = clean(given, rules)
      if (note !== undefined) notes.push({ column: title, value: given, problem: note })
      if (problem !== undefined) faults.push({ column: title, value: given, problem })
      return text
    })
    return { row: row.row, cells: [...cells, ...extra], notes, faults }
  }

  if (isSimple) {
    const variant = variantOf(first)
    const values = { ...product, ...variant, SKU: skus[0] || handle }
    return [converted(first, { ...values, Type: typeWith('simple', variant) }, metaCells(first))]
  }
  const attributes = Object.fromEntries(
    options.flatMap((name, index) =>
      name === ''
        ? []
        : [
            [`Attribute ${index + 1} name`, name],
            [
              `Attribute ${index + 1} value(s)`,
              [...new Set(variants.map((row) => escaped(valuesOf(row)[index] ?? '')))].filter(Boolean).join(', '),
            ],
          ],
    ),
  )
  const parent = converted(first, { ...product, ...attributes, Type: 'variable', SKU: parentSku }, metaCells(first))
  return [
    parent,
    ...variants.map((row, position) => {
      const variant = variantOf(row)
      const chosen = valuesOf(row).filter((value) => value !== '')
      const own = Object.fromEntries(
        options.flatMap((name, index) =>
          name === ''
            ? []
            : [
                [`Attribute ${index + 1} name`, name],
                [`Attribute ${index + 1} value(s)`, escaped(valuesOf(row)[index] ?? '')],
              ],
        ),
      )
      const values = {
        ...variant,
        ...own,
        Type: typeWith('variation', variant),
        SKU: skus[position] || slugOf([handle, ...chosen].join(' ')),
        Name: `${product.Name} - ${chosen.join(', ')}`,
        Published: '1',
        Parent: escaped(parentSku),
        Position: String(position),
        Images: escaped(cell(row, 'variantImage')),
      }
      return converted(
        row,
        values,
        meta.map(() => ''),
      )
    }),
  ]

  function variantOf(row: TableRow): Readonly<Record<string, string>> {
    const price = cell(row, 'price')
    const compareAt = cell(row, 'compareAt')
    const isReduced = compareAt !== '' && Number(compareAt) > Number(price)
    const continues = ['continue', '1'].includes(wordValue(booleanWords, cell(row, 'policy')).toLowerCase())
    const quantity = cell(row, 'tracker') === '' ? '' : cell(row, 'quantity')
    const isOversold = !continues && Number(quantity) < 0
    const grams = cell(row, 'grams')
    return {
      'Regular price': isReduced ? compareAt : price,
      'Sale price': isReduced ? price : '',
      Stock: isOversold ? '0' : quantity,
      'Backorders allowed?': continues ? '1' : '0',
      'Weight (kg)': /^\d+(\.\d+)?$/.test(grams) && Number(grams) > 0 ? String(Number(grams) / 1000) : '',
      'Tax status': wordValue(booleanWords, cell(row, 'taxable')) === '0' ? 'none' : 'taxable',
      'GTIN, UPC, EAN, or ISBN': skuOf(cell(row, 'barcode')),
      'Meta: _cogs_total_value': cell(row, 'cost'),
      virtual: wordValue(booleanWords, cell(row, 'shipped')) === '0' ? '1' : '',
    }
  }
}

const typeWith = (type: string, variant: Readonly<Record<string, string>>) =>
  variant.virtual ? `${type}, virtual` : type

/** Drafts stay drafts; archived and unpublished products have no page. */
function publishedOf(published: string, status: string): string {
  if (status.toLowerCase() === 'draft') return '-1'
  if (status.toLowerCase() === 'archived') return '0'
  return wordValue(booleanWords, published) === '0' ? '0' : '1'
}

/** Shopify writes `'` before figures so that spreadsheets keep their zeros. */
const skuOf = (cell: string) => cell.replace(/^'/, '')
const escaped = (value: string) => value.replace(/(?<!\\),/g, '\\,')
