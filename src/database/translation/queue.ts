import { type Kysely, sql } from 'kysely'
import { type MachineState, machineState } from '#contract/translation/machine-answers.ts'
import { advisoryLockPairs, machineLocks } from '../engine/advisory-locks.ts'
import type { Database } from '../engine/connect.ts'
import type { Schema } from '../engine/schema/schema.ts'

type Db = Kysely<Schema>

/** An original that is queued for translation into one language. */
export type QueuedOriginal = {
  readonly originalId: number
  readonly language: string
  readonly area: 'interface' | 'content'
  readonly original: string
  readonly markup: boolean
  /** True if it depends on a count, with one form per plural category. */
  readonly counted: boolean
  /** Number of attempts. */
  readonly attempts: number
  /** The last fault; '' if none. */
  readonly fault: string
}

export type QueuePlace = Pick<QueuedOriginal, 'originalId' | 'language'>

/** A language, and the areas to translate into it. */
export type WantedLanguage = { readonly tag: string; readonly areas: readonly ('interface' | 'content')[] }

/** Name of the interface's texts among the imported files. */
const wordsFile = 'words'

/** Maximum queue length of a language; further texts are added later. */
const mostWaiting = 20_000

/**
 * Queues originals that have no translation in a language. Texts that a person translated or reset are skipped, and so
 * are interface texts until the shipped translations have been imported.
 * @returns the number of queued texts
 */
export async function queueUntranslated(
  db: Db,
  wanted: readonly WantedLanguage[],
  { now, most, skip }: { now: Date; most: number; skip: readonly string[] },
): Promise<number> {
  let added = 0
  for (const { tag, areas } of wanted) {
    const { numAffectedRows } = await sql`
      insert into translation_queue (original_id, language, not_before, queued_at)
      select o.id, ${tag}, ${now}, ${now} from translation_originals o
      where o.area = any(${areas}::text[])
        and (o.area <> 'interface' or exists (select from translation_seeds where language = ${tag} and file = ${wordsFile}))
        and not exists (select from translations t where t.original_id = o.id and t.language = ${tag})
        and not exists (select from translation_queue q where q.original_id = o.id and q.language = ${tag})
        and not o.original = any(${skip}::text[])
      order by o.id
      limit greatest(0, least(${most}::int, ${mostWaiting}::int
        - (select count(*)::int from translation_queue where language = ${tag} and state <> 'failed')))
      on conflict do nothing`.execute(db)
    added += Number(numAffectedRows ?? 0)
  }
  return added
}

/** Removes texts that were translated meanwhile, and those of removed languages. */
export async function removeSettled(db: Db, spoken: readonly string[]): Promise<void> {
  await sql`delete from translation_queue where not language = any(${spoken}::text[])`.execute(db)
  await sql`delete from translation_queue q using translations t
    where t.original_id = q.original_id and t.language = q.language`.execute(db)
}

/** Returns texts to send now, those with the fewest attempts first. */
export async function dueOriginals(
  db: Db,
  { now, most, wanted }: { now: Date; most: number; wanted: readonly WantedLanguage[] },
): Promise<readonly QueuedOriginal[]> {
  const pairs = wanted.flatMap(({ tag, areas }) => areas.map((area) => ({ tag, area })))
  const { rows } = await sql<QueuedOriginal>`
    select q.original_id as "originalId", q.language, o.area, o.original, o.markup, q.attempts, q.fault,
      exists (select from translations t where t.original_id = o.id and t.form <> '') as counted
    from translation_queue q join translation_originals o on o.id = q.original_id
    join unnest(${pairs.map(({ tag }) => tag)}::text[], ${pairs.map(({ area }) => area)}::text[]) as pair (tag, area)
      on pair.tag = q.language and pair.area = o.area
    where q.state = 'queued' and q.not_before <= ${now}
    order by q.attempts, q.queued_at, q.original_id limit ${most}`.execute(db)
  return rows
}

export type ReviewedText = { readonly original: string; readonly translated: string }

/** Returns human translations of long texts, newest first, for comparison with a text of about this length. */
export async function reviewedTexts(
  db: Db,
  { language, area, markup, original }: QueuedOriginal,
  most: number,
): Promise<readonly ReviewedText[]> {
  const { rows } = await sql<ReviewedText>`
    select o.original, t.translated from translations t join translation_originals o on o.id = t.original_id
    where t.language = ${language} and t.status = 2 and t.form = '' and t.translated <> '' and o.area = ${area}
      and o.markup = ${markup} and char_length(o.original) between ${Math.floor(original.length * 0.9)} and ${Math.ceil(original.length * 1.1)}
    order by t.updated_at desc limit ${most}`.execute(db)
  return rows
}

/** Requeues texts that a dead process had sent. Requires the queue's lock. */
export async function requeueAbandoned(db: Db): Promise<void> {
  await sql`update translation_queue set state = 'queued' where state = 'translating'`.execute(db)
}

/** Requeues texts after a time if the failure was the engine's. */
export async function requeueFailed(db: Db, now: Date, fault: string): Promise<void> {
  await sql`update translation_queue set state = 'queued', attempts = 0, fault = ''
    where state = 'failed' and fault = ${fault} and not_before <= ${now}`.execute(db)
}

export async function markQueued(
  db: Db,
  places: readonly QueuePlace[],
  change: {
    readonly state: 'queued' | 'translating' | 'failed'
    /** Added to the number of attempts. */
    readonly tries?: number
    readonly fault?: string
    readonly notBefore?: Date
  },
): Promise<void> {
  if (places.length === 0) return
  await sql`
    update translation_queue q set state = ${change.state}, attempts = q.attempts + ${change.tries ?? 0},
      fault = coalesce(${change.fault ?? null}::text, q.fault), not_before = coalesce(${change.notBefore ?? null}::timestamptz, q.not_before)
    from unnest(${places.map(({ originalId }) => originalId)}::bigint[], ${places.map(({ language }) => language)}::text[]) as place (id, language)
    where q.original_id = place.id and q.language = place.language`.execute(db)
}

