import {
  booleanIn,
  type CellResult,
  dayIn,
  integerIn,
  listOf,
  measureIn,
  type ProductReference,
  priceIn,
  referenceIn,
  slugOf,
  taxClassIn,
  withLineBreaks,
  withoutEntities,
  withoutGuard,
} from './product-csv-cells.ts'
import type { CsvColumn, ProductCsvField, ProductCsvLayout } from './product-csv-columns.ts'
import { attributesOf, downloadsOf, isWebAddress, type RowAttribute, type RowDownload } from './product-csv-lists.ts'

export type RowType = 'simple' | 'variable' | 'variation' | 'grouped' | 'external'

/** One row of a product file. A member is missing if its column is; null is an empty cell. */
export type ProductRow = {
  /** The mark of the shop that wrote the row: its IDs belong to that shop. */
  shopMark?: string
  id?: number
  sku?: string | null
  type?: RowType
  virtual?: boolean
  downloadable?: boolean
  gtin?: string
  name?: string
  /** The last part of the address of a new product. */
  slug?: string
  status?: 'publish' | 'private' | 'draft'
  featured?: boolean
  visibility?: 'visible' | 'catalog' | 'search' | 'hidden'
  shortDescription?: string
  description?: string
  saleFrom?: Date | null
  saleTo?: Date | null
  taxStatus?: 'taxable' | 'shipping' | 'none'
  taxClass?: string
  stockStatus?: 'instock' | 'outofstock' | 'onbackorder'
  stock?: { readonly manage: 'no' | 'parent' } | { readonly manage: 'yes'; readonly quantity: number }
  lowStockAmount?: number | null
  backorders?: 'no' | 'notify' | 'yes'
  soldIndividually?: boolean
  /** An order of nothing saves a payment method for later charges. */
  keepsMethod?: boolean
  weightGrams?: number | null
  lengthMm?: number | null
  widthMm?: number | null
  heightMm?: number | null
  reviewsAllowed?: boolean
  purchaseNote?: string
  /** Whole minor units. */
  salePrice?: number | null
  regularPrice?: number | null
  /** Each from the top: ['Table', 'Glass']. */
  categories?: readonly (readonly string[])[]
  tags?: readonly string[]
  shippingClass?: string
  /** Each from the top: ['Kiln & Co', 'Studio']. The product is one of the last brand. */
  brands?: readonly (readonly string[])[]
  images?: readonly string[]
  /** Alternative texts, in the order of the images. */
  imageTexts?: readonly string[]
  downloadLimit?: number | null
  downloadExpiryDays?: number | null
  parent?: ProductReference | null
  grouped?: readonly ProductReference[]
  upsells?: readonly ProductReference[]
  crosssells?: readonly ProductReference[]
  externalUrl?: string
  buttonText?: string
  position?: number
  attributes?: readonly RowAttribute[]
  downloads?: readonly RowDownload[]
  meta?: Readonly<Record<string, string>>
}

export type CellFault = { readonly column: string; readonly value: string; readonly problem: string }

export type RowRules = {
  /** Decimals of the shop's currency. */
  readonly decimals: number
  /** ISO 4217; undefined accepts the signs of all currencies. */
  readonly currency?: string
  /** IANA name: sale dates are days of this zone. */
  readonly timeZone: string
  /** The shop's tax classes besides the standard one. */
  readonly taxClasses: readonly string[]
  /** Returns the slug of an attribute of this name, without `pa_`; default: its key. */
  readonly attributeSlug?: (name: string) => string
}

const types = new Set<string>(['simple', 'variable', 'variation', 'grouped', 'external'])
const longestText = 200_000
/** Leaves space in an int4 sequence for products that the shop adds itself. */
const largestId = 2_000_000_000

