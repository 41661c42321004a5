import { countDownload, type Download, findDownload } from '#database/orders/downloads.ts'
import type { Tools } from '../../shared/tools.ts'

/** A fetch that was broken off may be taken up again for so long without counting as another. */
const resumableMs = 6 * 60 * 60 * 1000

export type DownloadRefusal =
  /** No such link, or its order gives no right to it now. */
  'not-found' | 'used-up' | 'expired'

export type OpenDownload = Download & { url: string }

/** The file behind a link, if it may be fetched. Counts nothing. */
export async function openDownload(tools: Tools, token: string): Promise<OpenDownload | 'not-found'> {
  if (!/^[A-Za-z0-9]{32}$/.test(token)) return 'not-found'
  const found = await findDownload(tools.db.kysely, token)
  // What was cancelled or given back opens nothing any more.
  if (!found?.url || (found.order_status !== 'processing' && found.order_status !== 'completed')) return 'not-found'
  return { ...found, url: found.url }
}

/**
 * Counts a fetch, unless it only takes one up again or looks whether there is something.
 * @param from `start`: the file from its first byte on; `middle`: the rest of it; `nothing`: only its size and name
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
