import { z } from 'zod'
import { currencyCode } from '#contract/currency/settings.ts'
import { urls } from '#contract/shared/urls.ts'
import { currencyCookieFor, currencyParameter, isChoosable } from '../../currency/currency-choice.ts'
import { boundsIn } from '../../currency/price-bounds.ts'
import { refererPath, seeOther } from '../../http/redirect.ts'
import { isFromShop } from '../../http/security/origin-check.ts'
import type { Visit } from '../../http/visit.ts'

const choice = z.object({ currency: currencyCode, _wp_http_referer: z.string().max(4000).optional() })

/** What an address may bring along that does something, and must not be done again. */
const doing = [currencyParameter, '_wpnonce', 'add-to-cart', 'added-to-cart', 'remove_item', 'undo_item', 'order_again']

/**
 * The form of the switcher: the choice becomes a cookie, and the page that it came from is shown again. Cached pages hold no
 * nonce; that the form stood in the shop is known by its origin, and all that it can change is how prices are shown.
 */
export async function chooseCurrency(visit: Visit): Promise<Response> {
  const { app, request } = visit
  if (!isFromShop(visit)) return new Response('Foreign form', { status: 403 })
  const posted = choice.safeParse(await visit.fields())
  const from = refererPath(request, posted.data?._wp_http_referer, visit.path(urls.home()), doing)
  if (!posted.success || !isChoosable(app, posted.data.currency)) return seeOther(from)
  const shown = app.inCurrency(visit.shownCurrency).tools.exchange
  const answer = seeOther(boundsIn(from, shown, app.inCurrency(posted.data.currency).tools.exchange))
  visit.setCookie(currencyCookieFor(app, posted.data.currency))
  // Pages that were made ready before show the prices of before.
  answer.headers.set('Clear-Site-Data', '"prefetchCache", "prerenderCache"')
  return answer
}
