import type { Clock } from '#contract/shared/environment.ts'
import { advisoryLocks } from '../advisory-locks.ts'
import { type Database, sqlState } from '../connect.ts'
import type { Statements } from '../driver/sql.ts'
import {
  addPartition,
  type Partition,
  type PartitionedBy,
  partitionsOf,
  partitionTable,
  refuseOldServer,
} from './partition-table.ts'

/** Tables that are partitioned together, at the same bounds. Bounds are whole numbers: of an order id, or of a year. */
type Division = {
  readonly tables: readonly PartitionedBy[]
  /** Returns the current number. */
  reached(tx: Statements, now: Date): Promise<number>
  /** Returns SQL for the number of a row. */
  numberOf(column: string): string
  bound(number: number): string
  /** Parses a bound. */
  read(bound: string): number
}

/** Orders and their fastest growing tables. Order ids grow with time, and each of these tables contains them. */
const orders: Division = {
  tables: [
    { table: 'orders', column: 'id' },
    { table: 'order_items', column: 'order_id' },
    { table: 'order_notes', column: 'order_id' },
    { table: 'ledger', column: 'order_id' },
  ],
  async reached(tx) {
    // An assigned id may belong to an uncommitted order.
    const [row] = await tx<{ last: number }[]>`
      select greatest((select max(id) from orders),
        pg_sequence_last_value(pg_get_serial_sequence('orders', 'id')::regclass), 0)::bigint as last`
    return row?.last ?? 0
  },
  numberOf: (column) => column,
  bound: String,
  read: Number,
}

const statistics: Division = {
  tables: [{ table: 'stat_count', column: 'day' }],
  // Tomorrow's: in some time zone that day has begun.
  reached: async (_, now) => new Date(now.getTime() + dayMs).getUTCFullYear(),
  numberOf: (column) => `extract(year from ${column})::int`,
  bound: (year) => `${year}-01-01`,
  read: (bound) => Number(bound.slice(0, 4)),
}

const divisions = [orders, statistics]
const dayMs = 24 * 60 * 60_000

/**
 * Lock timeout, and so the longest wait of others behind it. Below the second after which the server checks for
 * deadlocks and would abort a waiting transaction.
 */
const patience = '100ms'
const triesForLocks = 300
const betweenTriesMs = 100
const lockNotAvailable = '55P03'

export type TablePartitions = {
  readonly table: string
  readonly partitions: readonly (Partition & { readonly rows: number; readonly bytes: number })[]
}

/** Returns every table that may be partitioned, with its partitions; row counts are the server's estimates. */
export async function listPartitions(sql: Statements): Promise<TablePartitions[]> {
  const found: TablePartitions[] = []
  for (const { table } of divisions.flatMap(({ tables }) => tables)) {
    const partitions = await partitionsOf(sql, table)
    const sizes = await sql<{ name: string; rows: number; bytes: number }[]>`
      select relname as name, greatest(reltuples, 0)::bigint as rows, pg_total_relation_size(oid) as bytes from pg_class
      where relnamespace = 'public'::regnamespace and relname = any(${partitions.map(({ name }) => name)}::text[])`
    const sizeOf = new Map(sizes.map((size) => [size.name, size]))
    found.push({
      table,
      partitions: partitions.map((one) => ({ rows: 0, bytes: 0, ...one, ...sizeOf.get(one.name) })),
    })
  }
  return found
}

/**
 * Partitions orders and their dependent tables, the ledger, and the statistics, all or none. Existing rows become the
 * first partitions unchanged. The shop waits meanwhile.
 * @param ordersEach number of order ids per partition
 * @returns foreign keys that are no longer enforced; null: already partitioned
 * @throws if the tables' locks cannot be obtained
 */
export async function partition(
  { db, clock }: { readonly db: Pick<Database, 'sql'>; readonly clock: Clock },
  ordersEach: number,
): Promise<string[] | null> {
  await refuseOldServer(db.sql)
  for (let tries = 1; ; tries += 1) {
    try {
      return await db.sql.begin((tx) => partitionWithin(tx, ordersEach, clock.now()))
    } catch (error) {
      if (sqlState(error) !== lockNotAvailable || tries === triesForLocks) throw error
      await clock.sleep(betweenTriesMs)
    }
  }
}

