import type { Kysely } from 'kysely'
import { dayText } from '#contract/import/product-csv-cells.ts'
import { csvLine } from '#contract/shared/csv-line.ts'
import { urls } from '#contract/shared/urls.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import { type ExportedProduct, exportLayout, exportPage } from '#database/import/export-rows.ts'
import { readShopMark } from '#database/import/shop-identifier.ts'
import { decimalString } from '#domain/money/format-amount.ts'
import { money } from '#domain/money/money.ts'
import type { Tools } from '../shared/tools.ts'

type Values = Readonly<Record<string, string>>
type Formats = {
  readonly currency: string
  readonly timeZone: string
  readonly publicUrl: string
  readonly mark: string
}

const productsAtOnce = 300
const published = { publish: '1', private: '0', draft: '-1', trash: '-1' } as const
const stockStatuses = { instock: '1', outofstock: '0', onbackorder: 'backorder' } as const
const backorders = { no: '0', notify: 'notify', yes: '1' } as const

/** Columns of the classic product file in its order, with those of this shop. */
const fixedColumns = [
  ...['Shop mark', 'ID', 'Type', 'SKU', 'GTIN, UPC, EAN, or ISBN', 'Name', 'Slug', 'Published', 'Is featured?'],
  ...['Visibility in catalog', 'Short description', 'Description', 'Date sale price starts', 'Date sale price ends'],
  ...['Tax status', 'Tax class', 'In stock?', 'Stock', 'Low stock amount', 'Backorders allowed?', 'Sold individually?'],
  ...['Keeps a way to pay?', 'Weight (kg)', 'Length (cm)', 'Width (cm)', 'Height (cm)', 'Allow customer reviews?'],
  ...[
    'Purchase note',
    'Sale price',
    'Regular price',
    'Categories',
    'Tags',
    'Shipping class',
    'Images',
    'Download limit',
  ],
  ...['Download expiry days', 'Parent', 'Grouped products', 'Upsells', 'Cross-sells', 'External URL', 'Button text'],
  ...['Position', 'Brands'],
]

/**
 * Yields the lines of a product file with everything of all products except those in the trash, in the format of the
 * classic export. An import of the unchanged file changes nothing; in another shop it creates the same products.
 */
export async function* exportAllColumns({
  db,
  settings: { currency, timeZone },
  publicUrl,
}: Pick<Tools, 'db' | 'settings' | 'publicUrl'>): AsyncGenerator<string> {
  const layout = await exportLayout(db.kysely)
  const formats = { currency, timeZone, publicUrl, mark: await readShopMark(db.kysely) }
  const columns = [
    ...fixedColumns,
    ...numbers(layout.attributes).flatMap((number) =>
      ['name', 'value(s)', 'visible', 'global', 'default'].map((part) => `Attribute ${number} ${part}`),
    ),
    ...numbers(layout.downloads).flatMap((number) => ['ID', 'name', 'URL'].map((part) => `Download ${number} ${part}`)),
    ...layout.metaKeys.map((key) => `Meta: ${key}`),
  ]
  yield csvLine(columns)
  for await (const product of allProducts(db.kysely)) {
    const values = valuesOf(product, formats)
    yield csvLine(columns.map((column) => values[column] ?? ''))
  }
}

async function* allProducts(db: Kysely<Schema>): AsyncGenerator<ExportedProduct> {
  for (let after = 0; ; ) {
    const page = await exportPage(db, after, productsAtOnce)
    yield* page
    const last = page.findLast(({ parent_id: parent }) => parent === null)
    if (!last) return
    after = last.id
  }
}

