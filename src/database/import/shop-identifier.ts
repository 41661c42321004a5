import type { Kysely } from 'kysely'
import type { Schema } from '../engine/schema/schema.ts'

/** The mark of this shop: a row of a product file that carries it has IDs of this shop. */
export async function readShopMark(db: Kysely<Schema>): Promise<string> {
  const { mark } = await db.selectFrom('shop_mark').select('mark').executeTakeFirstOrThrow()
  return mark
}
