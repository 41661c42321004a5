import type { V3ProductInput } from '#contract/catalog/v3-products.ts'
import type { ImageInput, SellableInput } from '#contract/catalog/v3-shapes.ts'
import type { V3VariationInput } from '#contract/catalog/v3-variations.ts'
import { type CellResult, measureIn, priceIn, slugOf, taxClassIn } from '#contract/import/product-csv-cells.ts'
import type { ProductRow, RowRules, RowType } from '#contract/import/product-csv-row.ts'
import { momentIn } from '#contract/shared/rest-moment.ts'

/** A product as a program writes it: its columns in the form of a file's row, and its relations. */
export type ProductDraft = {
  readonly row: ProductRow
  /** Absent: the existing product's. */
  readonly type: RowType | undefined
  readonly toTrash: boolean
  readonly slug?: string | undefined
  readonly createdAt?: Date | undefined
  /** Null removes a key. */
  readonly meta?: ReadonlyMap<string, unknown> | undefined
  readonly categories?: readonly number[] | undefined
  readonly tags?: readonly number[] | undefined
  readonly brands?: readonly number[] | undefined
  readonly upsells?: readonly number[] | undefined
  readonly crosssells?: readonly number[] | undefined
  readonly grouped?: readonly number[] | undefined
  readonly images?: readonly ImageInput[] | undefined
  readonly attributes?: NonNullable<V3ProductInput['attributes']> | undefined
  readonly defaults?: NonNullable<V3ProductInput['default_attributes']> | undefined
  /** The fixed values of a variation. */
  readonly chosen?: NonNullable<V3VariationInput['attributes']> | undefined
  /** The wished stock; what of it holds depends on the existing product. */
  readonly stock: { readonly manage?: boolean | 'parent' | undefined; readonly quantity?: number | null | undefined }
}

export type DraftFault = { readonly name: string; readonly problem: string }

const gramsPerUnit = 1000
const millimetresPerUnit = 10

/** Reads the input of a product. Faults name its parameters; a draft with any of them must not be used. */
export function productDraft(input: V3ProductInput, rules: RowRules): { draft: ProductDraft; faults: DraftFault[] } {
  const { row, faults } = sellableRow(input, rules)
  const created = momentOf(input.date_created, input.date_created_gmt, rules.timeZone, 'start')
  const idsOf = (list: readonly { id: number }[] | undefined) => list && [...new Set(list.map(({ id }) => id))]
  const unique = (ids: readonly number[] | undefined) => ids && [...new Set(ids)]
  Object.assign(
    row,
    present({
      name: input.name,
      status: statusOf(input.status),
      featured: input.featured,
      visibility: input.catalog_visibility,
      shortDescription: input.short_description,
      externalUrl: input.external_url,
      buttonText: input.button_text,
      soldIndividually: input.sold_individually,
      reviewsAllowed: input.reviews_allowed,
      purchaseNote: input.purchase_note,
    }),
  )
  const draft: ProductDraft = {
    row,
    type: input.type,
    toTrash: input.status === 'trash',
    slug: input.slug,
    createdAt: created ?? undefined,
    meta: metaOf(input),
    categories: idsOf(input.categories),
    tags: idsOf(input.tags),
    brands: idsOf(input.brands),
    upsells: unique(input.upsell_ids),
    crosssells: unique(input.cross_sell_ids),
    grouped: unique(input.grouped_products),
    images: input.images,
    attributes: input.attributes,
    defaults: input.default_attributes,
    stock: { manage: input.manage_stock, quantity: input.stock_quantity },
  }
  return { draft, faults }
}

/** Reads the input of a variation. */
export function variationDraft(input: V3VariationInput, rules: RowRules) {
  const { row, faults } = sellableRow(input, rules)
  Object.assign(row, present({ status: statusOf(input.status), parent: { id: input.product_id } }))
  const { image } = input
  const draft: ProductDraft = {
    row,
    type: 'variation',
    toTrash: input.status === 'trash',
    meta: metaOf(input),
    // An empty image means none, too.
    images: image === undefined ? undefined : image?.id || image?.src ? [image] : [],
    chosen: input.attributes,
    stock: { manage: input.manage_stock, quantity: input.stock_quantity },
  }
  return { draft, faults }
}

