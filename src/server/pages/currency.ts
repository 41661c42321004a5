import { z } from 'zod'
import { currencyCode } from '#contract/currency-settings.ts'
import { urls } from '#contract/urls.ts'
import { boundsIn } from '../bounds-in.ts'
import { currencyCookieFor, currencyParameter, isChoosable } from '../currency-choice.ts'
import { isFromShop } from '../origin-check.ts'
import { refererPath, seeOther } from '../redirect.ts'
import type { Visit } from '../visit.ts'

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
