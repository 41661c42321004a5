import { barePage, barePolicy } from '../../http/bare-page.ts'
import { baseHeaders } from '../../http/security/security-headers.ts'
import type { Application } from '../startup/application.ts'
import type { RequestLoad } from './load-class.ts'

/** Seconds until the shop has most likely recovered; anonymous visitors retry spread over as many more. */
const startedAgainIn = 2
const newcomersIn = 5

type Busy = { app: Application; asked: RequestLoad; address: string; method: string }

/**
 * Answers a request that was shed: short, at once, without reading or rendering anything large, in the visitor's
 * language. 503 with `Retry-After`, not cacheable.
 */
export async function busyAnswer({ app, asked, address, method }: Busy): Promise<Response> {
  const view = asked.language === null ? app : app.inLanguage(asked.language)
  const t = await view.shop().then(
    (shop) => shop.t,
    () => (words: string) => words,
  )
  const message = t('The shop is very busy right now. Nothing you entered is lost; please try again.')
  const wait =
    asked.load === 'checkout' || asked.load === 'cart'
      ? startedAgainIn
      : newcomersIn + Math.floor(app.tools.chance.fraction() * newcomersIn)
  const page = barePage({
    language: view.language,
    title: t('One moment, please'),
    said: [message],
    link: { address, text: t('Try again') },
  })
  const [type, body] =
    asked.speaks === 'json'
      ? ['application/json', JSON.stringify({ code: 'shop_busy', message, data: { status: 503 } })]
      : asked.speaks === 'text'
        ? ['text/plain; charset=UTF-8', message]
        : ['text/html; charset=UTF-8', page]
  return new Response(method === 'HEAD' ? null : body, {
    status: 503,
    headers: {
      ...baseHeaders(app.secure),
      'Content-Type': type,
      'Content-Language': view.language.tag,
      'Content-Security-Policy': barePolicy,
      'Cache-Control': 'no-store',
      'Retry-After': String(wait),
      'X-Robots-Tag': 'noindex',
    },
  })
}
