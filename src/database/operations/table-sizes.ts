import type { Database } from '../engine/connect.ts'

/** Returns the sizes of the shop's tables with their indexes, in bytes; partitions count for their table. */
export async function tableSizes({ sql }: Pick<Database, 'sql'>): Promise<Readonly<Record<string, number>>> {
  const rows = await sql<{ name: string; bytes: number }[]>`
    select c.relname as name, coalesce((
        select sum(pg_total_relation_size(relid)) from pg_partition_tree(c.oid) where isleaf
      ), pg_total_relation_size(c.oid))::bigint as bytes
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition order by 1`
  return Object.fromEntries(rows.map(({ name, bytes }) => [name, bytes]))
}
