import { foldedName } from '#domain/addresses/folded-name.ts'
import type { Choice } from '../../../browser/adapters/addresses/searchable-select/choices.ts'
import { isRecord, parseJson, request } from '../../../browser/runtime/request.ts'

export type ChoicePage = { readonly choices: readonly Choice[]; readonly more: boolean }

/** Those whose text contains the term, whatever its case and accents, in the order of the list. */
export function matchingChoices(choices: readonly Choice[], term: string): readonly Choice[] {
  if (term.trim() === '') return choices
  const wanted = foldedName(term)
  return wanted === '' ? [] : choices.filter(({ text }) => foldedName(text).includes(wanted))
}

/** Returns true if an entry starts with the term: `ger` selects Germany before Algeria. */
export function beginsWith({ text }: Choice, term: string): boolean {
  const wanted = foldedName(term)
  return wanted !== '' && foldedName(text).startsWith(wanted)
}

/**
 * Loads a page of options from the select's URL: `{ results: [{ id, text }], pagination: { more } }`.
 * @throws an error without a valid response; an `AbortError` when the caller aborted.
 */
export async function loadChoices(url: string, term: string, page: number, signal: AbortSignal): Promise<ChoicePage> {
  const address = new URL(url, location.href)
  const query = { term, q: term, _type: page > 1 ? 'query:append' : 'query', ...(page > 1 ? { page } : {}) }
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, String(value))
  const { ok, status, text } = await request(address.href, { signal })
  const answer = parseJson(text)
  if (!ok || !isRecord(answer) || !Array.isArray(answer.results)) throw new Error(`no options at ${url}: ${status}`)
  return {
    choices: answer.results.filter(isRecord).map((result) => ({
      id: String(result.id ?? ''),
      text: String(result.text ?? ''),
      disabled: result.disabled === true,
    })),
    more: isRecord(answer.pagination) && answer.pagination.more === true,
  }
}
