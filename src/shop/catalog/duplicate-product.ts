import { sql, type Transaction } from 'kysely'
import { catalogChanged } from '#database/catalog/catalog-version.ts'
import { deriveColumns } from '#database/catalog/derived-columns.ts'
import { copyRelations, findProductRows, findVariationIds } from '#database/catalog/product-changes.ts'
import { findProducts, insertProducts, newProductIds, recordStockCounts } from '#database/catalog/write-products.ts'
import { advisoryLocks } from '#database/engine/advisory-locks.ts'
import { transaction } from '#database/engine/connect.ts'
import type { Row, Schema } from '#database/engine/schema/schema.ts'
import { newColumns, productColumnNames } from '../import/product-columns.ts'
import { freeProductSlugs } from '../import/product-slugs.ts'
import { termFinder } from '../import/product-terms.ts'
import type { Tools } from '../shared/tools.ts'

type Tx = Transaction<Schema>

/**
 * Copies a product with its variations and relations, as a draft with SKUs of its own. Sales and reviews stay with the
 * original.
 * @returns the id of the copy; null: there is no such product
 */
export async function duplicateProduct(
  tools: Pick<Tools, 'db' | 'clock' | 'chance' | 'settings'>,
  id: number,
): Promise<number | null> {
  const now = tools.clock.now()
  const { wantedSlug } = termFinder(tools.settings.language)
  return transaction(tools, async (tx) => {
    await sql`select pg_advisory_xact_lock(${advisoryLocks.productImport})`.execute(tx)
    const [product] = await findProductRows(tx, [id])
    if (!product || product.type === 'variation') return null
    const name = `${product.name} (Copy)`
    const copy = await copyRow(tx, { ...product, name, status: 'draft' }, null, wantedSlug(name), now)
    const rows = new Map((await findProductRows(tx, await findVariationIds(tx, id))).map((row) => [row.id, row]))
    for (const variation of await findVariationIds(tx, id)) {
      const row = rows.get(variation)
      if (row) await copyRow(tx, { ...row, name: row.name.replace(product.name, name) }, copy, '', now)
    }
    await catalogChanged(tx, await deriveColumns(tx, [copy], now))
    return copy
  })
}

async function copyRow(
  tx: Tx,
  row: Row<'products'>,
  parentId: number | null,
  wanted: string,
  now: Date,
): Promise<number> {
  const [id = 0] = await newProductIds(tx, 1)
  const slug = (await freeProductSlugs(tx, [{ id, type: row.type, wanted }])).get(id) ?? `product-${id}`
  const columns = Object.fromEntries(productColumnNames.map((column) => [column, row[column]]))
  const sku = row.sku === null ? null : await freeSku(tx, row.sku)
  await insertProducts(tx, [{ ...newColumns(columns), id, slug, sku, parent_id: parentId, imported_id: null }], now)
  if (row.manage_stock === 'yes' && row.stock_quantity)
    await recordStockCounts(tx, [{ productId: id, change: row.stock_quantity }], now)
  await copyRelations(tx, row.id, id)
  return id
}

/** Returns the SKU with the first free number: `MUG-1`. */
async function freeSku(tx: Tx, sku: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const wanted = `${sku}-${number}`
    if ((await findProducts(tx, [wanted], [])).length === 0) return wanted
  }
}