/** Parses one row. Errors name the column; a row with any of them must not be used. */
export function productRow(
  layout: ProductCsvLayout,
  cells: readonly string[],
  rules: RowRules,
): { row: ProductRow; faults: CellFault[] } {
  const faults: CellFault[] = []
  const row: ProductRow = {}

  if (cells.length !== layout.width) {
    const problem = `has ${cells.length} cells, but the header has ${layout.width}: is a quotation mark or a comma out of place?`
    return { row, faults: [{ column: '', value: '', problem }] }
  }

  const cellAt = (column: CsvColumn) => withoutGuard((cells[column.index] ?? '').trim())
  const refuse = (column: CsvColumn, problem: string) =>
    faults.push({ column: column.name, value: cellAt(column), problem })

  /** Passes the cell to `use` if the file has its column. */
  function given(field: ProductCsvField, use: (cell: string, column: CsvColumn) => void) {
    const column = layout.fields.get(field)
    if (column) use(cellAt(column), column)
  }
  function read<Value>(column: CsvColumn, result: CellResult<Value>, use: (value: Value) => void) {
    if ('problem' in result) refuse(column, result.problem)
    else use(result.value)
  }
  /** An empty cell is `empty`; all others must pass `reader`. */
  function value<Value, Empty>(
    field: ProductCsvField,
    empty: Empty,
    reader: (cell: string) => CellResult<Value>,
    use: (value: Value | Empty) => void,
  ) {
    given(field, (cell, column) => (cell === '' ? use(empty) : read(column, reader(cell), use)))
  }
  function text(field: ProductCsvField, longest: number, use: (cell: string) => void) {
    given(field, (cell, column) => {
      if (cell.length > longest) refuse(column, `is longer than ${longest} characters`)
      else use(cell)
    })
  }
  const oneOf =
    <Word extends string>(words: Readonly<Record<string, Word>>) =>
    (cell: string): CellResult<Word> => {
      const word = Object.hasOwn(words, cell.toLowerCase()) ? words[cell.toLowerCase()] : undefined
      return word === undefined ? { problem: `must be one of ${Object.keys(words).join(', ')}` } : { value: word }
    }

  text('shopMark', 100, (shopMark) => Object.assign(row, { shopMark }))
  value(
    'id',
    undefined,
    (cell) => integerIn(cell, 1, largestId),
    (id) => id !== undefined && Object.assign(row, { id }),
  )
  text('sku', 200, (sku) => Object.assign(row, { sku: sku || null }))
  given('type', (cell, column) => {
    const words = listOf(cell.toLowerCase())
    const base = words.filter((word) => types.has(word))
    const unknown = words.find((word) => !types.has(word) && word !== 'virtual' && word !== 'downloadable')
    if (unknown) refuse(column, `"${unknown}" is not a product type`)
    else if (base.length > 1) refuse(column, `${base.join(' and ')} exclude each other`)
    // The filter above left only words of the set.
    else row.type = (base[0] ?? 'simple') as RowType
    row.virtual = words.includes('virtual')
    row.downloadable = words.includes('downloadable')
  })
  text('gtin', 100, (gtin) => Object.assign(row, { gtin }))
  text('name', 500, (name) => {
    // A variation without a name gets one of its product and its values.
    if (name !== '' || row.type !== 'variation') row.name = withoutEntities(name)
  })
  text('slug', 200, (slug) => Object.assign(row, { slug: slugOf(slug) }))
  // The classic export has a 2 for products pending review.
  const statuses = { '1': 'publish', '0': 'private', '-1': 'draft', '2': 'draft' } as const
  value('published', 'publish' as const, oneOf(statuses), (status) => Object.assign(row, { status }))
  value('featured', false, booleanIn, (featured) => Object.assign(row, { featured }))
  value(
    'visibility',
    'visible' as const,
    oneOf({ visible: 'visible', catalog: 'catalog', search: 'search', hidden: 'hidden' } as const),
    (visibility) => Object.assign(row, { visibility }),
  )
  text('shortDescription', longestText, (cell) => Object.assign(row, { shortDescription: withLineBreaks(cell) }))
  text('description', longestText, (cell) => Object.assign(row, { description: withLineBreaks(cell) }))
  value(
    'saleFrom',
    null,
    (cell) => dayIn(cell, 'start', rules.timeZone),
    (saleFrom) => Object.assign(row, { saleFrom }),
  )
  value(
    'saleTo',
    null,
    (cell) => dayIn(cell, 'end', rules.timeZone),
    (saleTo) => Object.assign(row, { saleTo }),
  )
  value(
    'taxStatus',
    'taxable' as const,
    oneOf({ taxable: 'taxable', shipping: 'shipping', none: 'none' } as const),
    (taxStatus) => Object.assign(row, { taxStatus }),
  )
  // A variation's class "parent" means none of its own; "standard" has no slug.
  value(
    'taxClass',
    '',
    (cell) => (cell.toLowerCase() === 'parent' ? { value: '' } : taxClassIn(cell, rules.taxClasses)),
    (taxClass) => Object.assign(row, { taxClass }),
  )
  value(
    'inStock',
    'instock' as const,
    oneOf({ '1': 'instock', '0': 'outofstock', backorder: 'onbackorder', yes: 'instock', no: 'outofstock' } as const),
    (stockStatus) => Object.assign(row, { stockStatus }),
  )
  given('stock', (cell, column) => {
    if (cell === '') row.stock = { manage: 'no' }
    else if (cell.toLowerCase() === 'parent') row.stock = { manage: 'parent' }
    else
      read(column, integerIn(cell, -1_000_000), (quantity) =>
        Object.assign(row, { stock: { manage: 'yes', quantity } }),
      )
  })
  value('lowStockAmount', null, integerIn, (lowStockAmount) => Object.assign(row, { lowStockAmount }))
  value(
    'backorders',
    'no' as const,
    oneOf({ '1': 'yes', '0': 'no', notify: 'notify', yes: 'yes', no: 'no' } as const),
    (backorders) => Object.assign(row, { backorders }),
  )
  value('soldIndividually', false, booleanIn, (soldIndividually) => Object.assign(row, { soldIndividually }))
  value('keepsMethod', false, booleanIn, (keepsMethod) => Object.assign(row, { keepsMethod }))
  value(
    'weight',
    null,
    (cell) => measureIn(cell, layout.gramsPerUnit),
    (weightGrams) => Object.assign(row, { weightGrams }),
  )
  for (const [field, member] of [
    ['length', 'lengthMm'],
    ['width', 'widthMm'],
    ['height', 'heightMm'],
  ] as const) {
    value(
      field,
      null,
      (cell) => measureIn(cell, layout.millimetresPerUnit),
      (size) => Object.assign(row, { [member]: size }),
    )
  }
  value('reviewsAllowed', true, booleanIn, (reviewsAllowed) => Object.assign(row, { reviewsAllowed }))
  text('purchaseNote', longestText, (cell) => Object.assign(row, { purchaseNote: withLineBreaks(cell) }))
  value(
    'salePrice',
    null,
    (cell) => priceIn(cell, rules.decimals),
    (salePrice) => Object.assign(row, { salePrice }),
  )
  value(
    'regularPrice',
    null,
    (cell) => priceIn(cell, rules.decimals),
    (regularPrice) => Object.assign(row, { regularPrice }),
  )
  given('categories', (cell, column) => {
    const paths = listOf(cell).map((path) => path.split('>').map((name) => withoutEntities(name.trim())))
    if (paths.some((path) => path.some((name) => name === '' || name.length > 200))) {
      refuse(column, 'has a category without a name, or with one longer than 200 characters')
    } else row.categories = paths
  })
  given('tags', (cell, column) => {
    const tags = [...new Set(listOf(cell).map(withoutEntities))]
    if (tags.some((tag) => tag.length > 200)) refuse(column, 'has a tag longer than 200 characters')
    else row.tags = tags
  })
  text('shippingClass', 100, (cell) => Object.assign(row, { shippingClass: slugOf(withoutEntities(cell)) }))
  given('brands', (cell, column) => {
    const paths = listOf(cell).map((path) => path.split('>').map((name) => withoutEntities(name.trim())))
    const named = paths.map((path) => path.filter((name) => name !== '')).filter((path) => path.length > 0)
    if (named.some((path) => path.some((name) => name.length > 200)))
      refuse(column, 'has a brand longer than 200 characters')
    else row.brands = named
  })
  text('imageTexts', longestText, (cell) => {
    if (cell !== '') row.imageTexts = cell.split('|').map((part) => part.trim())
  })
  given('images', (cell) => {
    row.images = [...new Set(listOf(cell))]
  })
  // The classic export writes "no limit" as -1 in older files.
  for (const field of ['downloadLimit', 'downloadExpiryDays'] as const) {
    value(
      field,
      null,
      (cell): CellResult<number | null> => (cell === '-1' ? { value: null } : integerIn(cell)),
      (limit) => Object.assign(row, { [field]: limit }),
    )
  }
  value('parent', null, referenceIn, (parent) => Object.assign(row, { parent }))
  for (const field of ['grouped', 'upsells', 'crosssells'] as const) {
    given(field, (cell, column) => {
      const references: ProductReference[] = []
      for (const part of new Set(listOf(cell)))
        read(column, referenceIn(part), (reference) => references.push(reference))
      row[field] = references
    })
  }
  text('externalUrl', 2000, (cell) => Object.assign(row, { externalUrl: cell }))
  text('buttonText', 200, (cell) => Object.assign(row, { buttonText: cell }))
  value(
    'position',
    0,
    (cell) => integerIn(cell, -1_000_000_000),
    (position) => Object.assign(row, { position }),
  )

  if (layout.attributes.length > 0) row.attributes = attributesOf(layout, cellAt, refuse, rules.attributeSlug)
  if (layout.downloads.length > 0) row.downloads = downloadsOf(layout, cellAt, refuse)
  if (layout.meta.length > 0) {
    row.meta = Object.fromEntries(
      layout.meta.map(({ key, column }) => [key, cellAt(column)]).filter(([, cell]) => cell !== ''),
    )
  }

  checkRow(row, layout, (field, problem) => {
    const column = layout.fields.get(field)
    if (column) refuse(column, problem)
  })
  return { row, faults }
}

