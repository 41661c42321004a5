import { useState } from 'react'
import type { FormerText } from '#contract/translation/edit-translations.ts'
import { fetchHistory, undoText } from './edit-calls.ts'
import type { TextForm } from './text-form.tsx'
import { revisionsOf, translatedForms } from './text-status.ts'

/** The earlier translations of a text, loaded when opened. */
export function TextHistory({ words, facts, text, language, onRestored, learn }: Parameters<typeof TextForm>[0]) {
  const [former, setFormer] = useState<readonly FormerText[] | null>(null)
  const [fault, setFault] = useState('')
  const revisions = revisionsOf(text, language)
  const load = async () => {
    const outcome = await fetchHistory(facts, text.id, language.tag)
    if (outcome.ok) setFormer(outcome.answer)
    else setFault(words.failed)
  }
  const undo = async (form: string, to?: number) => {
    const place = { id: text.id, language: language.tag, form, revision: revisions[form] ?? 0 }
    const outcome = await undoText(facts, { ...place, ...(to === undefined ? {} : { to }) })
    if (!outcome.ok || !outcome.answer.ok) return setFault(words.failed)
    setFault('')
    learn([outcome.answer.text])
    onRestored(outcome.answer.text, translatedForms(outcome.answer.text, language))
  }
  const date = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'short' })
  const changed = Object.keys(revisions).filter((form) => (revisions[form] ?? 0) > 0)
  const before = (former ?? []).filter(({ form, revision }) => revision !== revisions[form])
  return (
    <details
      className="editor-more"
      onToggle={({ currentTarget }) => {
        if (currentTarget.open && former === null) void load()
      }}
    >
      <summary>{words.history}</summary>
      {former !== null && before.length === 0 && <p className="editor-hint">{words.noHistory}</p>}
      <ol className="editor-history">
        {before.map(({ form, revision, translated, status, engine, at, by }) => (
          <li key={`${form} ${revision}`}>
            <p lang={language.tag} dir="auto">
              {translated || '—'}
            </p>
            <p className="editor-note">
              {date.format(at)}, {words.statuses[status]}
              {by !== '' && `, ${words.by.replace('%s', () => by)}`}
              {engine !== '' && ` (${engine})`}
              {form !== '' && `, ${form}`}
            </p>
            <button type="button" className="editor-quiet" onClick={() => void undo(form, revision)}>
              {words.restore}
            </button>
          </li>
        ))}
      </ol>
      {changed.length === 1 && (
        <button type="button" className="editor-quiet" onClick={() => void undo(changed[0] ?? '')}>
          {words.undo}
        </button>
      )}
      {fault && (
        <p className="editor-fault" role="alert">
          {fault}
        </p>
      )}
    </details>
  )
}
