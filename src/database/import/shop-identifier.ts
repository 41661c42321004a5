import type { Kysely } from 'kysely'
import type { Schema } from '../engine/schema/schema.ts'

/** Returns the identifier of this shop: product files that contain it use this shop's IDs. */
export async function readShopMark(db: Kysely<Schema>): Promise<string> {
  const { mark } = await db.selectFrom('shop_mark').select('mark').executeTakeFirstOrThrow()
  return mark
}
