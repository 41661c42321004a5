import { type Kysely, sql } from 'kysely'
import { advisoryLocks } from '../engine/advisory-locks.ts'
import type { Schema } from '../engine/schema/schema.ts'
import type { PluralForm } from '../engine/schema/translation.ts'
import type { TranslationStatus } from './translations.ts'

/** The key of one translation. */
export type TranslationPlace = {
  readonly originalId: number
  /** The tag as in the settings: de-DE. */
  readonly language: string
  readonly form: PluralForm
}

export type TranslationRow = TranslationPlace & {
  readonly translated: string
  readonly status: TranslationStatus
  readonly engine: string
  readonly revision: number
}

/** Returns the stored translations at these places, and locks them. Missing ones are left out. */
export async function lockTranslations(
  tx: Kysely<Schema>,
  places: readonly TranslationPlace[],
): Promise<readonly TranslationRow[]> {
  const { rows } = await sql<TranslationRow>`
    select t.original_id as "originalId", t.language, t.form, t.translated, t.status, t.engine, t.revision
    from translations t
    join unnest(${places.map(({ originalId }) => originalId)}::bigint[], ${places.map(({ language }) => language)}::text[],
      ${places.map(({ form }) => form)}::text[]) as place (id, language, form)
      on t.original_id = place.id and t.language = place.language and t.form = place.form
    order by t.original_id, t.language, t.form for update of t`.execute(tx)
  return rows
}

export type TranslationWrite = TranslationRow & { readonly by: number | null }

/**
 * Writes translations as their next revision, and keeps the previous one.
 * @returns the written places: without those that another transaction has written meanwhile
 */
export async function writeTranslations(
  tx: Kysely<Schema>,
  writes: readonly TranslationWrite[],
  now: Date,
): Promise<readonly TranslationPlace[]> {
  if (writes.length === 0) return []
  const { rows } = await sql<TranslationPlace>`
    with given as (
      select * from unnest(${writes.map(({ originalId }) => originalId)}::bigint[], ${writes.map(({ language }) => language)}::text[],
        ${writes.map(({ form }) => form)}::text[], ${writes.map(({ translated }) => translated)}::text[],
        ${writes.map(({ status }) => status)}::smallint[], ${writes.map(({ engine }) => engine)}::text[],
        ${writes.map(({ revision }) => revision)}::integer[], ${writes.map(({ by }) => by)}::bigint[])
        as given (original_id, language, form, translated, status, engine, revision, updated_by)
    ), kept as (
      insert into translation_history (original_id, language, form, revision, translated, status, engine, changed_by, changed_at)
      select t.original_id, t.language, t.form, t.revision, t.translated, t.status, t.engine, t.updated_by, t.updated_at
      from translations t join given g on t.original_id = g.original_id and t.language = g.language and t.form = g.form
      where t.revision = g.revision - 1
    )
    insert into translations as t (original_id, language, form, translated, status, engine, revision, updated_by, updated_at)
    select original_id, language, form, translated, status, engine, revision, updated_by, ${now} from given
    order by original_id, language, form
    on conflict (original_id, language, form) do update
      set translated = excluded.translated, status = excluded.status, engine = excluded.engine, revision = excluded.revision,
        updated_by = excluded.updated_by, updated_at = excluded.updated_at
      where t.revision = excluded.revision - 1
    returning t.original_id as "originalId", t.language, t.form`.execute(tx)
  return rows
}

export type PreviousTranslation = {
  readonly revision: number
  readonly translated: string
  readonly status: TranslationStatus
  readonly engine: string
  readonly at: Date
  /** The author; null: none, or a deleted account. */
  readonly by: { readonly id: number; readonly name: string } | null
}

const mostShown = 100

/** Returns all revisions at a place, newest first, including the current one. */
export async function readHistory(
  db: Kysely<Schema>,
  { originalId, language, form }: TranslationPlace,
): Promise<readonly PreviousTranslation[]> {
  const { rows } = await sql<Omit<PreviousTranslation, 'by'> & { by: number | null; name: string | null }>`
    select h.revision, h.translated, h.status, h.engine, h.at, h.by, c.display_name as name
    from (
      select revision, translated, status, engine, updated_at as at, updated_by as by
      from translations where original_id = ${originalId} and language = ${language} and form = ${form}
      union all
      select revision, translated, status, engine, changed_at, changed_by
      from translation_history where original_id = ${originalId} and language = ${language} and form = ${form}
    ) h left join customers c on c.id = h.by
    order by h.revision desc limit ${mostShown}`.execute(db)
  return rows.map(({ by, name, ...row }) => ({ ...row, by: by === null ? null : { id: by, name: name ?? '' } }))
}

/**
 * Locks slugs until the transaction ends, for callers that read them in order to write them: two pages must not get the
 * same slug.
 */
export async function lockSlugs(tx: Kysely<Schema>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${advisoryLocks.slugs})`.execute(tx)
}

export type SlugOwner = { readonly kind: string; readonly own: string }

/** @returns the owners of this slug in a language, among these kinds */
export async function slugOwners(
  tx: Kysely<Schema>,
  language: string,
  translated: string,
  kinds: readonly string[],
): Promise<readonly SlugOwner[]> {
  const { rows } = await sql<SlugOwner>`
    select o.context as kind, o.original as own
    from translations t join translation_originals o on o.id = t.original_id
    where o.area = 'slug' and o.context = any(${[...kinds]}::text[]) and t.language = ${language}
      and t.translated = ${translated}`.execute(tx)
  return rows
}

const catalogTables = { product: 'products', category: 'categories', tag: 'tags' } as const

/** @returns whether the catalog has this slug as an original */
export async function isCatalogSlug(tx: Kysely<Schema>, kind: string, slug: string): Promise<boolean> {
  if (kind !== 'product' && kind !== 'category' && kind !== 'tag') return false
  const isPage = kind === 'product' ? sql`and parent_id is null` : sql``
  const { rows } = await sql<{ there: boolean }>`
    select exists (select from ${sql.table(catalogTables[kind])} where slug = ${slug} ${isPage}) as there`.execute(tx)
  return rows[0]?.there === true
}
