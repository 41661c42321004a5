import { z } from 'zod'
import { currencyCode } from '#contract/currency/settings.ts'
import { urls } from '#contract/shared/urls.ts'
import { currencyCookieFor, currencyParameter, isChoosable } from '../../currency/currency-choice.ts'
import { convertPriceBounds } from '../../currency/price-bounds.ts'
import { refererPath, seeOther } from '../../http/redirect.ts'
import { isFromShop } from '../../http/security/origin-check.ts'
import type { Visit } from '../../http/visit.ts'

const choice = z.object({ currency: currencyCode, _wp_http_referer: z.string().max(4000).optional() })

/** Parameters of the page before that change something, and must not be repeated. */
const doing = [currencyParameter, '_wpnonce', 'add-to-cart', 'added-to-cart', 'remove_item', 'undo_item', 'order_again']

/**
 * Handles the currency switcher: stores the choice in a cookie, and shows the same page again. Cached pages have no
 * nonce; the origin is checked instead, and the form changes only the display of prices.
 */
export async function chooseCurrency(visit: Visit): Promise<Response> {
  const { app, request } = visit
  if (!isFromShop(visit)) return new Response('Foreign form', { status: 403 })
  const posted = choice.safeParse(await visit.fields())
  const from = refererPath(request, posted.data?._wp_http_referer, visit.path(urls.home()), doing)
  if (!posted.success || !isChoosable(app, posted.data.currency)) return seeOther(from)
  const shown = app.inCurrency(visit.shownCurrency).tools.exchange
  const answer = seeOther(convertPriceBounds(from, shown, app.inCurrency(posted.data.currency).tools.exchange))
  visit.setCookie(currencyCookieFor(app, posted.data.currency))
  // Prefetched and prerendered pages show the previous prices.
  answer.headers.set('Clear-Site-Data', '"prefetchCache", "prerenderCache"')
  return answer
}
