import { type Kysely, sql } from 'kysely'
import type { Schema } from '../engine/schema/schema.ts'
import type { PluralForm, TranslationArea } from '../engine/schema/translation.ts'
import { type TranslationStatus, translationKey } from './translations.ts'

/** What the editor of translations asks of the memory. */

export type EditedOriginal = {
  readonly id: number
  readonly area: TranslationArea
  readonly context: string
  readonly original: string
  readonly markup: boolean
  /** The page on which it was first met; '' where that is not known. */
  readonly path: string
}

export type EditedTranslation = {
  readonly id: number
  readonly language: string
  readonly form: PluralForm
  readonly translated: string
  readonly status: TranslationStatus
  readonly engine: string
  readonly revision: number
}

const columns = sql`o.id, o.area, o.context, o.original, o.markup, o.first_seen_path as path`

export async function readEdited(
  db: Kysely<Schema>,
  ids: readonly number[],
): Promise<{ originals: readonly EditedOriginal[]; translations: readonly EditedTranslation[] }> {
  const [originals, translations] = await Promise.all([
    sql<EditedOriginal>`select ${columns} from translation_originals o where o.id = any(${[...ids]}::bigint[])`.execute(
      db,
    ),
    sql<EditedTranslation>`
      select original_id as id, language, form, translated, status, engine, revision
      from translations where original_id = any(${[...ids]}::bigint[])`.execute(db),
  ])
  return { originals: originals.rows, translations: translations.rows }
}

export type ShownText = {
  readonly id: number
  readonly area: TranslationArea
  readonly markup: boolean
  readonly text: string
}

/**
 * Originals by what a page in a language shows of them: their translation, or themselves where there is none. A text that
 * several originals are translated to is the first one's.
 */
export async function findShown(
  db: Kysely<Schema>,
  language: string,
  texts: readonly string[],
): Promise<readonly ShownText[]> {
  if (texts.length === 0) return []
  const keys = texts
    .flatMap((text) => [translationKey(text), translationKey(text, true)])
    .map((key) => key.toString('hex'))
  const { rows } = await sql<ShownText>`
    select o.id, o.area, o.markup, t.translated as text
    from translations t join translation_originals o on o.id = t.original_id
    where t.language = ${language} and t.status <> 0 and o.area <> 'slug' and t.translated = any(${[...texts]}::text[])
    union all
    select o.id, o.area, o.markup, o.original
    from translation_originals o
    where o.area = 'content' and o.key_hash in (select decode(key, 'hex') from unnest(${keys}::text[]) as given (key))
    order by 1`.execute(db)
  return rows
}

export type TextFilter = {
  readonly language: string
  /** 0 holds what was never translated. */
  readonly status?: TranslationStatus | undefined
  readonly area?: TranslationArea | undefined
  /** Found in the original and in the translation, whatever the case. */
  readonly search?: string | undefined
}

/** The worst status of the forms of a text: one that is missing makes the whole not translated. */
const statusIn = (language: string) =>
  sql`coalesce((select min(t.status) from translations t where t.original_id = o.id and t.language = ${language}), 0)`

function matching({ language, status, area, search }: TextFilter) {
  const wanted = `%${(search ?? '').replace(/[\\%_]/g, '\\$&')}%`
  return sql`
    where (${area ?? null}::text is null or o.area = ${area ?? null})
    and (${status ?? null}::int is null or ${statusIn(language)} = ${status ?? null}::int)
    and (${search ?? ''} = '' or o.original ilike ${wanted} or exists (
      select from translations t where t.original_id = o.id and t.language = ${language} and t.translated ilike ${wanted}))`
}

export async function searchTexts(
  db: Kysely<Schema>,
  filter: TextFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ ids: readonly number[]; total: number }> {
  const { rows } = await sql<{ id: number; total: number }>`
    select o.id, (count(*) over ())::int as total from translation_originals o ${matching(filter)}
    order by case o.area when 'content' then 0 when 'interface' then 1 else 2 end, o.id
    limit ${limit} offset ${offset}`.execute(db)
  return { ids: rows.map(({ id }) => id), total: rows[0]?.total ?? 0 }
}

export type LanguageProgress = { readonly total: number; readonly machine: number; readonly reviewed: number }

/** How much of all texts is translated, by language. Parts of addresses may stay as they are and are not counted. */
export async function readProgress(
  db: Kysely<Schema>,
  languages: readonly string[],
): Promise<ReadonlyMap<string, LanguageProgress>> {
  const { rows } = await sql<LanguageProgress & { language: string }>`
    select l.language,
      (select count(*)::int from translation_originals where area <> 'slug') as total,
      count(*) filter (where s.status in (1, 3))::int as machine,
      count(*) filter (where s.status = 2)::int as reviewed
    from unnest(${[...languages]}::text[]) as l (language)
    left join lateral (
      select min(t.status) as status from translations t join translation_originals o on o.id = t.original_id
      where t.language = l.language and o.area <> 'slug' group by t.original_id
    ) s on true
    group by l.language`.execute(db)
  return new Map(rows.map(({ language, ...progress }) => [language, progress]))
}
