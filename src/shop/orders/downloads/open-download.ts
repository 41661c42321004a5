import { countDownload, type Download, findDownload } from '#database/orders/downloads.ts'
import type { Tools } from '../../shared/tools.ts'

/** Period in which an interrupted download can be resumed without counting again. */
const resumableMs = 6 * 60 * 60 * 1000

export type DownloadRefusal =
  /** The link does not exist, or its order grants no download now. */
  'not-found' | 'used-up' | 'expired'

export type OpenDownload = Download & { url: string }

/** Finds the file of a link, if it can be downloaded. Counts nothing. */
export async function openDownload(tools: Tools, token: string): Promise<OpenDownload | 'not-found'> {
  if (!/^[A-Za-z0-9]{32}$/.test(token)) return 'not-found'
  const found = await findDownload(tools.db.kysely, token)
  // Cancelled and refunded orders grant no downloads.
  if (!found?.url || (found.order_status !== 'processing' && found.order_status !== 'completed')) return 'not-found'
  return { ...found, url: found.url }
}

/**
 * Counts a download, unless the request resumes one or only reads the headers.
 * @param from `start`: from the first byte; `middle`: a later range; `nothing`: size and name only
 */
export async function countFetch(
  { db, clock }: Tools,
  download: OpenDownload,
  from: 'start' | 'middle' | 'nothing',
): Promise<'ok' | DownloadRefusal> {
  const now = clock.now()
  const last = download.last_fetched_at?.getTime() ?? 0
  if (from !== 'start' && last > now.getTime() - resumableMs) return 'ok'
  if (download.expires_at && download.expires_at <= now) return 'expired'
  if (from === 'nothing') return download.remaining === 0 ? 'used-up' : 'ok'
  return (await countDownload(db.kysely, download.id, now)) ? 'ok' : 'used-up'
}
