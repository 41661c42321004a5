import { type Kysely, sql } from 'kysely'
import type { Schema } from '../engine/schema/schema.ts'
import type { PluralForm, TranslationArea } from '../engine/schema/translation.ts'
import { type TranslationStatus, translationKey } from './translations.ts'

/** Queries of the translation editor. */

export type EditedOriginal = {
  readonly id: number
  readonly area: TranslationArea
  readonly context: string
  readonly original: string
  readonly markup: boolean
  /** The page where it first appeared; '' if unknown. */
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
 * Finds originals by their displayed text in a language: the translation, or the original where there is none. If
 * several originals have the same translation, the first one is returned.
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
  /** 0 also matches missing translations. */
  readonly status?: TranslationStatus | undefined
  readonly area?: TranslationArea | undefined
  /** Found in the original or the translation, case-insensitively. */
  readonly search?: string | undefined
}

/** Returns the worst status of a text's plural forms: a missing one makes the whole text untranslated. */
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

/** Returns the share of translated texts by language. Parts of addresses are optional and not counted. */
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