/** Reads the members that products and variations share, by the rules of a product file. */
function sellableRow(input: SellableInput, rules: RowRules): { row: ProductRow; faults: DraftFault[] } {
  const faults: DraftFault[] = []
  function read<Value>(name: string, text: string | undefined, reader: (text: string) => CellResult<Value>) {
    if (text === undefined) return undefined
    if (text === '') return null
    const result = reader(text)
    if ('value' in result) return result.value
    faults.push({ name, problem: result.problem })
    return undefined
  }
  const price = (text: string) => priceIn(text, rules.decimals)
  const size = (text: string) => measureIn(text, millimetresPerUnit)
  const taxClass = (text: string): CellResult<string> =>
    text === 'parent' ? { value: '' } : taxClassIn(text, rules.taxClasses)
  const taxed = read('tax_class', input.tax_class, taxClass)
  const { length, width, height } = input.dimensions ?? {}
  const row: ProductRow = present({
    sku: input.sku === undefined ? undefined : input.sku || null,
    gtin: input.global_unique_id,
    description: input.description,
    regularPrice: read('regular_price', input.regular_price, price),
    salePrice: read('sale_price', input.sale_price, price),
    saleFrom: momentOf(input.date_on_sale_from, input.date_on_sale_from_gmt, rules.timeZone, 'start'),
    saleTo: momentOf(input.date_on_sale_to, input.date_on_sale_to_gmt, rules.timeZone, 'end'),
    virtual: input.virtual,
    downloadable: input.downloadable,
    downloadLimit: limitOf(input.download_limit),
    downloadExpiryDays: limitOf(input.download_expiry),
    taxStatus: input.tax_status,
    taxClass: taxed === null ? '' : taxed,
    stockStatus: input.stock_status,
    backorders: input.backorders,
    lowStockAmount: input.low_stock_amount,
    weightGrams: read('weight', input.weight, (text) => measureIn(text, gramsPerUnit)),
    lengthMm: read('dimensions.length', length, size),
    widthMm: read('dimensions.width', width, size),
    heightMm: read('dimensions.height', height, size),
    shippingClass: input.shipping_class === undefined ? undefined : slugOf(input.shipping_class),
    position: input.menu_order,
    downloads: input.downloads?.map(({ id = '', name = '', file }) => ({ id, name, url: file, column: 'downloads' })),
  })
  return { row, faults }
}

/** Removes absent members: null is a value, an absent member none. */
function present<Given extends object>(given: Given): { [Key in keyof Given]?: Exclude<Given[Key], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    // Only undefined members were removed.
    [Key in keyof Given]?: Exclude<Given[Key], undefined>
  }
}

/** In the interface, -1 means no limit. */
const limitOf = (limit: number | null | undefined) => (typeof limit === 'number' && limit < 0 ? null : limit)

/** UTC takes precedence where a program sends both. */
function momentOf(
  local: string | null | undefined,
  utc: string | null | undefined,
  timeZone: string,
  edge: 'start' | 'end',
): Date | null | undefined {
  if (local === undefined && utc === undefined) return undefined
  if (utc) return momentIn(utc, 'UTC', edge)
  return local ? momentIn(local, timeZone, edge) : null
}

function statusOf(status: V3ProductInput['status']): ProductRow['status'] {
  if (status === undefined || status === 'trash') return undefined
  return status === 'publish' || status === 'private' ? status : 'draft'
}

function metaOf({ meta_data: given }: Pick<SellableInput, 'meta_data'>): ReadonlyMap<string, unknown> | undefined {
  return given && new Map(given.map(({ key, value }) => [key, value ?? null]))
}
