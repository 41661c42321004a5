import type { Kysely } from 'kysely'
import type { Schema } from '../engine/schema/schema.ts'

/** Returns the names of products, categories and tags by kind and id, `product:12`. Deleted ones are left out. */
export async function titlesByKind(
  db: Kysely<Schema>,
  ids: { readonly product: readonly number[]; readonly category: readonly number[]; readonly tag: readonly number[] },
): Promise<ReadonlyMap<string, string>> {
  const named = (kind: keyof typeof ids, table: 'products' | 'categories' | 'tags') =>
    ids[kind].length === 0
      ? []
      : db
          .selectFrom(table)
          .select(['id', 'name'])
          .where('id', 'in', ids[kind])
          .execute()
          .then((rows) => rows.map(({ id, name }) => [`${kind}:${id}`, name] as const))
  const all = await Promise.all([named('product', 'products'), named('category', 'categories'), named('tag', 'tags')])
  return new Map(all.flat())
}
