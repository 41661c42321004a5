import { urls } from '#contract/shared/urls.ts'
import { type NotFoundHelp, readNotFoundHelp } from '#shop/content/read-not-found.ts'
import { ErrorPage } from '#web/pages/shared/error-page.tsx'
import { refuse } from '../../calls/shared/refuse-call.ts'
import { barePage, barePolicy } from '../../http/bare-page.ts'
import { baseHeaders } from '../../http/security/security-headers.ts'
import type { Visit } from '../../http/visit.ts'
import { privatePage } from './page-answer.tsx'

export type ErrorStatus = 400 | 403 | 404 | 413 | 429 | 500 | 503

/**
 * Answers with an error page, or with a bare page if that fails. Requests that do not expect a page get a line of text,
 * and REST clients an error in their format.
 */
export async function errorPage(visit: Visit, status: ErrorStatus): Promise<Response> {
  if (visit.url.pathname.startsWith(urls.rest(''))) return restError(visit, status)
  try {
    if (!wantsPage(visit)) throw new Error('no page wanted')
    const { t } = await visit.app.shop()
    const { title, message } = texts[status](t)
    const lost = status === 404 ? await helpFor(visit) : null
    const response = await privatePage(visit, {
      status,
      kind: 'error',
      script: 'other',
      title,
      robots: 'noindex',
      element: <ErrorPage status={status} title={title} message={message} requestId={visit.requestId} lost={lost} />,
    })
    if (status === 503) response.headers.set('Retry-After', '5')
    return response
  } catch {
    const asked = wantsPage(visit) ? await bareError(visit, status) : null
    return new Response(asked ?? `${status}: ${plain[status]} (${visit.requestId})`, {
      status,
      headers: {
        'Content-Type': asked ? 'text/html; charset=UTF-8' : 'text/plain; charset=UTF-8',
        ...(asked
          ? { ...baseHeaders(visit.app.secure), 'Content-Security-Policy': barePolicy, 'X-Robots-Tag': 'noindex' }
          : {}),
        'Cache-Control': 'no-store',
        ...(status === 503 ? { 'Retry-After': '5' } : {}),
      },
    })
  }
}

/** Returns the error in the platform's format for unexpected failures; its scripts show the message to visitors. */
async function restError({ app, requestId }: Visit, status: ErrorStatus): Promise<Response> {
  const shop = await app.shop().catch(() => null)
  const message = shop
    ? [texts[status](shop.t).message, shop.t('If you contact us about this, please mention the number %s.', requestId)]
    : [`${plain[status]} (${requestId})`]
  const code = status === 503 ? 'shop_busy' : 'internal_server_error'
  return refuse({ door: 'rest' }, status, code, message.join(' '), {
    'Cache-Control': 'no-store',
    'X-Robots-Tag': 'noindex',
    ...(status === 503 ? { 'Retry-After': '5' } : {}),
  })
}

/** Null if not even the texts are available. */
async function bareError({ app, url, requestId }: Visit, status: ErrorStatus): Promise<string | null> {
  const shop = await app.shop().catch(() => null)
  if (!shop) return null
  const { title, message } = texts[status](shop.t)
  const named = shop.t('If you contact us about this, please mention the number %s.', requestId)
  const link = { address: url.pathname, text: shop.t('Try again') }
  return barePage({ language: app.language, title, said: [message, named], link })
}

/**
 * Converts a response for a person: a rejected form's line of text becomes a page if a page was requested. Other
 * headers stay.
 */
export async function presentable(visit: Visit, response: Response): Promise<Response> {
  const { status, headers } = response
  const refusal = status === 400 || status === 403 || status === 413 || status === 429
  if (!refusal || !headers.get('content-type')?.startsWith('text/plain') || !wantsPage(visit)) return response
  const page = await errorPage(visit, status)
  const wait = headers.get('Retry-After')
  if (wait) page.headers.set('Retry-After', wait)
  return page
}

function wantsPage({ request }: Visit): boolean {
  return request.headers.get('accept')?.includes('text/html') ?? false
}

/** Returns suggestions for the "not found" page; a failure here must not hide the page itself. */
async function helpFor(visit: Visit): Promise<NotFoundHelp | null> {
  return readNotFoundHelp(visit.app.tools, visit.url.pathname).catch(() => null)
}

type Text = Awaited<ReturnType<Visit['app']['shop']>>['t']

const texts: Readonly<Record<ErrorStatus, (t: Text) => { title: string; message: string }>> = {
  400: (t) => ({
    title: t('We could not read your request'),
    message: t('Your request was incomplete. Nothing has changed; please go back and try again.'),
  }),
  403: (t) => ({
    title: t('This request did not come from the shop'),
    message: t(
      'To protect your order, the shop accepts forms from its own pages only. Please open the page again and repeat.',
    ),
  }),
  404: (t) => ({
    title: t('Page not found'),
    message: t('The address may have changed, or the product is no longer sold.'),
  }),
  413: (t) => ({
    title: t('That was too much at once'),
    message: t('What you sent is too large. Nothing has changed; please send less.'),
  }),
  429: (t) => ({
    title: t('One moment, please'),
    message: t('There were too many attempts in a short time. Nothing is lost; please wait a moment and try again.'),
  }),
  500: (t) => ({
    title: t('Something went wrong'),
    message: t('We have recorded the error. Nothing you entered is lost; please try again.'),
  }),
  503: (t) => ({
    title: t('Something went wrong'),
    message: t('The shop is very busy right now. Nothing you entered is lost; please try again.'),
  }),
}

const plain: Readonly<Record<ErrorStatus, string>> = {
  400: 'could not be read',
  403: 'not from this shop',
  404: 'not found',
  413: 'too large',
  429: 'too many tries, please wait',
  500: 'something went wrong',
  503: 'busy, please try again',
}
