import { countFetch, type DownloadRefusal, openDownload } from '#shop/orders/downloads/open-download.ts'
import { findStoredFile } from '#shop/orders/downloads/stored-file.ts'
import { ErrorPage } from '#web/pages/shared/error-page.tsx'
import { fileResponse, wantedRange } from '../../http/download-file.ts'
import type { Visit } from '../../http/visit.ts'
import { errorPage } from '../shared/error-page.tsx'
import { privatePage } from '../shared/page-answer.tsx'

/** Answers with a purchased file. The link alone grants access, as often and as long as the order allows. */
export async function downloadPage(visit: Visit, { token = '' }: Record<string, string>): Promise<Response> {
  const { app, request } = visit
  const download = await openDownload(app.tools, token)
  if (download === 'not-found') return errorPage(visit, 404)
  const headOnly = request.method === 'HEAD'
  // A merchant may host files elsewhere; the link redirects there, and access is as open as that host.
  if (/^https?:\/\//i.test(download.url)) {
    const counted = await countFetch(app.tools, download, headOnly ? 'nothing' : 'start')
    return counted === 'ok' ? away(download.url) : refused(visit, counted)
  }
  const file = await findStoredFile(app.downloadsFolder, download.url)
  if (!file) {
    app.tools.log.error({ orderId: download.order_id, product: download.product_id }, 'purchased file not found')
    return errorPage(visit, 404)
  }
  const range = wantedRange(request.headers, file)
  if (range === 'unsatisfiable') {
    return new Response(null, { status: 416, headers: { 'Content-Range': `bytes */${file.size}` } })
  }
  const from = headOnly ? 'nothing' : range && range.start > 0 ? 'middle' : 'start'
  const counted = await countFetch(app.tools, download, from)
  return counted === 'ok' ? fileResponse(file, range, headOnly) : refused(visit, counted)
}

function away(url: string): Response {
  const headers = { Location: url, 'Cache-Control': 'private, no-store', 'Referrer-Policy': 'no-referrer' }
  return new Response(null, { status: 302, headers })
}

async function refused(visit: Visit, refusal: DownloadRefusal): Promise<Response> {
  if (refusal === 'not-found') return errorPage(visit, 404)
  const { t } = await visit.app.shop()
  const message =
    refusal === 'expired'
      ? t('This download has expired. Please contact us if you still need the file.')
      : t('This file has been downloaded as often as the order allows. Please contact us if you still need it.')
  const status = refusal === 'expired' ? 410 : 403
  const title = t('This download is no longer available')
  return privatePage(visit, {
    status,
    kind: 'error',
    script: 'other',
    title,
    robots: 'noindex',
    element: <ErrorPage status={status} message={message} requestId={visit.requestId} title={title} />,
  })
}
