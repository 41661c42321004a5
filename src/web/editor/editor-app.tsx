import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { EditedText } from '#contract/translation/edit-translations.ts'
import { type EditorFacts, editorUrl, type FrameText, type FromFrame } from '#contract/translation/editor.ts'
import { pathIn } from '#contract/translation/languages.ts'
import { growl } from '../browser/adapters/notices/toast.ts'
import { fetchTexts } from './edit-calls.ts'
import { EditorBar } from './editor-bar.tsx'
import type { EditorWords } from './editor-words.ts'
import { LeaveDialog } from './leave-dialog.tsx'
import { TextForm } from './text-form.tsx'
import { filterTexts, type ListFilter, TextList } from './text-list.tsx'
import { statusOf } from './text-status.ts'
import { useDrafts } from './use-drafts.ts'
import { useFrame } from './use-frame.ts'

/** The whole editor: the choice of texts, the shop in its frame, and the translations of the chosen text. */
export function EditorApp({ facts, words }: { facts: EditorFacts; words: EditorWords }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [progress, setProgress] = useState<Readonly<Record<string, number>>>({})
  const languages = useMemo(
    () => facts.languages.map((one) => ({ ...one, done: progress[one.tag] ?? one.done })),
    [facts, progress],
  )
  const [tag, setTag] = useState(facts.language)
  const language = languages.find((one) => one.tag === tag) ?? languages[0]
  const [path, setPath] = useState(facts.path)
  // The page that the frame is told to show; later navigation in the frame does not change it.
  const [address, setAddress] = useState({ path: facts.path, tag, at: 0 })
  const [here, setHere] = useState<readonly FrameText[] | null>(null)
  const [lost, setLost] = useState(false)
  const [known, setKnown] = useState<ReadonlyMap<number, EditedText>>(new Map())
  const [chosen, setChosen] = useState<number | null>(null)
  const [wanted, setWanted] = useState<number | null>(null)
  const [picking, setPicking] = useState(true)
  const [filter, setFilter] = useState<ListFilter>({ search: '', status: null })
  const [told, setTold] = useState('')

  const text = chosen === null ? undefined : known.get(chosen)
  const learn = useCallback((texts: readonly EditedText[]) => {
    setKnown((before) => new Map([...before, ...texts.map((one): [number, EditedText] => [one.id, one])]))
  }, [])
  const reloadFrame = useCallback(() => setAddress((one) => ({ ...one, path, at: one.at + 1 })), [path])

  const tell = useFrame(frame, (message) => heard(message))
  const drafts = useDrafts({
    facts,
    words,
    text,
    languages,
    current: language,
    learn,
    onSaved: (saved, of, forms, done) => {
      setProgress((before) => ({ ...before, [of]: done }))
      if (of !== tag) return
      // The page renders markup itself; the editor never writes it into the page.
      if (saved.markup) reloadFrame()
      else tell({ type: 'saved', id: saved.id, forms })
    },
  })

  const listed = useMemo(
    () => (language ? filterTexts(here ?? [], known, language, filter) : []),
    [here, known, language, filter],
  )

  const choose = (id: number, scroll: boolean) => {
    drafts.discard()
    setChosen(id)
    setWanted(null)
    setTold('')
    tell({ type: 'select', id, scroll })
  }
  const ask = (id: number, scroll = true) => {
    if (id === chosen) return tell({ type: 'select', id, scroll })
    if (drafts.dirty) setWanted(id)
    else choose(id, scroll)
  }
  const step = (by: 1 | -1, from = chosen) => {
    const at = listed.findIndex(({ id }) => id === from)
    const next = listed[at < 0 ? 0 : at + by]
    if (next) ask(next.id)
    return next
  }
  const save = async (andNext: boolean) => {
    // Read before saving: the saved text may leave the filtered list.
    const at = listed.findIndex(({ id }) => id === chosen)
    const next = listed[at + 1]
    if (!(await drafts.save())) return
    growl(words.saved)
    if (andNext && next) choose(next.id, true)
  }
  const keys = (key: (FromFrame & { type: 'key' })['key']) => {
    if (key === 'save') void save(false)
    else if (key === 'discard') drafts.discard()
    else step(key === 'next' ? 1 : -1)
  }

  function heard(message: FromFrame): void {
    switch (message.type) {
      case 'ready':
        setLost(false)
        setPath(message.path)
        tell({ type: 'mode', picking })
        break
      case 'strings': {
        setHere(message.texts)
        const missing = message.texts.map(({ id }) => id).filter((id) => !known.has(id))
        if (missing.length > 0)
          void fetchTexts(facts, missing).then((outcome) => {
            if (outcome.ok) learn(outcome.answer)
            else setTold(outcome.why === 'logged-out' ? words.loggedOut : words.lost)
          })
        if (chosen !== null) tell({ type: 'select', id: chosen, scroll: false })
        break
      }
      case 'select':
        ask(message.id, false)
        break
      case 'key':
        keys(message.key)
        break
      case 'leaves':
        setTold(message.outside ? words.outside : words.notHere)
    }
  }

  useEffect(() => {
    if (!language || !here) return
    const of = here.flatMap(({ id }): [number, number][] => {
      const one = known.get(id)
      return one ? [[id, statusOf(one, language)]] : []
    })
    tell({ type: 'statuses', of })
  }, [here, known, language, tell])

  const latestKeys = useRef(keys)
  useEffect(() => {
    latestKeys.current = keys
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const name = event.key.toLowerCase()
      const key =
        (event.ctrlKey || event.metaKey) && !event.altKey && name === 's'
          ? 'save'
          : event.ctrlKey && event.altKey
            ? ({ arrowright: 'next', arrowleft: 'previous', z: 'discard' } as const)[name]
            : undefined
      if (!key) return
      event.preventDefault()
      latestKeys.current(key)
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
  useEffect(() => {
    if (!drafts.dirty) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [drafts.dirty])

  const shown = languages.find((one) => one.tag === address.tag) ?? language
  if (!language || !shown) return null
  const source = editorUrl(pathIn(shown.slug, address.path), facts.key)
  const go = (to: string, of = tag) => {
    setHere(null)
    setTag(of)
    setPath(to)
    setAddress((one) => ({ path: to, tag: of, at: one.at + 1 }))
  }

  return (
    <>
      <EditorBar
        words={words}
        facts={facts}
        languages={languages}
        language={language}
        path={path}
        picking={picking}
        onLanguage={(of) => go(path, of)}
        onPath={(to) => go(to)}
        onMode={(mode) => {
          setPicking(mode)
          setTold('')
          tell({ type: 'mode', picking: mode })
        }}
      />
      <aside className="editor-panel" aria-label={words.translation}>
        {text ? (
          <TextForm
            key={text.id}
            words={words}
            facts={facts}
            text={text}
            here={here?.find(({ id }) => id === text.id)}
            language={language}
            languages={languages}
            drafts={drafts}
            learn={learn}
            onSave={(andNext) => void save(andNext)}
            onStep={step}
            onPreview={(forms) => tell({ type: 'preview', id: text.id, forms })}
            onRestored={(restored, forms) => {
              if (restored.markup) reloadFrame()
              else tell({ type: 'saved', id: restored.id, forms })
              growl(words.saved)
            }}
          />
        ) : (
          <p className="editor-hint">{words.nothingChosen}</p>
        )}
        <p className="editor-told" role="status">
          {told}
        </p>
        <TextList
          words={words}
          language={language}
          texts={listed}
          known={known}
          chosen={chosen}
          loading={here === null && !lost}
          filter={filter}
          onFilter={setFilter}
          onChoose={(id) => ask(id)}
        />
      </aside>
      <div className="editor-stage">
        {lost && (
          <div className="editor-lost">
            <p>{words.lost}</p>
            <button type="button" className="button" onClick={() => window.location.reload()}>
              {words.reload}
            </button>
          </div>
        )}
        <iframe
          key={`${source} ${address.at}`}
          ref={frame}
          className="editor-frame"
          title={words.frame}
          src={source}
          onLoad={({ currentTarget }) => setLost(!isEdited(currentTarget))}
        />
      </div>
      <LeaveDialog
        words={words}
        open={wanted !== null}
        onSave={async () => {
          if ((await drafts.save()) && wanted !== null) choose(wanted, true)
          else setWanted(null)
        }}
        onDiscard={() => {
          drafts.discard()
          if (wanted !== null) choose(wanted, true)
        }}
        onStay={() => setWanted(null)}
      />
    </>
  )
}

/** A refused page, or one of another origin, cannot be read or has no editor facts. */
function isEdited(frame: HTMLIFrameElement): boolean {
  try {
    return frame.contentDocument?.getElementById('vitrine-editor-frame') !== null
  } catch {
    return false
  }
}
