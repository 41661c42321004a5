import type { TranslatorSettings } from '#contract/translation/translate.ts'

/**
 * Characters that are not translated: whitespace, punctuation and digits. The double quote and other currency signs
 * count as text.
 */
const signs = String.raw`\s\u200B-\u200D\u2060\uFEFF.,/${'`'}~!@#$€£%^&*():;_=+[\]{}\\|?<>'-`

/**
 * Content that is never translated, whatever the settings: form input, elements marked as untranslatable, content that
 * the browser translates, and React's output. React islands with foreign markup are marked.
 */
const untouchable =
  'textarea,template,noscript,[contenteditable],[translate=no],.notranslate,font,[class^=translated-] *,[_msttexthash],vitrine-island:not([bare])'

/** Foreign markup inside of excluded content. */
export const islandSelector = '[data-tm-island]'

export type SkipRules = {
  /** Matches excluded elements with all their content. */
  readonly selector: string
  /** Matches elements without machine translation. */
  readonly noMachine: string
  isInside(element: Element): boolean
  isNoText(text: string): boolean
  /** @param name name of the attribute; missing for a text node */
  isListed(text: string, name?: string): boolean
}

export function skipRules(settings: TranslatorSettings): SkipRules {
  const noText = new RegExp(`^[${signs}${settings.trp_translate_numerals_opt === 'yes' ? '' : '\\d'}]*$`)
  const listed = new Set(settings.skip_strings_from_dynamic_translation.map((text) => text.trim()))
  const parts = new Map(Object.entries(settings.skip_strings_from_dynamic_translation_for_substrings))
  const selector = [untouchable, ...valid(settings.trp_skip_selectors)].join()
  const nearest = `${islandSelector},${selector}`
  return {
    selector,
    noMachine: valid(settings.trp_no_auto_translation_selectors).join() || ':not(*)',
    isInside: (element) => element.closest(nearest)?.matches(islandSelector) === false,
    isNoText: (text) => noText.test(text),
    isListed: (text, name = '') => listed.has(text) || (parts.get(name)?.some((part) => text.includes(part)) ?? false),
  }
}

/** Drops invalid selectors, which would invalidate the whole list. In a `:not()` list every part must be valid. */
function valid(selectors: readonly string[]): string[] {
  return selectors.filter((selector) => CSS.supports(`selector(:not(${selector}))`))
}