export async function removeQueued(db: Db, places: readonly QueuePlace[]): Promise<void> {
  if (places.length === 0) return
  await sql`
    delete from translation_queue q
    using unnest(${places.map(({ originalId }) => originalId)}::bigint[], ${places.map(({ language }) => language)}::text[]) as place (id, language)
    where q.original_id = place.id and q.language = place.language`.execute(db)
}

/** Requeues failed texts. @returns their number */
export async function retryFailed(db: Db, language: string | null, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update translation_queue set state = 'queued', attempts = 0, fault = '', not_before = ${now}
    where state = 'failed' and (${language}::text is null or language = ${language})`.execute(db)
  return Number(numAffectedRows ?? 0)
}

export type QueueLength = {
  readonly language: string
  readonly state: 'queued' | 'translating' | 'failed'
  readonly fault: string
  readonly count: number
  readonly characters: number
}

export async function queueLengths(db: Db): Promise<readonly QueueLength[]> {
  const { rows } = await sql<QueueLength>`
    select q.language, q.state, case q.state when 'failed' then q.fault else '' end as fault, count(*)::int as count,
      sum(char_length(o.original)) as characters
    from translation_queue q join translation_originals o on o.id = q.original_id
    group by 1, 2, 3 order by 1, 2, 3`.execute(db)
  return rows
}

export type Spending = { readonly characters: number; readonly calls: number }

/** Reserves characters of the daily limit before a call. @returns whether they fit */
export async function reserveCharacters(
  db: Db,
  { day, engine, characters, limit }: { day: string; engine: string; characters: number; limit: number },
): Promise<boolean> {
  if (characters > limit) return false
  const { rows } = await sql`
    insert into translation_spending as spent (day, engine, characters, calls) values (${day}::date, ${engine}, ${characters}, 1)
    on conflict (day, engine) do update set characters = spent.characters + excluded.characters, calls = spent.calls + 1
      where spent.characters + excluded.characters <= ${limit}
    returning 1`.execute(db)
  return rows.length > 0
}

/** Releases the characters of a call that certainly had no effect. */
export async function releaseCharacters(
  db: Db,
  { day, engine, characters }: { day: string; engine: string; characters: number },
): Promise<void> {
  await sql`update translation_spending set characters = greatest(0, characters - ${characters})
    where day = ${day}::date and engine = ${engine}`.execute(db)
}

export async function dailySpending(db: Db, day: string, engine: string): Promise<Spending> {
  const { rows } = await sql<Spending>`
    select characters, calls from translation_spending where day = ${day}::date and engine = ${engine}`.execute(db)
  return rows[0] ?? { characters: 0, calls: 0 }
}

/** Internal: not a setting of the merchant. */
const stateKey = 'translationMachine'

export async function readMachineState(db: Db): Promise<MachineState> {
  const { rows } = await sql<{ value: unknown }>`select value from settings where key = ${stateKey}`.execute(db)
  return machineState.catch(machineState.parse({})).parse(rows[0]?.value ?? {})
}

export async function writeMachineState(db: Db, state: MachineState): Promise<void> {
  await sql`
    insert into settings (key, value) values (${stateKey}, ${JSON.stringify(state)}::text::jsonb)
    on conflict (key) do update set value = excluded.value, updated_at = now()`.execute(db)
}

export type MachineLocks = {
  /** Serializes calls with those outside of the queue. @returns null on timeout */
  call<Result>(work: () => Promise<Result>): Promise<Result | null>
}

/**
 * Runs `work` if no other process works on the queue. The lock belongs to a connection: it is released when its process
 * dies.
 * @returns null if another process has the lock
 */
export async function withQueue<Result>(
  { session }: Database,
  work: (locks: MachineLocks) => Promise<Result>,
): Promise<Result | null> {
  const connection = await session.reserve()
  try {
    const [row] = await connection<
      { held: boolean }[]
    >`select pg_try_advisory_lock(${advisoryLockPairs.machineTranslation}, ${machineLocks.queue}) as held`
    if (!row?.held) return null
    try {
      return await work({ call: (inside) => calling(connection, inside, 40) })
    } finally {
      await connection`select pg_advisory_unlock(${advisoryLockPairs.machineTranslation}, ${machineLocks.queue})`
    }
  } finally {
    connection.release()
  }
}

/** Runs one call outside of the queue, for a waiting person. @returns null if another call takes too long */
export async function withCall<Result>({ session }: Database, work: () => Promise<Result>): Promise<Result | null> {
  const connection = await session.reserve()
  try {
    return await calling(connection, work, 10)
  } finally {
    connection.release()
  }
}

async function calling<Result>(
  connection: Awaited<ReturnType<Database['sql']['reserve']>>,
  work: () => Promise<Result>,
  patienceSeconds: number,
): Promise<Result | null> {
  try {
    await connection.unsafe(`set lock_timeout = '${patienceSeconds}s'`)
    await connection`select pg_advisory_lock(${advisoryLockPairs.machineTranslation}, ${machineLocks.call})`
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === '55P03') return null
    throw error
  } finally {
    await connection.unsafe('reset lock_timeout')
  }
  try {
    return await work()
  } finally {
    await connection`select pg_advisory_unlock(${advisoryLockPairs.machineTranslation}, ${machineLocks.call})`
  }
}
