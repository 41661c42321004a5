/**
 * The header row of a product file: the meaning of each column. Names are those of the classic shop's export, in any
 * order; a missing column leaves its data unchanged.
 */

/** Columns with one meaning each, by their header name. */
export const productCsvColumns = {
  // Identifies the shop of the IDs; the classic export has no such column.
  'Shop mark': 'shopMark',
  ID: 'id',
  Type: 'type',
  SKU: 'sku',
  'GTIN, UPC, EAN, or ISBN': 'gtin',
  Name: 'name',
  // The last part of the address of a new product; the classic export has no such column.
  Slug: 'slug',
  Published: 'published',
  'Is featured?': 'featured',
  'Visibility in catalog': 'visibility',
  'Short description': 'shortDescription',
  Description: 'description',
  'Date sale price starts': 'saleFrom',
  'Date sale price ends': 'saleTo',
  'Tax status': 'taxStatus',
  'Tax class': 'taxClass',
  'In stock?': 'inStock',
  Stock: 'stock',
  'Low stock amount': 'lowStockAmount',
  'Backorders allowed?': 'backorders',
  'Sold individually?': 'soldIndividually',
  'Keeps a way to pay?': 'keepsMethod',
  'Allow customer reviews?': 'reviewsAllowed',
  'Purchase note': 'purchaseNote',
  'Sale price': 'salePrice',
  'Regular price': 'regularPrice',
  Categories: 'categories',
  Tags: 'tags',
  'Shipping class': 'shippingClass',
  Brands: 'brands',
  Images: 'images',
  // Alternative texts of the images, separated by `|`.
  'Image texts': 'imageTexts',
  'Download limit': 'downloadLimit',
  'Download expiry days': 'downloadExpiryDays',
  Parent: 'parent',
  'Grouped products': 'grouped',
  Upsells: 'upsells',
  'Cross-sells': 'crosssells',
  'External URL': 'externalUrl',
  'Button text': 'buttonText',
  Position: 'position',
} as const

type NamedColumn = (typeof productCsvColumns)[keyof typeof productCsvColumns]
export type ProductCsvField = NamedColumn | 'weight' | 'length' | 'width' | 'height'

export type CsvColumn = { readonly index: number; readonly name: string }
export type AttributeColumns = {
  name?: CsvColumn
  values?: CsvColumn
  visible?: CsvColumn
  global?: CsvColumn
  preset?: CsvColumn
}
export type DownloadColumns = { id?: CsvColumn; name?: CsvColumn; url?: CsvColumn }

export type ProductCsvLayout = {
  readonly width: number
  readonly fields: ReadonlyMap<ProductCsvField, CsvColumn>
  readonly attributes: readonly AttributeColumns[]
  readonly downloads: readonly DownloadColumns[]
  readonly meta: readonly { readonly key: string; readonly column: CsvColumn }[]
  /** Grams per unit of the weight column, and millimetres per unit of the size columns. */
  readonly gramsPerUnit: number
  readonly millimetresPerUnit: number
  /** Unknown columns, listed so that a misspelling is noticed. */
  readonly ignored: readonly string[]
}

export type LayoutResult =
  | { readonly ok: true; readonly layout: ProductCsvLayout }
  | { readonly ok: false; readonly problems: readonly string[] }

const grams: Readonly<Record<string, number>> = { kg: 1000, g: 1, lbs: 453.59237, lb: 453.59237, oz: 28.349523125 }
const millimetres: Readonly<Record<string, number>> = { m: 1000, cm: 10, mm: 1, in: 25.4, yd: 914.4 }

const fieldByName = new Map<string, ProductCsvField>(
  Object.entries(productCsvColumns).map(([name, field]) => [name.toLowerCase(), field]),
)
const measured = /^(weight|length|width|height) \((\w+)\)$/i
const attributePart = /^attribute (\d{1,3}) (name|value\(s\)|visible|global|default)$/i
const downloadPart = /^download (\d{1,3}) (id|name|url)$/i
const metaKey = /^meta: *(.*)$/i
// Names of built-in properties: data under them could pass for something else later on.
const forbidden = new Set(['__proto__', 'constructor', 'prototype'])

