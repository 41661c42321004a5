import { type RawBuilder, sql } from 'kysely'

const lists = { bigint: sql`bigint[]`, int: sql`int[]`, text: sql`text[]`, timestamptz: sql`timestamptz[]` }

/**
 * Returns a list for `any(…)` and `unnest(…)` whose length the planner does not see. With a visible short list,
 * PostgreSQL estimates a custom plan cheaper than the generic one, and plans a prepared statement again for every call,
 * which takes as long as its execution.
 */
export function listOf(values: readonly unknown[], type: keyof typeof lists): RawBuilder<unknown> {
  const list = lists[type]
  return sql`(select ${[...values]}::${list})::${list}`
}

/** Returns such a list of one value per row; null where a row has none. */
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
