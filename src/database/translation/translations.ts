import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { longestOriginal } from '#domain/translation/clean-translation.ts'
import { normalise } from '#domain/translation/normalise.ts'
import { announceChanges } from '../engine/change-counts.ts'
import type { Row, Schema } from '../engine/schema/schema.ts'
import type { PluralForm, TranslationArea } from '../engine/schema/translation.ts'

/** A translatable text. */
export type Original = {
  readonly area: TranslationArea
  /** The kind of a slug; otherwise '' unless equal originals differ in meaning. */
  readonly context?: string
  readonly text: string
  readonly markup?: boolean
  /** The page where it first appeared. */
  readonly path?: string
}

/** 0 not translated, 1 by an engine, 2 by a person, 3 filled in from a nearly identical original. */
export type TranslationStatus = 0 | 1 | 2 | 3

/** The stored translation of an original in a language. */
export type StoredTranslation = {
  readonly id: number
  readonly translated: string
  readonly status: TranslationStatus
  readonly revision: number
}

/** Returns the key of an original. The same text as markup and as plain text differs: `<b>` is bold or literal. */
export function translationKey(text: string, markup = false): Buffer {
  const normal = normalise(text, { markup })
  return createHash('sha256')
    .update(markup ? `\u0000${normal}` : normal)
    .digest()
}

/**
 * Saves originals in one statement, or updates the date of existing ones.
 * @param today in the time zone of the shop or the machine: only housekeeping depends on it
 */
export async function saveOriginals(db: Kysely<Schema>, originals: readonly Original[], today: Date): Promise<void> {
  const rows = keyed(originals)
  if (rows.length === 0) return
  await sql`
    insert into translation_originals as known (area, context, key_hash, original, markup, first_seen_path, last_seen_on)
    select area, context, decode(key, 'hex'), original, markup::boolean, path, ${dayOf(today)}::date
    from unnest(${rows.map(({ area }) => area)}::text[], ${rows.map(({ context }) => context)}::text[],
      ${rows.map(({ key }) => key)}::text[], ${rows.map(({ text }) => text)}::text[],
      ${rows.map(({ markup }) => String(markup))}::text[], ${rows.map(({ path }) => path)}::text[])
      as given (area, context, key, original, markup, path)
    on conflict (area, context, key_hash) do update set last_seen_on = excluded.last_seen_on
    where known.last_seen_on < excluded.last_seen_on`.execute(db)
}

/** Saves originals, and returns their ids in the given order; null for those that cannot be stored. */
export async function saveOriginalsForIds(
  db: Kysely<Schema>,
  originals: readonly Original[],
  today: Date,
): Promise<readonly (number | null)[]> {
  await saveOriginals(db, originals, today)
  const rows = keyed(originals)
  if (rows.length === 0) return originals.map(() => null)
  const { rows: found } = await sql<{ id: number; area: string; context: string; key: string }>`
    select o.id, o.area, o.context, encode(o.key_hash, 'hex') as key
    from unnest(${rows.map(({ area }) => area)}::text[], ${rows.map(({ context }) => context)}::text[],
      ${rows.map(({ key }) => key)}::text[]) as given (area, context, key)
    join translation_originals o on o.area = given.area and o.context = given.context and o.key_hash = decode(given.key, 'hex')`.execute(
    db,
  )
  const ids = new Map(found.map(({ id, area, context, key }) => [`${area} ${key} ${context}`, id]))
  return originals.map((original) => ids.get(placeOf(original)) ?? null)
}

const placeOf = ({ area, context = '', text, markup = false }: Original) =>
  `${area} ${translationKey(text, markup).toString('hex')} ${context}`

/** One row per key: duplicates in one statement would conflict. */
function keyed(originals: readonly Original[]) {
  const rows = new Map<string, Required<Original> & { key: string }>()
  for (const { area, context = '', text, markup = false, path = '' } of originals) {
    // PostgreSQL cannot store NUL.
    if (text.length > longestOriginal || text.includes('\u0000') || normalise(text) === '') continue
    const key = translationKey(text, markup).toString('hex')
    rows.set(`${area} ${key} ${context}`, { area, context, text: text.toWellFormed(), markup, path, key })
  }
  return [...rows.values()]
}

export type ContentRow = StoredTranslation & { readonly key: string; readonly lastSeen: string }

/** Returns translations of content by the keys of the originals. Unknown originals are missing. */
export async function readContent(
  db: Kysely<Schema>,
  language: string,
  keys: readonly Buffer[],
): Promise<readonly ContentRow[]> {
  const { rows } = await sql<ContentRow>`
    select encode(o.key_hash, 'hex') as key, o.id, o.last_seen_on::text as "lastSeen", coalesce(t.translated, '') as translated,
      coalesce(t.status, 0) as status, coalesce(t.revision, 0) as revision
    from unnest(${keys.map((key) => key.toString('hex'))}::text[]) as asked (key)
    join translation_originals o on o.area = 'content' and o.context = '' and o.key_hash = decode(asked.key, 'hex')
    left join translations t on t.original_id = o.id and t.language = ${language} and t.form = ''`.execute(db)
  return rows
}

export type PreloadedRow = StoredTranslation & {
  readonly area: 'interface' | 'slug'
  readonly context: string
  readonly original: string
  readonly form: PluralForm
}

/** Returns the translations of all interface texts and all slugs in a language. */
export async function readPreloaded(db: Kysely<Schema>, language: string): Promise<readonly PreloadedRow[]> {
  const { rows } = await sql<PreloadedRow>`
    select o.area, o.context, o.id, o.original, coalesce(t.form, '') as form, coalesce(t.translated, '') as translated,
      coalesce(t.status, 0) as status, coalesce(t.revision, 0) as revision
    from translation_originals o
    left join translations t on t.original_id = o.id and t.language = ${language}
    where o.area in ('interface', 'slug')
    order by o.id`.execute(db)
  return rows
}

/**
 * Notifies all processes on commit that translations in these languages have changed.
 * @param areas the areas of the changes: all but content also affect pages in other languages, such as their links
 */
export async function translationsChanged(
  tx: Kysely<Schema>,
  languages: Iterable<string>,
  areas: Iterable<Row<'translation_originals'>['area']>,
): Promise<void> {
  const inLanguages = [...languages].map((language) => `translation:${language}`)
  await announceChanges(tx, [...inLanguages, ...([...areas].some((area) => area !== 'content') ? ['words'] : [])])
}

export type OriginalRow = Pick<Row<'translation_originals'>, 'id' | 'area' | 'context' | 'original' | 'markup'>

export function readOriginals(db: Kysely<Schema>, ids: readonly number[]): Promise<OriginalRow[]> {
  return db
    .selectFrom('translation_originals')
    .select(['id', 'area', 'context', 'original', 'markup'])
    .where('id', '=', sql<number>`any(${[...new Set(ids)]}::bigint[])`)
    .execute()
}

export function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10)
}
