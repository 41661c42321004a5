import { campaignParameter } from '#contract/statistics/statistics.ts'

/** Parameters of the listing itself, of other requests, or of the ordering form. */
const own =
  /^(?:filter_.*|query_type_.*|min_price|max_price|orderby|submit|paged|product-page|s|post_type|wc-ajax|_wpnonce|add-to-cart|added-to-cart|quantity|remove_item|undo_item|removed_item|remove_coupon|order_again)$/s

/** Click ids, which advertising and email programs append to every link. */
const click =
  /^(?:fbclid|msclkid|dclid|gclsrc|gbraid|wbraid|gad_source|gad_campaignid|srsltid|ttclid|twclid|li_fat_id|igshid|epik|rdt_cid|ScCid|irclickid|mc_[ce]id|_hsenc|_hsmi|_kx|mkt_tok|mtm_[a-z]+|pk_[a-z]+|_gl)$/

/**
 * Returns the parameters of themes and extensions, which the ordering form passes on. Campaign parameters are excluded:
 * they are read at the start of a visit, and a page that prints its parameters cannot be cached. Visitors of an
 * advertisement should get the cached page.
 */
export function otherParameters(params: URLSearchParams): [string, string][] {
  return [...params].filter(
    ([name]) => name !== '' && !own.test(name) && !campaignParameter.test(name) && !click.test(name),
  )
}
