import { type RawBuilder, sql } from 'kysely'

const lists = { bigint: sql`bigint[]`, int: sql`int[]`, text: sql`text[]`, timestamptz: sql`timestamptz[]` }

/**
 * A list for `any(…)` and `unnest(…)` whose length the planner does not see. Of a list that stands in a statement by itself
 * PostgreSQL knows each time how short it is, finds that cheaper than the plan for any length, and plans a prepared statement
 * anew for every call, which takes as long as carrying it out.
 */
export function listOf(values: readonly unknown[], type: keyof typeof lists): RawBuilder<unknown> {
  const list = lists[type]
  return sql`(select ${[...values]}::${list})::${list}`
}

/** The same of what each row has in one place; null where it has nothing there. */
export function columnOf<Row>(
  rows: readonly Row[],
  of: (row: Row) => unknown,
  type: Parameters<typeof listOf>[1],
): RawBuilder<unknown> {
  return listOf(
    rows.map((row) => of(row) ?? null),
    type,
  )
}
