import { sql } from 'kysely'
import { shopSettings } from '#contract/shared/settings.ts'
import type { Database } from '#database/engine/connect.ts'
import { printable } from '../shared/table.ts'

/**
 * The kind of a word on a command line: a record of the shop, or one of these words. Customers are not completed, since that would
 * show personal data without a log entry.
 */
export type Completion =
  | 'order'
  | 'product'
  | 'coupon'
  | 'category'
  | 'language'
  | 'currency'
  | 'setting'
  | readonly string[]

const mostValues = 100

/** Lists the values that start with the typed text. @param open the database, or null where none answers at once */
export async function completionValues(
  kind: Completion,
  start: string,
  open: () => Promise<Pick<Database, 'kysely'> | null>,
): Promise<string[]> {
  if (typeof kind !== 'string') return kind.filter((word) => word.startsWith(start))
  if (kind === 'setting') return settingKeys().filter((key) => key.startsWith(start))
  const db = await open()
  if (!db) return []
  const like = `${start.replace(/[\\%_]/g, '\\$&')}%`
  const { rows } = await queries[kind](like).execute(db.kysely)
  // Values are separated by lines: a name with a line break cannot be completed.
  return rows.map(({ value }) => value).filter((value) => printable(value) === value)
}

const queries = {
  order: (like: string) => sql<{ value: string }>`
    select id::text as value from orders where id::text like ${like} and status <> 'checkout-draft' and trashed_at is null
    order by id desc limit ${mostValues}::int`,
  product: (like: string) => sql<{ value: string }>`
    select sku as value from products where sku like ${like} order by sku limit ${mostValues}::int`,
  coupon: (like: string) => sql<{ value: string }>`
    select code as value from coupons where code like ${like} order by code limit ${mostValues}::int`,
  category: (like: string) => sql<{ value: string }>`
    select slug as value from categories where slug like ${like} order by slug limit ${mostValues}::int`,
  /** Those beside the default of the shop. */
  language: (like: string) => sql<{ value: string }>`
    select one.entry ->> 'tag' as value from settings
      cross join jsonb_array_elements(case when jsonb_typeof(settings.value) = 'array' then settings.value else '[]' end) as one (entry)
    where key = 'languages' and one.entry ->> 'tag' like ${like} order by 1 limit ${mostValues}::int`,
  /** Those beside the default of the shop. */
  currency: (like: string) => sql<{ value: string }>`
    select one.entry ->> 'code' as value from settings
      cross join jsonb_array_elements(case when jsonb_typeof(settings.value) = 'array' then settings.value else '[]' end) as one (entry)
    where key = 'currencies' and one.entry ->> 'code' like upper(${like}) order by 1 limit ${mostValues}::int`,
}

/** Lists settings and, with dots, their members: `taxes`, `taxes.pricesIncludeTax`. */
export function settingKeys(): string[] {
  const keysOf = (value: unknown, before: string): string[] =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).flatMap(([key, member]) => [`${before}${key}`, ...keysOf(member, `${before}${key}.`)])
      : []
  return keysOf(shopSettings.parse({}), '')
}
