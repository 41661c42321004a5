import { pageJQuery } from '../../browser/runtime/events.ts'
import { type Choosable, choosable, isVariation } from './variation-choice.ts'

const name = 'product_variations'

/**
 * Reads, each time anew, what a form offers; false where the server is asked. Scripts that offer something else say so where the
 * ecosystem's own script looks, which is jQuery's data, or in the attribute. jQuery reads that once only: where it has
 * changed since, it is the newer of both.
 */
export function offeredVariations(form: HTMLFormElement): () => readonly Choosable[] | false {
  let before: string | undefined
  return () => {
    const text = form.dataset[name] || 'false'
    const ofScripts = pageJQuery()?.(form)
    if (before !== undefined && before !== text) ofScripts?.data(name, JSON.parse(text))
    before = text
    const data: unknown = ofScripts?.data(name) ?? JSON.parse(text)
    return Array.isArray(data) && data.every(isVariation) ? data.map(choosable) : false
  }
}
