/**
 * The data of a page in another language for its scripts, so that texts inserted later are translated too. Names belong
 * to the public interface; nothing here needs the schemas of the calls.
 */

/** The call's name at the platform's own endpoint, and in the field `action` at both. */
export const translateAction = 'trp_get_translations_regular'

/** The fast endpoint: it only looks up translations. */
export const translatePath = '/api/translate'

/** Action of the nonce of the platform's endpoint. */
export const translateNonce = 'gettranslationsnonceregular'

/** On the URL of a page that may be in the editor. */
export const editParameter = 'trp-edit-translation'

/** Limits of one request. A script with more texts sends several. */
export const translateLimits = { texts: 200, characters: 2000, bytes: 64 * 1024 } as const

/** An attribute of some elements. `accessor` names it; kinds of texts that are no attributes have no selector. */
export type TranslatedAttribute = { readonly selector?: string; readonly accessor: string; readonly attribute: boolean }

export type TranslatorSettings = {
  readonly trp_custom_ajax_url: string
  readonly trp_wp_ajax_url: string
  /** `de_DE`; empty: there is none. */
  readonly trp_language_to_query: string
  readonly trp_original_language: string
  readonly trp_current_language: string
  readonly trp_skip_selectors: readonly string[]
  /**
   * An element with one of these attributes, followed by `-` and an attribute's name, was served with that attribute
   * translated.
   */
  readonly trp_base_selectors: readonly string[]
  readonly trp_attributes_selectors: Readonly<Record<string, TranslatedAttribute>>
  readonly trp_attributes_accessors: string[]
  readonly gettranslationsnonceregular: string
  readonly showdynamiccontentbeforetranslation: '1' | ''
  readonly skip_strings_from_dynamic_translation: readonly string[]
  /** Attribute → parts of values that are not translated. */
  readonly skip_strings_from_dynamic_translation_for_substrings: Readonly<Record<string, readonly string[]>>
  readonly duplicate_detections_allowed: string
  readonly trp_translate_numerals_opt: 'yes' | 'no'
  readonly trp_no_auto_translation_selectors: readonly string[]
}

/** A translation on the wire. Texts are those of the request; `translated` is text in which `&` begins an entity. */
export type TranslationEntry = {
  readonly type: 'regular'
  readonly group: string
  readonly original: string
  readonly dbID?: number
  readonly translationsArray: Readonly<
    Record<string, { readonly translated: string; readonly status: number; readonly editedTranslation: string }>
  >
}

/** Returns the wire form of a language: `de-DE` is `de_DE`. */
export function wireLanguage(tag: string): string {
  return tag.replaceAll('-', '_')
}

const attribute = (selector: string, accessor: string): TranslatedAttribute => ({ selector, accessor, attribute: true })
const text = (accessor: string): TranslatedAttribute => ({ accessor, attribute: false })

/** The translated texts and attributes. */
export const translatedAttributes: TranslatorSettings['trp_attributes_selectors'] = {
  text: text('outertext'),
  block: text('innertext'),
  image_src: attribute('img[src]', 'src'),
  submit: attribute('input[type=submit],input[type=button],input[type=reset]', 'value'),
  placeholder: attribute('input[placeholder],textarea[placeholder]', 'placeholder'),
  title: attribute('[title]', 'title'),
  a_href: attribute('a[href]', 'href'),
  video_src: attribute('video[src]', 'src'),
  video_poster: attribute('video[poster]', 'poster'),
  video_source_src: attribute('video source[src]', 'src'),
  audio_src: attribute('audio[src]', 'src'),
  audio_source_src: attribute('audio source[src]', 'src'),
  picture_image_src: attribute('picture image[src]', 'src'),
  picture_source_srcset: attribute('picture source[srcset]', 'srcset'),
  aria_label: attribute('[aria-label]', 'aria-label'),
  image_alt: attribute('img[alt]', 'alt'),
}

/** URLs: never sent to an engine, never blank while waiting. */
export const addressAttributes: ReadonlySet<string> = new Set(['href', 'src', 'srcset', 'poster'])
