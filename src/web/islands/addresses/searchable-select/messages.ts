import type { SelectTexts } from '#contract/shared/browser-settings.ts'

/** The messages of a searchable select. */
export type SelectMessages = {
  none: string
  failed: string
  searching: string
  more: string
  tooShort(missing: number): string
  tooLong(surplus: number): string
  tooMany(most: number): string
  found(count: number): string
}

const count = (text: string, quantity: number) => text.replace('%qty%', String(quantity))

/** Returns the library's default messages, overridden by the shop's. */
export function selectMessages(shop: Partial<SelectTexts>): SelectMessages {
  const {
    i18n_no_matches: none = 'No results found',
    i18n_searching: searching = 'Searching…',
    i18n_load_more: more = 'Loading more results…',
    i18n_ajax_error: failed = 'The results could not be loaded.',
    i18n_input_too_short_1: short1 = 'Please enter 1 or more characters',
    i18n_input_too_short_n: shortN = 'Please enter %qty% or more characters',
    i18n_input_too_long_1: long1 = 'Please delete 1 character',
    i18n_input_too_long_n: longN = 'Please delete %qty% characters',
    i18n_selection_too_long_1: many1 = 'You can only select 1 item',
    i18n_selection_too_long_n: manyN = 'You can only select %qty% items',
    i18n_results_1: found1 = '1 result',
    i18n_results_n: foundN = '%qty% results',
  } = shop
  return {
    none,
    failed,
    searching,
    more,
    tooShort: (missing) => (missing === 1 ? short1 : count(shortN, missing)),
    tooLong: (surplus) => (surplus === 1 ? long1 : count(longN, surplus)),
    tooMany: (most) => (most === 1 ? many1 : count(manyN, most)),
    found: (quantity) => (quantity === 1 ? found1 : count(foundN, quantity)),
  }
}
