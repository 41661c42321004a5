import type { Database } from '../engine/connect.ts'

/** Returns which of these products are children of a grouped product; null when the product is not a grouped one. */
export async function findGroupChildren(
  { sql }: Pick<Database, 'sql'>,
  groupId: number,
  ids: readonly number[],
): Promise<ReadonlySet<number> | null> {
  const [group] = await sql<{ children: number[] }[]>`
    select coalesce(array_agg(link.linked_id) filter (where link.linked_id is not null), '{}') as children
    from products p left join product_links link on link.product_id = p.id and link.kind = 'grouped'
      and link.linked_id = any((select ${[...ids]}::bigint[])::bigint[])
    where p.id = ${groupId}::bigint and p.type = 'grouped' group by p.id`
  return group ? new Set(group.children.map(Number)) : null
}
