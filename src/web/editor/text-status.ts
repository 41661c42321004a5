import type { EditedText } from '#contract/translation/edit-translations.ts'
import type { EditorLanguage } from '#contract/translation/editor.ts'

/** Returns the plural forms of a text in a language: one, or one for each category. */
export function formsOf({ plural }: EditedText, { plurals }: EditorLanguage): readonly string[] {
  return plural ? plurals.map(({ form }) => form) : ['']
}

/** Returns the status of a text in a language: that of its least finished form. */
export function statusOf(text: EditedText, language: EditorLanguage): 0 | 1 | 2 | 3 {
  const said: Readonly<Record<string, { status: 0 | 1 | 2 | 3; translated: string }>> = text.said[language.tag] ?? {}
  const all = formsOf(text, language).map((form) => said[form]?.status ?? 0)
  return all.includes(0) ? 0 : all.includes(1) ? 1 : all.includes(3) ? 3 : 2
}

/** Returns the current translations in a language, by form; '' for missing ones. */
export function translatedForms(text: EditedText, language: EditorLanguage): Record<string, string> {
  const said: Readonly<Record<string, { translated: string }>> = text.said[language.tag] ?? {}
  return Object.fromEntries(formsOf(text, language).map((form) => [form, said[form]?.translated ?? '']))
}

export function revisionsOf(text: EditedText, language: EditorLanguage): Record<string, number> {
  const said: Readonly<Record<string, { revision: number }>> = text.said[language.tag] ?? {}
  return Object.fromEntries(formsOf(text, language).map((form) => [form, said[form]?.revision ?? 0]))
}

/** Returns a text without its tags, for display in a line. */
export function inOneLine(text: string): string {
  return text
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
