/** Hooks of what leads to a page's other languages, see `hooks.ts`. Needed once somebody is there. */
export const languageHooks = {
  /** Holds links to the page in other languages; each names its own by `hreflang`. */
  links: '[data-languages]',
  link: '[data-languages] a[hreflang]',
  /** Opens as a list. */
  menu: '[data-languages] details',
  /** Offers the language that the visitor reads; its texts are in its data, by language. */
  offer: '.language-offer',
  /** What the visitor has chosen by a link. Nobody is ever sent anywhere because of it. */
  chosenCookie: 'lang',
  /** That the offer was dismissed. */
  hintCookie: 'lang_hint',
  dismissed: 'dismissed',
} as const
