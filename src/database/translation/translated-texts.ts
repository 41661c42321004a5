import type { Sql } from '../engine/driver/sql.ts'

/** Upper bound for names of products, categories and values. */
const longestName = 300

/** Returns the translations of the merchant's short plain texts in a language, by original. */
export function translatedTexts(sql: Sql, language: string): AsyncIterable<{ original: string; translated: string }[]> {
  return sql<{ original: string; translated: string }[]>`
    select o.original, t.translated
    from translations t join translation_originals o on o.id = t.original_id
    where t.language = ${language} and t.form = '' and t.status <> 0 and t.translated <> ''
      and o.area = 'content' and not o.markup and char_length(o.original) <= ${longestName}`.cursor(2000)
}
