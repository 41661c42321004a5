import type { ScriptSettings } from '#contract/shared/browser-settings.ts'
import { translatedAttributes, translateNonce } from '#contract/translation/translate.ts'
import type { FixtureShop, Seen } from './fixture-shop.ts'

type Settings = ScriptSettings['trp_data']

/** What a page in German prints for the translator. */
export function translatorSettings(more: Partial<Settings> = {}): { trp_data: Settings } {
  return {
    trp_data: {
      trp_custom_ajax_url: '/api/translate',
      trp_wp_ajax_url: '/wp-admin/admin-ajax.php',
      trp_language_to_query: 'de_DE',
      trp_original_language: 'en_US',
      trp_current_language: 'de_DE',
      trp_skip_selectors: [
        '[data-no-translation]',
        '[data-no-dynamic-translation]',
        'script',
        'style',
        'head',
        'translate-press',
      ],
      trp_base_selectors: ['data-trp-translate-id'],
      trp_attributes_selectors: translatedAttributes,
      trp_attributes_accessors: [...new Set(Object.values(translatedAttributes).map(({ accessor }) => accessor))],
      gettranslationsnonceregular: `n-${translateNonce}`,
      showdynamiccontentbeforetranslation: '1',
      skip_strings_from_dynamic_translation: [],
      skip_strings_from_dynamic_translation_for_substrings: { href: ['googleads'] },
      duplicate_detections_allowed: '100',
      trp_translate_numerals_opt: 'no',
      trp_no_auto_translation_selectors: ['[data-no-auto-translation]'],
      ...more,
    },
  }
}

export const words: Readonly<Record<string, string>> = {
  'Add to cart': 'In den Warenkorb',
  Reviews: 'Bewertungen',
  Reply: 'Antworten',
  length: 'Länge',
  ['__proto__']: 'Prototyp',
  constructor: 'Erbauer',
  Dollars: '$& $1 $$',
  'Hot & cold': 'Hei&szlig; &amp; &lt;b&gt;kalt&lt;/b&gt; <i>und</i> &amp;amp;',
  'Read more': 'Mehr lesen',
}

/** What the memory answers to one request. */
export function answerTo({ body }: Pick<Seen, 'body'>, known: Readonly<Record<string, string>> = words) {
  const originals: string[] = JSON.parse(body.get('originals') ?? '[]')
  return {
    json: originals.flatMap((original, at) => {
      const translated = Object.hasOwn(known, original) ? known[original] : undefined
      if (translated === undefined) return []
      const entry = { translated, status: 2, editedTranslation: translated }
      return [
        {
          type: 'regular',
          group: 'Dynamic Added Strings',
          original,
          dbID: at + 1,
          translationsArray: { de_DE: entry },
        },
      ]
    }),
  }
}

/** Every request of the translator, in order. */
export const asked = (shop: FixtureShop) =>
  shop.seen.filter(({ path }) => path === '/api/translate' || path === '/wp-admin/admin-ajax.php')

export const originalsOf = ({ body }: Seen): string[] => JSON.parse(body.get('originals') ?? '[]')
export const skippedOf = ({ body }: Seen): string[] => JSON.parse(body.get('skip_machine_translation') ?? '[]')
