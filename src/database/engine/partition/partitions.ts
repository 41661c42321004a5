import type { ISql as Statements } from 'postgres'
import type { Clock } from '#contract/shared/environment.ts'
import { type Database, sqlState } from '../connect.ts'
import {
  addPartition,
  type Partition,
  type PartitionedBy,
  partitionsOf,
  partitionTable,
  refuseOldServer,
} from './partition-table.ts'

/** Tables that are partitioned together, at the same bounds. Bounds are whole numbers: of an order, or of a year. */
type Division = {
  readonly tables: readonly PartitionedBy[]
  /** The number that is written now. */
  reached(tx: Statements, now: Date): Promise<number>
  /** The number of a row, as SQL. */
  numberOf(column: string): string
  bound(number: number): string
  /** The number of a bound. */
  read(bound: string): number
}

/** An order and what grows fastest with it. Numbers of orders grow with time, and each of these tables has them. */
const orders: Division = {
  tables: [
    { table: 'orders', column: 'id' },
    { table: 'order_items', column: 'order_id' },
    { table: 'order_notes', column: 'order_id' },
    { table: 'ledger', column: 'order_id' },
  ],
  async reached(tx) {
    // A number that was given out may be of an order that nobody sees yet.
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
  // Tomorrow's: somewhere it is that day already.
  reached: async (_, now) => new Date(now.getTime() + dayMs).getUTCFullYear(),
  numberOf: (column) => `extract(year from ${column})::int`,
  bound: (year) => `${year}-01-01`,
  read: (bound) => Number(bound.slice(0, 4)),
}

const divisions = [orders, statistics]
const dayMs = 24 * 60 * 60_000

/** Held by whoever adds or makes partitions: the others have nothing to do then. */
const partitionLock = 0x5741_7403

/**
 * How long each lock is waited for, and how long others wait behind it, before all are let go: less than the second after which the
 * server looks for deadlocks, and would send away whoever waits for us.
 */
const patience = '100ms'
const triesForLocks = 300
const betweenTriesMs = 100
const lockNotAvailable = '55P03'

export type TablePartitions = {
  readonly table: string
  readonly partitions: readonly (Partition & { readonly rows: number; readonly bytes: number })[]
}

/** Every table that may be partitioned, with its partitions; rows as last counted by the server. */
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
 * Partitions orders, what belongs to them, the ledger, and the statistics by time, all of it or nothing. What lies in them becomes
 * their first partitions as it is. The shop waits meanwhile.
 * @param ordersEach how many numbers of orders a partition takes
 * @returns references that the database no longer checks; null: they were partitioned before
 * @throws when the tables are in use without a break
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
  await tx`select pg_advisory_xact_lock(${partitionLock})`
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

/** Locks the tables and all that refer to them or that they refer to: whatever would be locked on the way, before anything is done. */
async function lockAll(tx: Statements): Promise<void> {
  const names = divisions.flatMap(tableNames)
  const rows = await tx<{ name: string }[]>`
    select distinct unnest(array[conrelid, confrelid])::regclass::text as name from pg_constraint
    where contype = 'f' and (conrelid = any(${names}::regclass[]) or confrelid = any(${names}::regclass[]))`
  const all = new Set([...names, ...rows.map(({ name }) => name)])
  await tx.unsafe(`lock table ${[...all].join(', ')} in access exclusive mode`)
}

/**
 * Adds the next partitions before the last ones are reached: of orders a whole one ahead, of statistics a year. Rows that came
 * to the default meanwhile stay there, and the next partition begins after them.
 * @returns how many were added to each table; 0 also where the tables were in use: the next minute has another try
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
  const [lock] = await tx<{ free: boolean }[]>`select pg_try_advisory_xact_lock(${partitionLock}) as free`
  if (!lock?.free) return 0
  await tx.unsafe(`set local lock_timeout = '${patience}'`)
  let added = 0
  for (const division of divisions) {
    let state = await stateOf(tx, division, now)
    if (!isDue(state)) continue
    // Before the defaults: an order that is being written ends first, and takes no lock between ours.
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

/** The first bound beyond a number. */
const nextBound = (number: number, step: number) => (Math.floor(number / step) + 1) * step

type State = { readonly end: number; readonly step: number; readonly reached: number }

/** Where the last partition ends, and how far the shop has come. `step` is 0 where nothing is partitioned. */
async function stateOf(sql: Statements, division: Division, now: Date): Promise<State> {
  const ranges = (await partitionsOf(sql, division.tables[0]?.table ?? '')).filter(({ isDefault }) => !isDefault)
  const end = division.read(ranges.at(-1)?.to ?? '0')
  // The one before may have been cut short by strays: the longest says how long they were meant.
  const lengths = ranges.flatMap(({ from, to }) => (from && to ? [division.read(to) - division.read(from)] : []))
  return { end, step: Math.max(0, ...lengths), reached: await division.reached(sql, now) }
}

const isDue = ({ end, step, reached }: State) => step > 0 && end <= reached + step

async function areDue(sql: Statements, now: Date): Promise<boolean> {
  for (const division of divisions) if (isDue(await stateOf(sql, division, now))) return true
  return false
}

/** Beyond the last row in the defaults. */
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
