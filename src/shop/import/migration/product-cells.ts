import { dayText } from '#contract/import/product-csv-cells.ts'
import type { SourceProduct, SourceVariation } from '#contract/import/source/source-products.ts'
import { listCell, nameCell, pathCell, plainName, plainSlug, textCell } from './cell-text.ts'
import { roundedAmount } from './source-amount.ts'
import type { StagedProduct } from './staged-products.ts'

export type ProductFacts = {
  readonly decimals: number
  /** IANA name of this shop's time zone. */
  readonly timeZone: string
  /** Units of the other shop's measures: `kg`, `cm`. */
  readonly weightUnit: string
  readonly sizeUnit: string
  /** Paths of categories from the top, by ID. */
  readonly categoryPaths: ReadonlyMap<number, readonly string[]>
  /** Names of attribute terms by `attribute ID:slug`: presets of shop-wide attributes are slugs. */
  readonly termNames: ReadonlyMap<string, string>
  /** Reports a difference of the record. */
  readonly differs: (text: string) => void
}

const types: ReadonlySet<string> = new Set(['simple', 'variable', 'grouped', 'external'])

/** Returns true for a type of product that exists here. */
export const isKnownType = (type: string) => types.has(type)

const noLinks = { grouped: [], upsells: [], crosssells: [] }

/** Converts a product to the cells of a product file. */
export function stagedProduct(product: SourceProduct, facts: ProductFacts): StagedProduct {
  const name = plainName(product.name).slice(0, 500) || `Product ${product.id}`
  const kind = product.type === 'variable' || product.type === 'grouped' ? null : product
  if (kind && product.regular_price === '' && product.sale_price === '')
    facts.differs('has no price and cannot be bought')
  return {
    id: product.id,
    parent: null,
    type: product.type,
    sku: product.sku.slice(0, 200),
    name,
    cells: {
      ...goodsCells(product, facts),
      Type: typeCell(product.type, product),
      Name: nameCell(name),
      Slug: plainSlug(product.slug),
      Published: statusCell(product.status, facts),
      'Is featured?': digit(product.featured),
      'Visibility in catalog': product.catalog_visibility || 'visible',
      'Short description': textCell(product.short_description),
      'Sold individually?': digit(product.sold_individually),
      'Allow customer reviews?': digit(product.reviews_allowed),
      'Purchase note': textCell(product.purchase_note),
      Categories: categoriesCell(product, facts),
      Tags: listCell(product.tags.map((tag) => plainName(tag.name))),
      'External URL': product.type === 'external' ? product.external_url : '',
      'Button text': product.type === 'external' ? product.button_text.trim() : '',
      ...attributeCells(product, facts),
      ...metaCells(product, facts),
    },
    images: addresses(product.images.map(({ src }) => src)),
    downloads: downloadsOf(product),
    brands: product.brands.map(({ id }) => id),
    links: { grouped: product.grouped_products, upsells: product.upsell_ids, crosssells: product.cross_sell_ids },
  }
}

/**
 * Converts a variation of a product to the cells of a product file.
 * @param attributes of its product: the interface leaves out those of which the variation fits any value
 */
export function stagedVariation(
  parent: StagedProduct,
  attributes: SourceProduct['attributes'],
  variation: SourceVariation,
  facts: ProductFacts,
): StagedProduct {
  const values = variation.attributes.map(({ option }) => plainName(option)).filter((value) => value !== '')
  const own = plainName(variation.name)
  // The classic shop names a variation by its values only.
  const name = own.includes(parent.name) ? own : [parent.name, own || values.join(', ')].filter(Boolean).join(' - ')
  if (variation.regular_price === '' && variation.sale_price === '') facts.differs('has no price and cannot be bought')
  return {
    id: variation.id,
    parent: parent.id,
    type: 'variation',
    sku: variation.sku.slice(0, 200),
    name: name.slice(0, 500),
    cells: {
      ...goodsCells(variation, facts),
      Type: typeCell('variation', variation),
      Name: nameCell(name.slice(0, 500)),
      Published: statusCell(variation.status, facts),
      ...choiceCells(variation, attributes),
      ...metaCells(variation, facts),
    },
    images: addresses(variation.image ? [variation.image.src] : []),
    downloads: downloadsOf(variation),
    brands: [],
    links: noLinks,
  }
}