/** Validates the members of a row against each other. @param layout the fields that the row may have */
export function checkRow(
  row: ProductRow,
  layout: { readonly fields: { has(field: ProductCsvField): boolean } },
  refuse: (field: ProductCsvField, problem: string) => void,
) {
  if (row.id === undefined && !row.sku) {
    refuse(
      layout.fields.has('sku') ? 'sku' : 'id',
      'a row needs an SKU or an ID, so that the file can be imported again',
    )
  }
  if (row.name === '') refuse('name', 'must not be empty')
  if (row.salePrice !== undefined && row.salePrice !== null && row.regularPrice !== undefined) {
    if (row.regularPrice === null) refuse('salePrice', 'needs a regular price beside it')
    else if (row.salePrice >= row.regularPrice) refuse('salePrice', 'must be lower than the regular price')
  }
  if (row.saleFrom && row.saleTo && row.saleFrom > row.saleTo)
    refuse('saleTo', 'must not lie before the day the sale starts')
  if (row.stock?.manage === 'yes' && row.stock.quantity < 0 && row.backorders === 'no') {
    refuse('stock', 'must not be negative while backorders are not allowed')
  }
  if (row.type !== undefined) {
    if (row.type === 'variation' && row.parent === null) refuse('parent', 'a variation needs its parent')
    if (row.type === 'variation' && row.parent === undefined && !layout.fields.has('parent')) {
      refuse('type', 'a variation needs a column "Parent"')
    }
    if (row.type !== 'variation' && row.parent) refuse('parent', 'only a variation has a parent')
    if (row.type !== 'variation' && row.stock?.manage === 'parent')
      refuse('stock', 'only a variation can follow its parent')
    if (row.type === 'external' && row.externalUrl !== undefined && !isWebAddress(row.externalUrl)) {
      refuse('externalUrl', 'an external product needs an address that starts with https:// or http://')
    }
  }
}
