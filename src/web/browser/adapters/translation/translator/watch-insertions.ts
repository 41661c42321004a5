import { settings } from '../../../runtime/settings.ts'

/**
 * Starts the translator when content is inserted into a translated page: a page without insertions does not load it.
 */
export function watchAddedNodes(): void {
  const missed: MutationRecord[][] = []
  const watch = new MutationObserver((found) => {
    if (missed.push(found) > 1) return
    void import('./start-translator.ts').then(({ startTranslator }) => startTranslator(watch, missed))
  })
  watch.observe(document.body, {
    subtree: true,
    childList: true,
    characterData: true,
    // Proof of the cast: the server prints all of these settings, and only then is this called.
    attributeFilter: settings('trp_data').trp_attributes_accessors as string[],
  })
}