const digit = (flag: boolean) => (flag ? '1' : '0')

function typeCell(type: string, { virtual, downloadable }: Pick<SourceVariation, 'virtual' | 'downloadable'>): string {
  return [type, virtual ? 'virtual' : '', downloadable ? 'downloadable' : ''].filter(Boolean).join(', ')
}

function statusCell(status: string, { differs }: ProductFacts): string {
  if (status === 'publish' || status === '') return '1'
  if (status === 'private') return '0'
  if (status === 'future') differs('is scheduled for a later day and comes as a draft')
  return '-1'
}

function goodsCells(goods: SourceProduct | SourceVariation, facts: ProductFacts): Record<string, string> {
  const regular = amountCell('regular price', goods.regular_price, facts)
  const sale = amountCell('sale price', goods.sale_price, facts)
  const isSale = sale !== '' && regular !== '' && Number(sale) < Number(regular)
  if (sale !== '' && !isSale)
    facts.differs(`the sale price ${sale} is not below the regular price ${regular || '(none)'} and is left out`)
  const backorders = goods.backorders === 'yes' ? '1' : goods.backorders === 'notify' ? 'notify' : '0'
  return {
    'GTIN, UPC, EAN, or ISBN': goods.global_unique_id.slice(0, 100),
    Description: textCell(goods.description),
    'Regular price': regular,
    'Sale price': isSale ? sale : '',
    ...saleDates(goods, isSale, facts),
    'Tax status': goods.tax_status || 'taxable',
    'Tax class': goods.tax_class,
    'In stock?': goods.stock_status === 'outofstock' ? '0' : goods.stock_status === 'onbackorder' ? 'backorder' : '1',
    Stock: stockCell(goods, backorders === '0', facts),
    'Low stock amount': goods.low_stock_amount === null ? '' : String(Math.max(0, goods.low_stock_amount)),
    'Backorders allowed?': backorders,
    [`Weight (${facts.weightUnit})`]: measureCell('weight', goods.weight, facts),
    [`Length (${facts.sizeUnit})`]: measureCell('length', goods.dimensions.length, facts),
    [`Width (${facts.sizeUnit})`]: measureCell('width', goods.dimensions.width, facts),
    [`Height (${facts.sizeUnit})`]: measureCell('height', goods.dimensions.height, facts),
    'Shipping class': goods.shipping_class,
    'Download limit': limitCell(goods.download_limit),
    'Download expiry days': limitCell(goods.download_expiry),
    Position: String(goods.menu_order ?? 0),
  }
}

function amountCell(what: string, text: string, { decimals, differs }: ProductFacts): string {
  if (text === '') return ''
  const amount = roundedAmount(text, decimals)
  if (amount?.rounded) differs(`the ${what} ${text} has more decimals than the currency and becomes ${amount.text}`)
  // A text that is no amount becomes a fault of the row.
  return amount?.text ?? text
}

/** A sale that ended before it began has no days here: the importer would reject the row. */
function saleDates(
  { date_on_sale_from_gmt: from, date_on_sale_to_gmt: to }: SourceProduct | SourceVariation,
  isSale: boolean,
  { timeZone, differs }: ProductFacts,
): Record<string, string> {
  if (!isSale) return {}
  if (from && to && from > to) {
    differs('the sale ends before it starts: its days are left out')
    return {}
  }
  return {
    'Date sale price starts': from ? dayText(from, 'start', timeZone) : '',
    'Date sale price ends': to ? dayText(to, 'end', timeZone) : '',
  }
}

function stockCell(
  { manage_stock: managed, stock_quantity: quantity }: SourceProduct | SourceVariation,
  noBackorders: boolean,
  { differs }: ProductFacts,
): string {
  if (managed === 'parent') return 'parent'
  if (!managed) return ''
  if (noBackorders && (quantity ?? 0) < 0) {
    differs(`the stock ${quantity} becomes 0: backorders are not allowed`)
    return '0'
  }
  return String(quantity ?? 0)
}

