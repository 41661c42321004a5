import { type Kysely, sql } from 'kysely'
import { listOf } from '../engine/array-parameter.ts'
import type { Schema } from '../engine/schema/schema.ts'

/** Finds products and variations by id or SKU, for the lines of an order; unknown ones and the trash are left out. */
export async function findProductsByReference(
  db: Kysely<Schema>,
  { ids, skus }: { ids: readonly number[]; skus: readonly string[] },
): Promise<{ id: number; sku: string | null }[]> {
  const { rows } = await sql<{ id: number; sku: string | null }>`
    select id, sku from products
    where (id = any(${listOf([...ids], 'bigint')}) or sku = any(${listOf([...skus], 'text')})) and status <> 'trash'`.execute(
    db,
  )
  return rows
}
