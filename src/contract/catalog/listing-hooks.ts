/** Parts that are replaced when a listing is swapped; the links that start a swap are in `hooks.ts`. */
export const swapHooks = {
  listing: '.listing',
  results: '.listing-results',
  nothingFound: '.woocommerce-no-products-found',
} as const
