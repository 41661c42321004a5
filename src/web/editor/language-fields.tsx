import { useId } from 'react'
import type { EditedText } from '#contract/translation/edit-translations.ts'
import type { EditorLanguage } from '#contract/translation/editor.ts'
import type { EditorWords } from './editor-words.ts'
import { StatusDot } from './text-list.tsx'
import { formsOf, statusOf } from './text-status.ts'
import type { Drafts } from './use-drafts.ts'

type Props = {
  words: EditorWords
  text: EditedText
  language: EditorLanguage
  drafts: Drafts
  /** Set for the language that the frame shows. */
  onPreview?: (forms: Record<string, string>) => void
  lead?: boolean
}

/** The fields of a text in a language: one, or one for each plural form. */
export function LanguageFields({ words, text, language, drafts, onPreview, lead = false }: Props) {
  const id = useId()
  const forms = formsOf(text, language)
  return (
    <fieldset className="editor-language" data-dirty={drafts.isDirty(language) || undefined}>
      <legend>
        {!lead && <StatusDot words={words} status={statusOf(text, language)} />}
        <span lang={language.tag} translate="no">
          {language.name}
        </span>
        {drafts.isDirty(language) && <span className="editor-kind">{words.unsaved}</span>}
      </legend>
      {forms.map((form) => {
        const example = language.plurals.find((one) => one.form === form)?.example
        const value = drafts.valueOf(language, form)
        const name = form === '' ? words.translation : words.forms[form as keyof EditorWords['forms']]
        return (
          <div key={form} className="editor-form-field">
            {/* Replaces the label of a single field: the legend names it. */}
            <label htmlFor={`${id}${form}`} className={form === '' ? 'screen-reader-text' : undefined}>
              {name}
              {form !== '' && example !== undefined && (
                <span className="editor-kind">{words.formExample.replace('%s', String(example))}</span>
              )}
            </label>
            <textarea
              id={`${id}${form}`}
              lang={language.tag}
              dir={language.dir}
              rows={rowsOf(value || text.original)}
              value={value}
              spellCheck
              onChange={({ target }) => {
                const now = drafts.write(language, form, target.value)
                onPreview?.({ ...now })
              }}
            />
          </div>
        )
      })}
    </fieldset>
  )
}

/** Returns the number of rows for a text, within limits. */
function rowsOf(text: string): number {
  return Math.min(12, Math.max(2, Math.ceil(text.length / 38) + text.split('\n').length - 1))
}
