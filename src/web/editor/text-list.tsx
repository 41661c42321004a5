import { useEffect, useRef } from 'react'
import type { EditedText } from '#contract/translation/edit-translations.ts'
import type { EditorLanguage, FrameText } from '#contract/translation/editor.ts'
import type { EditorWords } from './editor-words.ts'
import { StatusOptions } from './status-options.tsx'
import { inOneLine, statusOf, translatedForms } from './text-status.ts'

export type ListFilter = { readonly search: string; readonly status: 0 | 1 | 2 | 3 | null }

/** Returns the page's texts that match a filter, in page order. */
export function filterTexts(
  texts: readonly FrameText[],
  known: ReadonlyMap<number, EditedText>,
  language: EditorLanguage,
  { search, status }: ListFilter,
): readonly FrameText[] {
  const wanted = search.trim().toLocaleLowerCase(language.tag)
  return texts.filter(({ id, text }) => {
    const one = known.get(id)
    if (status !== null && (!one || statusOf(one, language) !== status)) return false
    if (wanted === '') return true
    const said = one ? [one.original, ...Object.values(translatedForms(one, language))] : []
    return [text, ...said].some((words) => words.toLocaleLowerCase(language.tag).includes(wanted))
  })
}

type Props = {
  words: EditorWords
  language: EditorLanguage
  texts: readonly FrameText[]
  known: ReadonlyMap<number, EditedText>
  chosen: number | null
  loading: boolean
  filter: ListFilter
  onFilter: (filter: ListFilter) => void
  onChoose: (id: number) => void
}

export function TextList({ words, language, texts, known, chosen, loading, filter, onFilter, onChoose }: Props) {
  const list = useRef<HTMLUListElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: every choice, here or in the frame, scrolls into view.
  useEffect(() => {
    const row = list.current?.querySelector<HTMLElement>('[aria-current]')
    const box = list.current
    if (!row || !box) return
    if (row.offsetTop < box.scrollTop || row.offsetTop + row.offsetHeight > box.scrollTop + box.clientHeight)
      box.scrollTop = row.offsetTop - box.clientHeight / 3
  }, [chosen])
  return (
    <section className="editor-list" aria-label={words.list} aria-busy={loading}>
      <div className="editor-filter">
        <input
          type="search"
          aria-label={words.find}
          placeholder={words.find}
          value={filter.search}
          onChange={({ target }) => onFilter({ ...filter, search: target.value })}
        />
        <select
          aria-label={words.status}
          value={filter.status ?? ''}
          onChange={({ target }) => onFilter({ ...filter, status: statusNamed(target.value) })}
        >
          <StatusOptions words={words} />
        </select>
      </div>
      {texts.length === 0 && !loading && <p className="editor-hint">{words.none}</p>}
      <ul ref={list} className="editor-texts-here">
        {texts.map(({ id, text, kind }) => {
          const one = known.get(id)
          const status = one ? statusOf(one, language) : undefined
          const name = kind in words.kinds ? words.kinds[kind as keyof EditorWords['kinds']] : ''
          return (
            <li key={id}>
              <button type="button" aria-current={id === chosen ? 'true' : undefined} onClick={() => onChoose(id)}>
                <StatusDot words={words} status={status} />
                <span className="editor-row-text" lang={language.tag} dir="auto">
                  {inOneLine(text)}
                </span>
                {name && <span className="editor-kind">{name}</span>}
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

export function StatusDot({ words, status }: { words: EditorWords; status: 0 | 1 | 2 | 3 | undefined }) {
  if (status === undefined) return <span className="editor-dot" />
  return (
    <span className="editor-dot" data-status={status} title={words.statuses[status]}>
      <span className="screen-reader-text">{words.statuses[status]}</span>
    </span>
  )
}

function statusNamed(value: string): ListFilter['status'] {
  return value === '0' ? 0 : value === '1' ? 1 : value === '2' ? 2 : value === '3' ? 3 : null
}
