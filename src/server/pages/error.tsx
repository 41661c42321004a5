import { ErrorPage } from '#web/pages/error-page.tsx'
import { privatePage } from '../page-answer.tsx'
import type { Visit } from '../visit.ts'

/** A page that says what is wrong; if even that cannot be made, a plain line does. */
export async function errorPage(visit: Visit, status: 404 | 500 | 503): Promise<Response> {
  const wantsPage = visit.request.headers.get('accept')?.includes('text/html') ?? false
  try {
    if (!wantsPage) throw new Error('no page wanted')
    const { t } = await visit.app.shop()
    const message = messages[status](t)
    const response = await privatePage(visit, {
      status,
      kind: 'error',
      script: 'other',
      title: status === 404 ? t('Page not found') : t('Something went wrong'),
      robots: 'noindex',
      element: <ErrorPage status={status} message={message} requestId={visit.requestId} />,
    })
    if (status === 503) response.headers.set('Retry-After', '5')
    return response
  } catch {
    return new Response(`${status}: ${plain[status]} (${visit.requestId})`, {
      status,
      headers: {
        'Content-Type': 'text/plain; charset=UTF-8',
        'Cache-Control': 'no-store',
        ...(status === 503 ? { 'Retry-After': '5' } : {}),
      },
    })
  }
}

type Text = Awaited<ReturnType<Visit['app']['shop']>>['t']

const messages: Readonly<Record<404 | 500 | 503, (t: Text) => string>> = {
  404: (t) => t('The address may have changed, or the product is no longer sold.'),
  500: (t) => t('We have noted the fault. Nothing of what you entered is lost; please try again.'),
  503: (t) => t('The shop is busy for a moment. Nothing of what you entered is lost; please try again.'),
}

const plain = { 404: 'not found', 500: 'something went wrong', 503: 'busy, please try again' } as const
