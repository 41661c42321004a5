import type { Database } from '#database/engine/connect.ts'

/** What stands in every table, as one digest each, and how many rows. Sessions are left out by id. */
export async function everythingStored(
  { sql }: Database,
  without: readonly string[] = [],
): Promise<Record<string, string>> {
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`
  const all: Record<string, string> = {}
  for (const { name } of tables) {
    const kept =
      name === 'sessions'
        ? sql`where not (id = any(${[...without]}))`
        : // When the minute job has last run is nobody's request's doing.
          name === 'settings'
          ? sql`where key <> 'lastMinute'`
          : sql``
    const [row] = await sql<{ rows: number; digest: string }[]>`
      select count(*)::int as rows, md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as digest
      from ${sql(name)} t ${kept}`
    all[name] = `${row?.rows} rows, ${row?.digest}`
  }
  return all
}
