import type { Statements } from '../engine/driver/sql.ts'

/** The erasures of a shop from its access log: `customer:<id>` or `order:<id>`, oldest first. */
export type Erasures = {
  readonly entries: readonly { at: Date; who: string; subject: string }[]
  /** Values unique to this shop, which identify another database as a copy of it. */
  readonly marks: ReadonlySet<string>
}

/** Returns the erasures since a moment; none if the database has no shop, or one without an access log. */
export async function erasuresSince(sql: Statements, since: Date): Promise<Erasures> {
  const [found] = await sql<{ there: boolean }[]>`
    select to_regclass('public.access_log') is not null and to_regclass('public.orders') is not null as there`
  if (!found?.there) return { entries: [], marks: new Set() }
  const entries = await sql<{ at: Date; who: string; subject: string }[]>`
    select at, who, subject from access_log
    where action = 'erased' and at >= ${since} and subject ~ '^(customer|order):[0-9]+$' order by id`
  return { entries, marks: await marksOf(sql) }
}

/** Checks whether a database is a copy of the shop with these marks. */
export async function sameShop(sql: Statements, marks: ReadonlySet<string>): Promise<boolean> {
  return [...(await marksOf(sql))].some((mark) => marks.has(mark))
}

/**
 * Order keys are random, and no two shops have accounts created in the same microsecond. The oldest are in every
 * backup.
 */
async function marksOf(sql: Statements): Promise<Set<string>> {
  const rows = await sql<{ mark: string }[]>`
    (select 'order:' || id || ':' || key as mark from orders order by id limit 1000)
    union all
    (select 'customer:' || id || ':' || extract(epoch from created_at)::text from customers order by id limit 1000)`
  return new Set(rows.map(({ mark }) => mark))
}
