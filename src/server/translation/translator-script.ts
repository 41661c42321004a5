import { printedSettings, type ScriptSettings } from '#contract/shared/browser-settings.ts'
import type { ShopSettings } from '#contract/shared/settings.ts'
import { urls } from '#contract/shared/urls.ts'
import { ownLanguage } from '#contract/translation/languages.ts'
import {
  type TranslatorSettings,
  translatedAttributes,
  translateNonce,
  translatePath,
  wireLanguage,
} from '#contract/translation/translate.ts'
import { nonceFor } from '../http/security/nonce.ts'
import type { Application } from '../operations/startup/application.ts'

/**
 * Excluded elements: those that declare it, that are not text, that are already marked, and the lists of countries and
 * states.
 */
const skipSelectors = [
  '[data-no-translation]',
  '[data-no-dynamic-translation]',
  'script',
  'style',
  'head',
  'translate-press',
  '[data-trp-translate-id]',
  '[data-trpgettextoriginal]',
  '.translation-block',
  '#billing_country',
  '#shipping_country',
  '#billing_state',
  '#shipping_state',
  '#calc_shipping_country',
  '#calc_shipping_state',
  '.select2-selection__rendered',
  '.select2-results',
] as const

const baseSelectors = ['data-trp-translate-id', 'data-trpgettextoriginal', 'data-trp-post-slug'] as const

/** Excluded parts of addresses: advertisements count clicks by theirs, and images are the same in all languages. */
const skipParts = {
  href: ['amazon-adsystem', 'googleads', 'g.doubleclick'],
  src: ['/media/'],
  srcset: ['/media/'],
} as const

/**
 * Returns the settings that let scripts translate texts added to a page later. A page in the shop's own language prints
 * none, so its scripts send no requests.
 */
export function translatorScript({
  tools,
  secret,
  language,
  languages,
}: Pick<Application, 'tools' | 'secret' | 'language' | 'languages'>): Record<string, unknown> {
  const { translation } = tools.settings
  if (language.slug === '' || !translation.dynamic) return {}
  // Without a session: the page may be shared.
  const nonce = nonceFor(secret, translateNonce, '', tools.clock.now())
  const before = made.get(tools.settings)
  if (before?.nonce === nonce) return before.printed
  const current = wireLanguage(language.tag)
  const settings: TranslatorSettings = {
    trp_custom_ajax_url: translatePath,
    trp_wp_ajax_url: urls.adminAjax,
    trp_language_to_query: current,
    trp_original_language: wireLanguage(ownLanguage(languages()).tag),
    trp_current_language: current,
    trp_skip_selectors: [...skipSelectors, ...translation.skipSelectors],
    trp_base_selectors: baseSelectors,
    trp_attributes_selectors: translatedAttributes,
    trp_attributes_accessors: [...new Set(Object.values(translatedAttributes).map(({ accessor }) => accessor))],
    gettranslationsnonceregular: nonce,
    showdynamiccontentbeforetranslation: translation.showBeforeTranslation ? '1' : '',
    skip_strings_from_dynamic_translation: translation.skipTexts,
    skip_strings_from_dynamic_translation_for_substrings: skipParts,
    duplicate_detections_allowed: String(translation.duplicateDetections),
    trp_translate_numerals_opt: translation.numerals ? 'yes' : 'no',
    trp_no_auto_translation_selectors: ['[data-no-auto-translation]', ...translation.noMachineSelectors],
  }
  const name: keyof ScriptSettings = 'trp_data'
  const printed = { [name]: Object.freeze(printedSettings(settings)) }
  made.set(tools.settings, { nonce, printed })
  return printed
}

/** Cached per settings object: each language has its own. */
const made = new WeakMap<ShopSettings, { nonce: string; printed: Record<string, unknown> }>()
