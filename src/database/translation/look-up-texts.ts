import { type Kysely, sql } from 'kysely'
import type { Schema } from '../engine/schema/schema.ts'
import { type TranslationStatus, translationKey } from './translations.ts'

export type LookedUp = {
  readonly id: number
  /** The tag as in the settings; null: the original exists without a translation. */
  readonly language: string | null
  readonly translated: string
  readonly status: TranslationStatus
}

/**
 * Finds translations of plain texts in these languages, of the merchant's content or the shop's own interface. Inner
 * markup of an element is not plain text, and is not found. One indexed read-only query.
 * @returns results by the given text; unknown texts are missing
 */
export async function findTranslations(
  db: Kysely<Schema>,
  texts: readonly string[],
  languages: readonly string[],
): Promise<ReadonlyMap<string, readonly LookedUp[]>> {
  const keys = new Map(texts.map((text) => [text, translationKey(text).toString('hex')]))
  if (keys.size === 0) return new Map()
  const { rows } = await sql<LookedUp & { key: string }>`
    select encode(o.key_hash, 'hex') as key, o.id, t.language, coalesce(t.translated, '') as translated,
      coalesce(t.status, 0) as status
    from translation_originals o
    left join translations t on t.original_id = o.id and t.form = '' and t.language = any(${[...languages]}::text[])
    where o.area in ('content', 'interface') and o.context = '' and not o.markup
      and o.key_hash = any(array(select decode(key, 'hex') from unnest(${[...new Set(keys.values())]}::text[]) as given (key)))
    -- Human translations before machine translations, and the merchant's content before the interface.
    order by coalesce(t.status, 0) desc, o.area, o.id`.execute(db)
  const found = Map.groupBy(rows, ({ key }) => key)
  return new Map([...keys].flatMap(([text, key]) => (found.has(key) ? [[text, found.get(key) ?? []] as const] : [])))
}
