import { pageJQuery } from '../../browser/runtime/events.ts'
import { type Choosable, choosable, isVariation } from './variation-choice.ts'

const name = 'product_variations'

/**
 * Returns the variations of a form, read on each call; false where the server is asked. Other scripts set them in
 * jQuery's data, where third-party scripts look, or in the attribute. jQuery reads the attribute only once: if it has
 * changed since, it is the newer value.
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