function valuesOf(product: ExportedProduct, { currency, timeZone, publicUrl, mark }: Formats): Values {
  const amount = (minor: number | null) => (minor === null ? '' : decimalString(money(minor, currency)))
  const day = (at: Date | null, edge: 'start' | 'end') => (at === null ? '' : dayText(at, edge, timeZone))
  const linked = (kind: string) =>
    list(product.links.filter((link) => link.kind === kind).map(({ id, name }) => (id === null ? name : `id:${id}`)))
  const { manage_stock: manage, type } = product
  return {
    'Shop mark': mark,
    ID: String(product.id),
    Type: [type, product.virtual ? 'virtual' : '', product.downloadable ? 'downloadable' : '']
      .filter(Boolean)
      .join(', '),
    SKU: product.sku ?? '',
    'GTIN, UPC, EAN, or ISBN': product.gtin,
    Name: asMarkup(product.name),
    Slug: type === 'variation' ? '' : product.slug,
    Published: published[product.status],
    'Is featured?': flag(product.featured),
    'Visibility in catalog': product.visibility,
    'Short description': withMarks(product.short_description),
    Description: withMarks(product.description),
    'Date sale price starts': day(product.sale_from, 'start'),
    'Date sale price ends': day(product.sale_to, 'end'),
    'Tax status': product.tax_status,
    'Tax class': product.tax_class,
    'In stock?': stockStatuses[product.stock_status],
    Stock: manage === 'yes' ? String(product.stock_quantity ?? 0) : manage === 'parent' ? 'parent' : '',
    'Low stock amount': product.low_stock_amount === null ? '' : String(product.low_stock_amount),
    'Backorders allowed?': backorders[product.backorders],
    'Sold individually?': flag(product.sold_individually),
    'Keeps a way to pay?': flag(product.keeps_method),
    'Weight (kg)': measure(product.weight_grams, 3),
    'Length (cm)': measure(product.length_mm, 1),
    'Width (cm)': measure(product.width_mm, 1),
    'Height (cm)': measure(product.height_mm, 1),
    'Allow customer reviews?': flag(product.reviews_allowed),
    'Purchase note': withMarks(product.purchase_note),
    'Sale price': amount(product.sale_price),
    'Regular price': amount(product.regular_price),
    Categories: paths(product.categories),
    Tags: list(product.tags.map(asMarkup)),
    'Shipping class': product.shipping_class,
    Images: list(product.images.map(({ hash, width }) => `${publicUrl}${urls.media(hash, width, 'webp')}`)),
    'Download limit': product.download_limit === null ? '' : String(product.download_limit),
    'Download expiry days': product.download_expiry_days === null ? '' : String(product.download_expiry_days),
    Parent: product.parent_id === null ? '' : `id:${product.parent_id}`,
    'Grouped products': linked('grouped'),
    Upsells: linked('upsell'),
    'Cross-sells': linked('crosssell'),
    'External URL': product.external_url,
    'Button text': product.button_text,
    Position: String(product.menu_order),
    Brands: paths(product.brands),
    ...Object.fromEntries(
      product.attributes.flatMap(({ name, values, visible, global, preset }, index) => [
        [`Attribute ${index + 1} name`, asMarkup(name)],
        [`Attribute ${index + 1} value(s)`, list(values.map(asMarkup))],
        [`Attribute ${index + 1} visible`, flag(visible)],
        [`Attribute ${index + 1} global`, flag(global)],
        [`Attribute ${index + 1} default`, asMarkup(preset)],
      ]),
    ),
    ...Object.fromEntries(
      product.downloads.flatMap(({ id, name, url }, index) => [
        [`Download ${index + 1} ID`, id],
        [`Download ${index + 1} name`, name],
        [`Download ${index + 1} URL`, url],
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(product.meta).map(([key, value]) => [
        `Meta: ${key}`,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    ),
  }
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
const flag = (value: boolean) => (value ? '1' : '0')
const list = (parts: readonly string[]) => parts.map((part) => part.replaceAll(',', '\\,')).join(', ')
const paths = (terms: readonly string[][]) => list(terms.map((path) => path.map(inPath).join(' > ')))
const inPath = (name: string) => asMarkup(name).replaceAll('>', '&gt;')

/** Writes a backslash before the letter n so that the import does not read it as a line break. */
const withMarks = (text: string) => text.replaceAll('\\n', '\\\\n')

/** Formats a measure in small units with so many decimals: 450 grams are 0.45. */
function measure(small: number | null, decimals: number): string {
  if (small === null) return ''
  const digits = String(small).padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`.replace(/\.?0+$/, '')
}

/** Escapes a name that looks like markup: the import reads names as markup, like the classic shop. */
export function asMarkup(name: string): string {
  return name.replace(/&(?=(amp|lt|gt|quot|#0?39);)/g, '&amp;')
}
