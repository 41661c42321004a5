import type { Sql } from '../engine/driver/sql.ts'

/** Returns the ids of the cross-sells of these products, without the products themselves; the most linked first. */
export async function crossSellIds(sql: Sql, productIds: readonly number[], limit: number): Promise<number[]> {
  if (productIds.length === 0) return []
  const rows = await sql<{ id: number }[]>`
    select l.linked_id as id from product_links l join products p on p.id = l.linked_id
    where l.kind = 'crosssell' and l.product_id = any(${[...productIds]}::bigint[])
      and l.linked_id <> all(${[...productIds]}::bigint[])
      and p.status = 'publish' and p.visibility in ('visible', 'catalog') and p.stock_status <> 'outofstock'
    group by l.linked_id order by count(*) desc, min(l.position), l.linked_id limit ${limit}`
  return rows.map(({ id }) => id)
}

type KnownIds = { version: number; readonly ids: Map<string, Promise<number[]>> }
const known = new WeakMap<Sql, KnownIds>()
const mostKnown = 1_000

/** Like `crossSellIds`, read once per catalog version. @param version the current one */
export function crossSellIdsAt(
  sql: Sql,
  version: number,
  productIds: readonly number[],
  limit: number,
): Promise<number[]> {
  const memory = known.get(sql) ?? { version, ids: new Map() }
  known.set(sql, memory)
  if (memory.version !== version || memory.ids.size > mostKnown) {
    memory.version = version
    memory.ids.clear()
  }
  const key = `${limit} ${[...productIds].sort((a, b) => a - b).join()}`
  const read = memory.ids.get(key) ?? crossSellIds(sql, productIds, limit)
  memory.ids.set(key, read)
  // A failure must not be cached.
  read.catch(() => memory.ids.delete(key))
  return read
}