async function partitionWithin(tx: Statements, ordersEach: number, now: Date): Promise<string[] | null> {
  await tx.unsafe(`set local lock_timeout = '${patience}'; set local statement_timeout = 0`).simple()
  await tx`select pg_advisory_xact_lock(${advisoryLocks.partitions})`
  if ((await partitionsOf(tx, 'orders')).length > 0) return null
  await lockAll(tx)
  const unchecked: string[] = []
  for (const division of divisions) {
    const step = division === orders ? ordersEach : 1
    const end = nextBound(await division.reached(tx, now), step)
    for (const one of division.tables) unchecked.push(...(await partitionTable(tx, one, division.bound(end))))
    await add(tx, division, end, end + step)
  }
  return unchecked
}

/** Locks the tables and all related by foreign keys: everything that would be locked later, before any change. */
async function lockAll(tx: Statements): Promise<void> {
  const names = divisions.flatMap(tableNames)
  const rows = await tx<{ name: string }[]>`
    select distinct unnest(array[conrelid, confrelid])::regclass::text as name from pg_constraint
    where contype = 'f' and (conrelid = any(${names}::regclass[]) or confrelid = any(${names}::regclass[]))`
  const all = new Set([...names, ...rows.map(({ name }) => name)])
  await tx.unsafe(`lock table ${[...all].join(', ')} in access exclusive mode`)
}

/**
 * Adds the next partitions in advance: one whole partition of orders, one year of statistics. Rows in the default
 * partition stay there, and the next partition begins after them.
 * @returns the number added to each table; 0 also if the locks were not available: the next minute retries
 */
export async function addPartitions({ sql }: Pick<Database, 'sql'>, now: Date): Promise<number> {
  if (!(await areDue(sql, now))) return 0
  try {
    return await sql.begin((tx) => addWithin(tx, now))
  } catch (error) {
    if (sqlState(error) === lockNotAvailable) return 0
    throw error
  }
}

async function addWithin(tx: Statements, now: Date): Promise<number> {
  const [lock] = await tx<{ free: boolean }[]>`select pg_try_advisory_xact_lock(${advisoryLocks.partitions}) as free`
  if (!lock?.free) return 0
  await tx.unsafe(`set local lock_timeout = '${patience}'`)
  let added = 0
  for (const division of divisions) {
    let state = await stateOf(tx, division, now)
    if (!isDue(state)) continue
    // Before the default partitions: running inserts of orders finish first, and take no lock in between.
    await tx.unsafe(`lock table ${tableNames(division).join(', ')} in share row exclusive mode`)
    for (; isDue(state); state = await stateOf(tx, division, now)) {
      const from = Math.max(state.end, await afterStrays(tx, division))
      await add(tx, division, from, nextBound(from, state.step))
      added += 1
    }
  }
  return added
}

const tableNames = ({ tables }: Division) => tables.map(({ table }) => table)

/** Returns the first bound beyond a number. */
const nextBound = (number: number, step: number) => (Math.floor(number / step) + 1) * step

type State = { readonly end: number; readonly step: number; readonly reached: number }

/** Returns the end of the last partition, and the current number. `step` is 0 for unpartitioned tables. */
async function stateOf(sql: Statements, division: Division, now: Date): Promise<State> {
  const ranges = (await partitionsOf(sql, division.tables[0]?.table ?? '')).filter(({ isDefault }) => !isDefault)
  const end = division.read(ranges.at(-1)?.to ?? '0')
  // A partition may start late because of rows in the default: the longest has the intended length.
  const lengths = ranges.flatMap(({ from, to }) => (from && to ? [division.read(to) - division.read(from)] : []))
  return { end, step: Math.max(0, ...lengths), reached: await division.reached(sql, now) }
}

const isDue = ({ end, step, reached }: State) => step > 0 && end <= reached + step

async function areDue(sql: Statements, now: Date): Promise<boolean> {
  for (const division of divisions) if (isDue(await stateOf(sql, division, now))) return true
  return false
}

/** Returns a number beyond the last row in the default partitions. */
async function afterStrays(tx: Statements, { tables, numberOf }: Division): Promise<number> {
  let after = 0
  for (const { table, column } of tables) {
    const [row] = await tx.unsafe<{ last: number | null }[]>(
      `select max(${numberOf(column)})::bigint as last from ${table}_rest`,
    )
    after = Math.max(after, (row?.last ?? -1) + 1)
  }
  return after
}

async function add(tx: Statements, { tables, bound }: Division, from: number, to: number): Promise<void> {
  for (const { table } of tables) {
    const partitionOf = { name: `${table}_from_${from}`, from: bound(from), to: bound(to), isDefault: false }
    await addPartition(tx, table, partitionOf)
  }
}
