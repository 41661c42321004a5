import type { Transaction } from 'kysely'
import { catalogChanged } from '#database/catalog/catalog-version.ts'
import { deriveColumns } from '#database/catalog/derived-columns.ts'
import { deleteProductRow } from '#database/catalog/product-changes.ts'
import { findProducts, updateProducts } from '#database/catalog/write-products.ts'
import { transaction } from '#database/engine/connect.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import type { Tools } from '../shared/tools.ts'

type DeleteTools = Pick<Tools, 'db' | 'clock' | 'chance'>

/** Moves a product or variation to the trash; a change of its status restores it. @returns whether it exists */
export async function trashProduct(tools: DeleteTools, id: number): Promise<boolean> {
  const now = tools.clock.now()
  return transaction(tools, async (tx) => {
    if (!(await lock(tx, id))) return false
    const changed = await updateProducts(tx, [{ id, status: 'trash' }], now)
    if (changed.length > 0) await catalogChanged(tx, await deriveColumns(tx, changed, now))
    return true
  })
}

/**
 * Deletes a product permanently, with its variations and reviews. Orders keep their lines, without a link to it. Prices
 * and stock of its product and of groups with it follow.
 * @returns whether it existed
 */
export async function deleteProduct(tools: DeleteTools, id: number): Promise<boolean> {
  const now = tools.clock.now()
  return transaction(tools, async (tx) => {
    if (!(await lock(tx, id))) return false
    const affected = await deriveColumns(tx, [id], now)
    await deleteProductRow(tx, id)
    const others = await deriveColumns(
      tx,
      affected.filter((page) => page !== id),
      now,
    )
    await catalogChanged(tx, [...affected, ...others])
    return true
  })
}

async function lock(tx: Transaction<Schema>, id: number): Promise<boolean> {
  return (await findProducts(tx, [], [id], { lock: true })).length > 0
}