function measureCell(what: string, text: string, { differs }: ProductFacts): string {
  const plain = text.replace(',', '.')
  if (plain === '' || /^\d{1,9}(\.\d{1,9})?$/.test(plain)) return plain
  differs(`the ${what} "${text.slice(0, 40)}" is not a number and is left out`)
  return ''
}

const limitCell = (limit: number | null) => (limit === null || limit < 0 ? '' : String(limit))

function categoriesCell({ categories }: SourceProduct, { categoryPaths }: ProductFacts): string {
  return categories.map(({ id, name }) => pathCell(categoryPaths.get(id) ?? [plainName(name)])).join(', ')
}

function attributeCells({ attributes, default_attributes: presets }: SourceProduct, facts: ProductFacts) {
  const cells: Record<string, string> = {}
  for (const [index, { id, name, visible, options }] of attributes.entries()) {
    const values = options.map(plainName).filter((value) => value !== '')
    const preset = presets.find((one) => (id ? one.id === id : one.name.toLowerCase() === name.toLowerCase()))
    const chosen = preset ? plainName(facts.termNames.get(`${id}:${preset.option}`) ?? preset.option) : ''
    const isValue = values.some((value) => value.toLowerCase() === chosen.toLowerCase())
    if (chosen !== '' && !isValue)
      facts.differs(`the preset "${chosen}" of ${name} is not among its values and is left out`)
    const column = `Attribute ${index + 1}`
    cells[`${column} name`] = nameCell(plainName(name))
    cells[`${column} value(s)`] = listCell(values)
    cells[`${column} visible`] = digit(visible)
    cells[`${column} global`] = digit((id ?? 0) > 0)
    cells[`${column} default`] = isValue ? nameCell(chosen) : ''
  }
  return cells
}

function choiceCells(
  { attributes: chosen }: SourceVariation,
  ofProduct: SourceProduct['attributes'],
): Record<string, string> {
  const key = ({ id, name }: { readonly id: number | null; readonly name: string }) => id || name.toLowerCase()
  const fixed = new Set(chosen.map(key))
  const open = ofProduct.filter((attribute) => attribute.variation && !fixed.has(key(attribute)))
  const cells: Record<string, string> = {}
  for (const [index, { id, name, option }] of [...chosen, ...open.map((one) => ({ ...one, option: '' }))].entries()) {
    cells[`Attribute ${index + 1} name`] = nameCell(plainName(name))
    cells[`Attribute ${index + 1} value(s)`] = listCell([plainName(option)].filter((value) => value !== ''))
    cells[`Attribute ${index + 1} global`] = digit((id ?? 0) > 0)
  }
  return cells
}

const longestMeta = 20_000
const forbiddenMeta = new Set(['__proto__', 'constructor', 'prototype'])

/** Keeps custom fields with a plain value. Fields with an underscore are internal to a plug-in. */
function metaCells({ meta_data: meta }: SourceProduct | SourceVariation, { differs }: ProductFacts) {
  const cells: Record<string, string> = {}
  for (const { key, value } of meta) {
    const plain = typeof value === 'string' || typeof value === 'number' ? String(value) : null
    const name = key.trim()
    if (name.startsWith('_') || name === '' || value === '' || value === null) continue
    if (plain === null || plain.length > longestMeta || name.length > 100 || forbiddenMeta.has(name.toLowerCase()))
      differs(`the custom field "${name.slice(0, 60)}" is no plain text and does not come`)
    else cells[`Meta: ${name}`] = plain.replaceAll('\0', '')
  }
  return cells
}

function downloadsOf({ downloads }: SourceProduct | SourceVariation): StagedProduct['downloads'] {
  return downloads.flatMap(({ id, name, file }) => (file === '' ? [] : [{ id, name: name.trim(), url: file }]))
}

const addresses = (list: readonly string[]) => [...new Set(list.filter((address) => address !== ''))]
