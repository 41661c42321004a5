import { campaignParameter } from '#contract/statistics/statistics.ts'

/** What a listing itself gives a meaning to, has one for another request alone, or is the ordering form's own. */
const own =
  /^(?:filter_.*|query_type_.*|min_price|max_price|orderby|submit|paged|product-page|s|post_type|wc-ajax|_wpnonce|add-to-cart|added-to-cart|quantity|remove_item|undo_item|removed_item|remove_coupon|order_again)$/s

/** Numbers of single clicks, which advertising and mail programs put behind every link that they show. */
const click =
  /^(?:fbclid|msclkid|dclid|gclsrc|gbraid|wbraid|gad_source|gad_campaignid|srsltid|ttclid|twclid|li_fat_id|igshid|epik|rdt_cid|ScCid|irclickid|mc_[ce]id|_hsenc|_hsmi|_kx|mkt_tok|mtm_[a-z]+|pk_[a-z]+|_gl)$/

/**
 * The parameters of a listing's address that are somebody else's, a theme's or an extension's: the ordering form sends them
 * along. Those of campaigns, which are read where the visit begins, are not among them: a page that shows what only its
 * address says is kept for nobody, and whoever comes by an advertisement is to get the page that is ready.
 */
export function otherParameters(params: URLSearchParams): [string, string][] {
  return [...params].filter(
    ([name]) => name !== '' && !own.test(name) && !campaignParameter.test(name) && !click.test(name),
  )
}
