import type { ISql as Statements } from 'postgres'

/** What was erased in a shop, by its log of accesses: `customer:<id>` or `order:<id>`, the first first. */
export type Erasures = {
  readonly entries: readonly { at: Date; who: string; subject: string }[]
  /** What this shop alone has: by it another database is known to be the same shop's. */
  readonly marks: ReadonlySet<string>
}

/** What was erased since a moment; nothing where the database holds no shop, or one from before there was a log. */
export async function erasuresSince(sql: Statements, since: Date): Promise<Erasures> {
  const [found] = await sql<{ there: boolean }[]>`
    select to_regclass('public.access_log') is not null and to_regclass('public.orders') is not null as there`
  if (!found?.there) return { entries: [], marks: new Set() }
  const entries = await sql<{ at: Date; who: string; subject: string }[]>`
    select at, who, subject from access_log
    where action = 'erased' and at >= ${since} and subject ~ '^(customer|order):[0-9]+$' order by id`
  return { entries, marks: await marksOf(sql) }
}

/** Whether a database holds the shop that these marks were taken from, at some other moment. */
export async function sameShop(sql: Statements, marks: ReadonlySet<string>): Promise<boolean> {
  return [...(await marksOf(sql))].some((mark) => marks.has(mark))
}

/** An order's key is drawn by lot; nobody opens accounts in two shops at the same microsecond. The oldest are in every backup. */
async function marksOf(sql: Statements): Promise<Set<string>> {
  const rows = await sql<{ mark: string }[]>`
    (select 'order:' || id || ':' || key as mark from orders order by id limit 1000)
    union all
    (select 'customer:' || id || ':' || extract(epoch from created_at)::text from customers order by id limit 1000)`
  return new Set(rows.map(({ mark }) => mark))
}
