import type { TranslatorSettings } from '#contract/translation/translate.ts'

/** What is no text but blanks, signs and figures. The double quote and other signs of currencies are text. */
const signs = String.raw`\s\u200B-\u200D\u2060\uFEFF.,/${'`'}~!@#$€£%^&*():;_=+[\]{}\\|?<>'-`

/**
 * What is never touched, whatever the settings say: what somebody types, what is marked as no language, what the browser itself
 * translates, and what React renders. Islands of React that hold foreign markup say so.
 */
const untouchable =
  'textarea,template,noscript,[contenteditable],[translate=no],.notranslate,font,[class^=translated-] *,[_msttexthash],vitrine-island:not([bare])'

/** Foreign markup inside of what is left alone. */
export const islandSelector = '[data-tm-island]'

export type SkipRules = {
  /** Matches what is left alone with all that is in it. */
  readonly selector: string
  /** Matches where no machine is wanted. */
  readonly noMachine: string
  isInside(element: Element): boolean
  isNoText(text: string): boolean
  /** @param name of the attribute; left out: it is a text */
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

/** A selector that the browser cannot read would take all others with it. Of a list in `:not()` every part must be sound. */
function valid(selectors: readonly string[]): string[] {
  return selectors.filter((selector) => CSS.supports(`selector(:not(${selector}))`))
}
