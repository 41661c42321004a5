import { settings } from '../../../runtime/settings.ts'

/**
 * A page in another language comes translated. What is put into it later wakes the translator, which takes over: a page where
 * nothing is put loads nothing.
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
    // Proof of the cast: the server prints these settings whole, and only then is this called.
    attributeFilter: settings('trp_data').trp_attributes_accessors as string[],
  })
}
