import { useState } from 'react'
import type { EditedText, SaveRefusal } from '#contract/translation/edit-translations.ts'
import type { EditorFacts, EditorLanguage } from '#contract/translation/editor.ts'
import { saveText } from './edit-calls.ts'
import type { EditorWords } from './editor-words.ts'
import { formsOf, revisionsOf, translatedForms } from './text-status.ts'

/** The drafts of the chosen text, by language and form, and the results of saving. */
export type Drafts = {
  readonly dirty: boolean
  readonly saving: boolean
  readonly fault: string
  /** Set after a conflict: another translator saved this language first; the text has their version. */
  readonly stale: string | null
  valueOf(language: EditorLanguage, form: string): string
  isDirty(language: EditorLanguage): boolean
  write(language: EditorLanguage, form: string, value: string): Readonly<Record<string, string>>
  discard(): void
  /** Overwrites the version that another translator saved meanwhile. */
  keepMine(): void
  takeTheirs(): void
  /** @returns whether all drafts were saved */
  save(): Promise<boolean>
}

type Written = Readonly<Record<string, Readonly<Record<string, string>>>>

export function useDrafts({
  facts,
  words,
  text,
  languages,
  current,
  learn,
  onSaved,
}: {
  facts: EditorFacts
  words: EditorWords
  text: EditedText | undefined
  languages: readonly EditorLanguage[]
  /** The language that the frame shows. */
  current: EditorLanguage | undefined
  learn: (texts: readonly EditedText[]) => void
  onSaved: (text: EditedText, language: string, forms: Record<string, string>, done: number) => void
}): Drafts {
  const [written, setWritten] = useState<Written>({})
  // The revisions read when editing began: they reveal later saves by others.
  const [seen, setSeen] = useState<Readonly<Record<string, Record<string, number>>>>({})
  const [saving, setSaving] = useState(false)
  const [fault, setFault] = useState('')
  const [stale, setStale] = useState<string | null>(null)
  function discard(): void {
    setWritten({})
    setSeen({})
    setFault('')
    setStale(null)
  }
  const savedForms = (language: EditorLanguage) => (text ? translatedForms(text, language) : {})
  const isDirty = (language: EditorLanguage) => {
    const saved = savedForms(language)
    return Object.entries(written[language.tag] ?? {}).some(([form, value]) => value !== (saved[form] ?? ''))
  }
  const dirtyOnes = languages.filter(isDirty)
  const saidNow = (language: EditorLanguage, form: string) =>
    written[language.tag]?.[form] ?? savedForms(language)[form] ?? ''

  return {
    dirty: dirtyOnes.length > 0,
    saving,
    fault,
    stale,
    valueOf: saidNow,
    isDirty,
    write(language, form, value) {
      const forms = { ...written[language.tag], [form]: value }
      setWritten((before) => ({ ...before, [language.tag]: { ...before[language.tag], [form]: value } }))
      if (text && !seen[language.tag]) setSeen((before) => ({ ...before, [language.tag]: revisionsOf(text, language) }))
      setFault('')
      return { ...savedForms(language), ...forms }
    },
    discard,
    keepMine() {
      setStale(null)
      if (text) setSeen(Object.fromEntries(languages.map((language) => [language.tag, revisionsOf(text, language)])))
    },
    takeTheirs: discard,
    async save() {
      // Saving an unchanged machine translation confirms it.
      return saveAll(dirtyOnes.length > 0 || !current ? dirtyOnes : [current])
    },
  }

  async function saveAll(all: readonly EditorLanguage[]): Promise<boolean> {
    if (!text || saving) return false
    setSaving(true)
    setFault('')
    let whole = true
    for (const language of all) whole = (await saveOne(text, language)) && whole
    setSaving(false)
    return whole
  }

  async function saveOne(of: EditedText, language: EditorLanguage): Promise<boolean> {
    const revisions = seen[language.tag] ?? revisionsOf(of, language)
    const forms = Object.fromEntries(
      formsOf(of, language).map((form) => [
        form,
        { translated: saidNow(language, form), revision: revisions[form] ?? 0 },
      ]),
    )
    const status = Object.values(forms).every(({ translated }) => translated.trim() === '') ? 0 : 2
    const outcome = await saveText(facts, { id: of.id, language: language.tag, forms, status })
    if (!outcome.ok) {
      setFault(outcome.why === 'logged-out' ? words.loggedOut : words.failed)
      return false
    }
    const { answer } = outcome
    if (answer.text) learn([answer.text])
    if (!answer.ok) {
      if (answer.reason === 'stale') setStale(language.tag)
      else setFault(words.refused[answer.reason satisfies Exclude<SaveRefusal, 'stale'>])
      return false
    }
    setWritten(({ [language.tag]: _, ...others }) => others)
    setSeen(({ [language.tag]: _, ...others }) => others)
    onSaved(answer.text, language.tag, translatedForms(answer.text, language), answer.progress)
    return true
  }
}
