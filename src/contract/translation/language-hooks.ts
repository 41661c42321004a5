/** Hooks of the language links, see `hooks.ts`. Needed after the first user activity. */
export const languageHooks = {
  /** Contains links to the page in other languages; each has its own `hreflang`. */
  links: '[data-languages]',
  link: '[data-languages] a[hreflang]',
  /** Opens as a list. */
  menu: '[data-languages] details',
  /** Offers the visitor's language; its texts are in its data, by language. */
  offer: '.language-offer',
  /** The language that the visitor selected by a link. It never causes a redirect. */
  chosenCookie: 'lang',
  /** Stores that the offer was dismissed. */
  hintCookie: 'lang_hint',
  dismissed: 'dismissed',
} as const
