/** What takes another page's place where a listing is swapped; what leads there is in `hooks.ts`. */
export const swapHooks = {
  listing: '.listing',
  results: '.listing-results',
  nothingFound: '.woocommerce-no-products-found',
} as const
