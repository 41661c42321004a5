import { useEffect, useRef, useState } from 'react'
import type { EditedText } from '#contract/translation/edit-translations.ts'
import type { EditorFacts, EditorLanguage, FrameText } from '#contract/translation/editor.ts'
import { suggestText } from './edit-calls.ts'
import type { EditorWords } from './editor-words.ts'
import { LanguageFields } from './language-fields.tsx'
import { TextHistory } from './text-history.tsx'
import { StatusDot } from './text-list.tsx'
import { statusOf } from './text-status.ts'
import type { Drafts } from './use-drafts.ts'

type Props = {
  words: EditorWords
  facts: EditorFacts
  text: EditedText
  /** The text on the page in the frame, if it has it. */
  here: FrameText | undefined
  language: EditorLanguage
  languages: readonly EditorLanguage[]
  drafts: Drafts
  onSave: (andNext: boolean) => void
  onStep: (by: 1 | -1) => void
  onPreview: (forms: Record<string, string>) => void
  onRestored: (text: EditedText, forms: Record<string, string>) => void
  learn: (texts: readonly EditedText[]) => void
}

/** The form of the chosen text: its original, and its translation in each language. */
export function TextForm(props: Props) {
  const { words, facts, text, here, language, languages, drafts, onSave, onStep, onPreview } = props
  const status = statusOf(text, language)
  const others = languages.filter(({ tag }) => tag !== language.tag)
  const form = useRef<HTMLFormElement>(null)
  const [machine, setMachine] = useState('')
  // The first field gets the focus when a text is chosen.
  useEffect(() => form.current?.querySelector('textarea')?.focus({ preventScroll: true }), [])
  const ask = async () => {
    setMachine(words.asking)
    const outcome = await suggestText(facts, text.id, language.tag)
    if (outcome.ok && outcome.answer.ok) {
      setMachine('')
      onPreview({ ...drafts.write(language, text.plural ? 'other' : '', outcome.answer.text) })
    } else {
      const limit = outcome.ok && !outcome.answer.ok && outcome.answer.reason === 'limit'
      setMachine(limit ? words.machineLimit : words.machineFailed)
    }
  }
  const kind = here && here.kind in words.kinds ? words.kinds[here.kind as keyof EditorWords['kinds']] : ''
  return (
    <form
      ref={form}
      className="editor-form"
      onSubmit={(event) => {
        event.preventDefault()
        onSave(false)
      }}
    >
      <div className="editor-heading">
        <span className="editor-status" data-status={status}>
          <StatusDot words={words} status={status} />
          <span aria-hidden="true">{words.statuses[status]}</span>
        </span>
        {kind && <span className="editor-kind">{kind}</span>}
        <span className="editor-steps">
          <button type="button" onClick={() => onStep(-1)} aria-label={words.previous} title={words.previous}>
            <span className="editor-arrow editor-arrow-back" />
          </button>
          <button type="button" onClick={() => onStep(1)} aria-label={words.next} title={words.next}>
            <span className="editor-arrow" />
          </button>
        </span>
      </div>
      <div className="editor-original">
        <h2>{words.original}</h2>
        <p
          lang={text.area === 'interface' ? 'en' : facts.own.tag}
          dir={text.area === 'interface' ? 'ltr' : facts.own.dir}
        >
          {text.original}
        </p>
        {text.markup && <p className="editor-note">{words.markup}</p>}
        {/%(?:\d+\$)?s/.test(text.original) && <p className="editor-note">{words.places}</p>}
      </div>
      {drafts.stale && (
        <div className="editor-stale" role="alert">
          <p>{words.stale}</p>
          {Object.entries(text.said[drafts.stale] ?? {}).map(([of, said]) => (
            <blockquote key={of} lang={drafts.stale ?? undefined} dir="auto">
              {said?.translated}
            </blockquote>
          ))}
          <div className="editor-actions">
            <button type="button" className="button" onClick={drafts.takeTheirs}>
              {words.takeTheirs}
            </button>
            <button type="button" className="button" onClick={drafts.keepMine}>
              {words.keepMine}
            </button>
          </div>
        </div>
      )}
      <LanguageFields words={words} text={text} language={language} drafts={drafts} onPreview={onPreview} lead />
      {status === 1 && !drafts.dirty && <p className="editor-note">{words.machineNote}</p>}
      {drafts.fault && (
        <p className="editor-fault" role="alert">
          {drafts.fault}
        </p>
      )}
      <div className="editor-actions">
        <button type="button" className="button alt" disabled={drafts.saving} onClick={() => onSave(true)}>
          {words.saveNext}
        </button>
        <button type="submit" className="button" disabled={drafts.saving}>
          {words.save}
        </button>
        {drafts.dirty && (
          <button type="button" className="button" onClick={drafts.discard}>
            {words.discard}
          </button>
        )}
        {facts.machine && (
          <button type="button" className="button" onClick={() => void ask()}>
            {words.useMachine}
          </button>
        )}
      </div>
      {machine && (
        <p className="editor-note" role="status">
          {machine}
        </p>
      )}
      {others.length > 0 && (
        <details className="editor-more">
          <summary>{words.others}</summary>
          {others.map((other) => (
            <LanguageFields key={other.tag} words={words} text={text} language={other} drafts={drafts} />
          ))}
        </details>
      )}
      <TextHistory {...props} key={JSON.stringify(text.said[language.tag] ?? {})} />
      <details className="editor-more">
        <summary>{words.shortcuts}</summary>
        <dl className="editor-keys">
          {(
            [
              ['Ctrl S', words.keys.save],
              ['Ctrl Alt →', words.keys.next],
              ['Ctrl Alt ←', words.keys.previous],
              ['Ctrl Alt Z', words.keys.discard],
            ] as const
          ).map(([key, what]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
      </details>
    </form>
  )
}