const attributeParts = {
  name: 'name',
  'value(s)': 'values',
  visible: 'visible',
  global: 'global',
  default: 'preset',
} as const
const downloadParts = { id: 'id', name: 'name', url: 'url' } as const

export function productCsvLayout(header: readonly string[], delimiter = ','): LayoutResult {
  const problems: string[] = []
  const fields = new Map<ProductCsvField, CsvColumn>()
  const attributes = new Map<number, AttributeColumns>()
  const downloads = new Map<number, DownloadColumns>()
  const meta: { key: string; column: CsvColumn }[] = []
  const ignored: string[] = []
  const seen = new Set<string>()
  let gramsPerUnit = 1000
  let millimetresPerUnit = 10

  for (const [index, cell] of header.entries()) {
    const name = cell.trim()
    const lower = name.toLowerCase()
    const column: CsvColumn = { index, name }
    if (name === '') {
      ignored.push(`(column ${index + 1} without a name)`)
      continue
    }
    if (seen.has(lower)) problems.push(`column "${name}" appears twice`)
    seen.add(lower)

    const field = fieldByName.get(lower)
    const measure = measured.exec(name)
    const attribute = attributePart.exec(name)
    const download = downloadPart.exec(name)
    const key = metaKey.exec(name)?.[1]
    if (forbidden.has(lower) || (key !== undefined && forbidden.has(key.toLowerCase()))) {
      problems.push(`column "${name}" has a name that is not allowed`)
    } else if (field) {
      fields.set(field, column)
    } else if (measure) {
      const kind = (measure[1] ?? '').toLowerCase()
      const unit = (measure[2] ?? '').toLowerCase()
      const factor = (kind === 'weight' ? grams : millimetres)[unit]
      if (factor === undefined) problems.push(`column "${name}" has a unit that is not known`)
      else if (kind === 'weight') gramsPerUnit = factor
      else millimetresPerUnit = factor
      // The pattern above matches only these four.
      fields.set(kind as 'weight' | 'length' | 'width' | 'height', column)
    } else if (attribute) {
      const part = attributeParts[(attribute[2] ?? '').toLowerCase() as keyof typeof attributeParts]
      entry(attributes, Number(attribute[1]))[part] = column
    } else if (download) {
      const part = downloadParts[(download[2] ?? '').toLowerCase() as keyof typeof downloadParts]
      entry(downloads, Number(download[1]))[part] = column
    } else if (key) {
      meta.push({ key, column })
    } else {
      ignored.push(name)
    }
  }

  if (fields.size === 0) {
    const other = [';', '\t', ','].find((mark) => mark !== delimiter && header.some((cell) => cell.includes(mark)))
    // Without a header the other problems are meaningless.
    problems.splice(
      0,
      problems.length,
      other
        ? `the first row has no known column name; the file seems to be separated by "${other === '\t' ? 'tab' : other}": say so with --separator`
        : 'the first row must hold the column names (ID, Type, SKU, Name, …); for other names write a mapping with --guess',
    )
  } else if (!fields.has('sku') && !fields.has('id')) {
    problems.push('a column "SKU" or "ID" is needed: it says which product a row is about')
  }
  for (const [number, columns] of attributes) {
    if (!columns.name) problems.push(`column "Attribute ${number} name" is missing`)
  }
  if (problems.length > 0) return { ok: false, problems }
  return {
    ok: true,
    layout: {
      width: header.length,
      fields,
      attributes: inOrder(attributes),
      downloads: inOrder(downloads),
      meta,
      gramsPerUnit,
      millimetresPerUnit,
      ignored,
    },
  }
}

function entry<Value extends object>(map: Map<number, Value>, key: number): Value {
  const found = map.get(key)
  if (found) return found
  // Every member of the two types built here is optional.
  const made = {} as Value
  map.set(key, made)
  return made
}

function inOrder<Value>(map: ReadonlyMap<number, Value>): Value[] {
  return [...map].sort(([a], [b]) => a - b).map(([, value]) => value)
}
