import { csvLine } from '#contract/shared/csv-line.ts'
import { listDeskProducts } from '#database/catalog/desk-products.ts'
import { readShopMark } from '#database/import/shop-identifier.ts'
import { decimalString } from '#domain/money/format-amount.ts'
import { money } from '#domain/money/money.ts'
import type { Tools } from '../shared/tools.ts'
import { asMarkup } from './export-all-columns.ts'

const columns = ['Shop mark', 'ID', 'SKU', 'Name', 'Published', 'Regular price', 'Sale price']
const published = { publish: '1', private: '0', draft: '-1', trash: '-1' } as const
const productsAtOnce = 1000

/**
 * Yields the lines of a product file of this shop: all products and variations except those in the trash. Each row has
 * the mark by which the import recognizes its ID. Stock is left out: an import would undo sales made meanwhile.
 */
export async function* exportProducts({
  db,
  settings,
  clock,
}: Pick<Tools, 'db' | 'settings' | 'clock'>): AsyncGenerator<string> {
  const mark = await readShopMark(db.kysely)
  const amount = (minor: number | null) => (minor === null ? '' : decimalString(money(minor, settings.currency)))
  yield csvLine(columns)
  for (let offset = 0; ; offset += productsAtOnce) {
    const page = { sort: 'name', limit: productsAtOnce, offset } as const
    const { products } = await listDeskProducts(db.kysely, { variations: true }, page, clock.now())
    for (const { id, sku, name, status, regular_price: regular, sale_price: sale } of products) {
      yield csvLine([mark, String(id), sku ?? '', asMarkup(name), published[status], amount(regular), amount(sale)])
    }
    if (products.length < productsAtOnce) return
  }
}
