import { useEffect, useMemo, useState } from 'react'
import type { Choice } from '../../../browser/adapters/addresses/searchable-select/choices.ts'
import { loadChoices, matchingChoices } from './options.ts'

/** A choice as an option of the list. */
export type FoundChoice = { readonly id: string; readonly disabled: boolean; readonly choice: Choice }

export type ChoiceSource = {
  /** Begins the ids of the options. */
  readonly id: string
  readonly choices: readonly Choice[]
  /** The URL from which options are loaded; undefined for options in the page. */
  readonly url: string | undefined
  readonly delayMs: number
  /** Minimum and maximum number of characters of a search. */
  readonly shortest: number
  readonly longest: number
}

export type Found = {
  readonly term: string
  readonly found: readonly FoundChoice[]
  readonly state: 'tooShort' | 'tooLong' | 'searching' | 'more' | 'failed' | 'done'
  search(term: string): void
  /** Asks for the next page if there is one. */
  askMore(): void
}

type Query = { readonly term: string; readonly page: number }
type Answer = {
  readonly to: Query
  readonly found: readonly FoundChoice[]
  readonly more: boolean
  readonly failed?: true
}

const none: readonly FoundChoice[] = []

/** The choices that match what is typed: of those in the page, or page by page from the select's URL. */
export function useFoundChoices(source: ChoiceSource, typedBefore: string): Found {
  const { id, choices, url, delayMs, shortest, longest } = source
  const [query, setQuery] = useState<Query>({ term: typedBefore, page: 1 })
  const [answer, setAnswer] = useState<Answer>()
  const { term } = query
  const length = term.trim().length
  const limit = length < shortest ? 'tooShort' : length > longest ? 'tooLong' : undefined

  const inPage = useMemo(() => asOptions(matchingChoices(choices, term), id), [choices, term, id])
  useEffect(() => {
    if (url === undefined || limit) return
    const asking = new AbortController()
    const { signal } = asking
    const ask = async () => {
      try {
        const { choices, more } = await loadChoices(url, query.term, query.page, signal)
        if (signal.aborted) return
        setAnswer((before) => {
          const former = query.page > 1 && before ? before.found : none
          return { to: query, found: [...former, ...asOptions(choices, id, former.length)], more }
        })
      } catch {
        if (!signal.aborted) setAnswer({ to: query, found: none, more: false, failed: true })
      }
    }
    const timer = setTimeout(ask, query.page === 1 ? delayMs : 0)
    return () => {
      clearTimeout(timer)
      asking.abort()
    }
  }, [url, limit, query, delayMs, id])

  const search = (wanted: string) => setQuery({ term: wanted, page: 1 })
  const is = (state: Found['state'], found: readonly FoundChoice[] = none, askMore = () => {}): Found => {
    return { term, found, state, search, askMore }
  }
  if (limit) return is(limit)
  if (url === undefined) return is('done', inPage)
  if (answer?.to !== query) return query.page === 1 || !answer ? is('searching') : is('more', answer.found)
  if (answer.failed) return is('failed')
  return is('done', answer.found, () => answer.more && setQuery({ term, page: query.page + 1 }))
}

function asOptions(choices: readonly Choice[], id: string, first = 0): FoundChoice[] {
  return choices.map((choice, place) => ({ id: `${id}-result-${first + place}`, disabled: choice.disabled, choice }))
}
