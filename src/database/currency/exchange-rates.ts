import { type Kysely, sql } from 'kysely'
import { type RatesState, ratesState } from '#contract/currency/rates-state.ts'
import { advisoryLocks } from '../engine/advisory-locks.ts'
import type { RateSource } from '../engine/schema/currency.ts'
import type { Schema } from '../engine/schema/schema.ts'

type Db = Kysely<Schema>

export type RateRow = {
  /** The shop's own currency; the rate is the price of one unit of it in `code`. */
  readonly base: string
  readonly code: string
  /** 2026-01-05. */
  readonly day: string
  readonly rate: string
  readonly source: RateSource
}

export type RateOfHistory = RateRow & { readonly refused: boolean; readonly fetched_at: Date }

/**
 * Pairs of currencies with rates, found by a loose index scan: one step per pair, where reading all rows would grow
 * with the years.
 */
const pairs = sql`
  recursive pairs as (
    (select base, code from currency_rates order by base, code limit 1)
    union all
    select next.base, next.code from pairs cross join lateral (
      select base, code from currency_rates r where (r.base, r.code) > (pairs.base, pairs.code)
      order by r.base, r.code limit 1
    ) next
  )`

/** Returns the newest accepted rate of each pair with any past or present base currency of the shop. */
export async function latestRates(db: Db): Promise<readonly RateRow[]> {
  const { rows } = await sql<RateRow>`
    with ${pairs}
    select base, code, newest.* from pairs cross join lateral (
      select day::text as day, rate, source from currency_rates r
      where r.base = pairs.base and r.code = pairs.code and not refused
      order by r.day desc, fetched_at desc limit 1
    ) newest`.execute(db)
  return rows
}

/** Returns the currencies whose newest rate was rejected, with that rate. */
export async function refusedRates(db: Db, base: string): Promise<readonly RateOfHistory[]> {
  const { rows } = await sql<RateOfHistory>`
    with ${pairs}
    select base, code, newest.* from pairs cross join lateral (
      select day::text as day, rate, source, refused, fetched_at from currency_rates r
      where r.base = pairs.base and r.code = pairs.code
      order by r.day desc, fetched_at desc limit 1
    ) newest where base = ${base} and refused`.execute(db)
  return rows
}

/** Returns the stored rates, newest first. @param code this currency alone; null: all */
export async function ratesOfHistory(
  db: Db,
  base: string,
  code: string | null,
  limit: number,
): Promise<readonly RateOfHistory[]> {
  const { rows } = await sql<RateOfHistory>`
    select base, code, day::text as day, rate, source, refused, fetched_at from currency_rates
    where base = ${base} and (${code}::text is null or code = ${code}::text)
    order by day desc, code, fetched_at desc limit ${limit}`.execute(db)
  return rows
}

/** Returns the source's rates of these currencies for that day, as far as they are stored. */
export async function ratesOfDay(
  db: Db,
  { base, day, source }: Pick<RateRow, 'base' | 'day' | 'source'>,
): Promise<readonly RateOfHistory[]> {
  const { rows } = await sql<RateOfHistory>`
    select base, code, day::text as day, rate, source, refused, fetched_at from currency_rates
    where base = ${base} and day = ${day}::date and source = ${source}`.execute(db)
  return rows
}

/** Saves a rate; replaces the source's earlier rate of the same day. */
export async function saveRate(db: Db, { base, code, day, rate, source, refused, fetched_at }: RateOfHistory) {
  await sql`
    insert into currency_rates (base, code, day, source, rate, refused, fetched_at)
    values (${base}, ${code}, ${day}::date, ${source}, ${rate}, ${refused}, ${fetched_at})
    on conflict (base, code, day, source)
    do update set rate = excluded.rate, refused = excluded.refused, fetched_at = excluded.fetched_at`.execute(db)
}

/** Deletes rates of earlier days, except the newest accepted one of each currency. @param day 2026-01-05 */
export async function forgetRates(db: Db, day: string): Promise<void> {
  await sql`
    delete from currency_rates old where day < ${day}::date and exists (
      select from currency_rates newer where newer.base = old.base and newer.code = old.code and not newer.refused
      and newer.day > old.day)`.execute(db)
}

/** Locks rates until the transaction ends: one process at a time compares and saves them. */
export async function lockRates(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${advisoryLocks.rates})`.execute(tx)
}

/** Internal: not a setting of the merchant. */
const stateKey = 'exchangeRatesState'

export async function readRatesState(db: Db): Promise<RatesState> {
  const { rows } = await sql<{ value: unknown }>`select value from settings where key = ${stateKey}`.execute(db)
  return ratesState.catch(ratesState.parse({})).parse(rows[0]?.value ?? {})
}

export async function writeRatesState(db: Db, state: RatesState): Promise<void> {
  await sql`
    insert into settings (key, value) values (${stateKey}, ${JSON.stringify(state)}::text::jsonb)
    on conflict (key) do update set value = excluded.value, updated_at = now()`.execute(db)
}
