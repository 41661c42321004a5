import type postgres from 'postgres'

/** No name of a product, a category or a value is longer. */
const longestName = 300

/** What a language says for short plain texts of the merchant, original by original. */
export function translatedTexts(
  sql: postgres.Sql,
  language: string,
): AsyncIterable<{ original: string; translated: string }[]> {
  return sql<{ original: string; translated: string }[]>`
    select o.original, t.translated
    from translations t join translation_originals o on o.id = t.original_id
    where t.language = ${language} and t.form = '' and t.status <> 0 and t.translated <> ''
      and o.area = 'content' and not o.markup and char_length(o.original) <= ${longestName}`.cursor(2000)
}
