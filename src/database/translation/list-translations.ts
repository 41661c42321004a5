import { type Kysely, sql } from 'kysely'
import type { Schema } from '../engine/schema/schema.ts'
import type { PluralForm, TranslationArea } from '../engine/schema/translation.ts'
import type { TranslationStatus } from './translations.ts'

export type ListedTranslation = {
  readonly id: number
  readonly area: TranslationArea
  readonly context: string
  readonly markup: boolean
  readonly original: string
  /** True if it depends on a count, with one form per plural category. */
  readonly plural: boolean
  /** The lowest of several forms: a missing one is untranslated. */
  readonly status: TranslationStatus
  readonly forms: readonly {
    readonly form: PluralForm
    readonly translated: string
    readonly status: TranslationStatus
    readonly engine: string
    readonly revision: number
  }[]
}

export type TranslationFilter = {
  readonly language: string
  readonly area?: TranslationArea | undefined
  readonly statuses?: readonly TranslationStatus[] | undefined
  /** Found in the original or the translation. */
  readonly search?: string | undefined
}

/**
 * Returns originals with their translations in a language, those of the interface first, in the order of first
 * appearance.
 */
export async function listTranslations(
  db: Kysely<Schema>,
  { language, area, statuses, search }: TranslationFilter,
  page?: { readonly limit: number; readonly offset: number },
): Promise<{ items: readonly ListedTranslation[]; count: number }> {
  const like = search ? `%${search.replace(/[\\%_]/g, '\\$&')}%` : null
  const { rows } = await sql<ListedTranslation & { count: number }>`
    select o.id, o.area, o.context, o.markup, o.original, coalesce(min(t.status), 0) as status,
      exists (select from translations p where p.original_id = o.id and p.form <> '') as plural,
      coalesce(jsonb_agg(jsonb_build_object('form', t.form, 'translated', t.translated, 'status', t.status, 'engine', t.engine,
        'revision', t.revision)) filter (where t.original_id is not null), '[]') as forms,
      count(*) over () as count
    from translation_originals o
    left join translations t on t.original_id = o.id and t.language = ${language}
    where (${area ?? null}::text is null or o.area = ${area ?? null})
      and (${like}::text is null or o.original ilike ${like}
        or exists (select from translations s where s.original_id = o.id and s.language = ${language} and s.translated ilike ${like}))
    group by o.id
    having ${statuses ? statuses.map(String) : null}::text[] is null
      or coalesce(min(t.status), 0)::text = any(${statuses ? statuses.map(String) : null}::text[])
    order by case o.area when 'interface' then 0 when 'content' then 1 else 2 end, o.id
    limit ${page?.limit ?? null}::bigint offset ${page?.offset ?? 0}::bigint`.execute(db)
  return { items: rows.map(({ count, ...item }) => item), count: rows[0]?.count ?? 0 }
}

export type TranslationCounts = {
  readonly area: TranslationArea
  readonly all: number
  readonly missing: number
  readonly machine: number
  readonly reviewed: number
}

/** Returns the progress of a language. */
export async function countTranslations(db: Kysely<Schema>, language: string): Promise<readonly TranslationCounts[]> {
  const { rows } = await sql<TranslationCounts>`
    with told as (
      select o.id, o.area, coalesce(min(t.status), 0) as status
      from translation_originals o left join translations t on t.original_id = o.id and t.language = ${language}
      group by o.id
    )
    select area, count(*) as all, count(*) filter (where status = 0) as missing,
      count(*) filter (where status in (1, 3)) as machine, count(*) filter (where status = 2) as reviewed
    from told group by area order by case area when 'interface' then 0 when 'content' then 1 else 2 end`.execute(db)
  return rows
}

/** Finds originals with exactly this text; without an area, those of the interface first. */
export async function findOriginals(
  db: Kysely<Schema>,
  text: string,
  area?: TranslationArea,
): Promise<readonly { id: number; area: TranslationArea; context: string; markup: boolean }[]> {
  const { rows } = await sql<{ id: number; area: TranslationArea; context: string; markup: boolean }>`
    select id, area, context, markup from translation_originals
    where original = ${text} and (${area ?? null}::text is null or area = ${area ?? null})
    order by case area when 'interface' then 0 when 'content' then 1 else 2 end, context, id`.execute(db)
  return rows
}
