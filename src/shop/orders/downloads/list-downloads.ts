import { urls } from '#contract/shared/urls.ts'
import { type Download, findCustomersDownloads } from '#database/orders/downloads.ts'
import type { Tools } from '../../shared/tools.ts'
import { localizeFacts } from '../../translation/localize-facts.ts'

/** A file that may be fetched now, as pages show it. */
export type DownloadFacts = {
  readonly orderId: number
  readonly productName: string
  /** Null when the product is no longer shown. */
  readonly productUrl: string | null
  readonly fileName: string
  readonly url: string
  /** How often it may be fetched still; null: as often as wanted. */
  readonly remaining: number | null
  /** Null: for ever. */
  readonly expiresAt: Date | null
}

type Needs = Pick<Tools, 'db' | 'clock' | 'translator'>

/** The files that a customer may fetch now, those of the newest order first. */
export async function listDownloads(tools: Needs, customerId: number): Promise<DownloadFacts[]> {
  return localizeDownloads(tools, await findCustomersDownloads(tools.db.kysely, customerId, tools.clock.now()))
}

/** In the language that is spoken. */
export function localizeDownloads(
  tools: Pick<Needs, 'translator'>,
  downloads: readonly Download[],
): Promise<DownloadFacts[]> {
  return localizeFacts(tools, (say) =>
    downloads.map(factsOf).map((facts) => ({ ...facts, productName: say.text(facts.productName) })),
  )
}

function factsOf(download: Download): DownloadFacts {
  return {
    orderId: download.order_id,
    productName: download.product_name ?? download.name,
    productUrl: download.product_slug === null ? null : urls.product(download.product_slug),
    fileName: download.name,
    url: urls.download(download.token),
    remaining: download.remaining,
    expiresAt: download.expires_at,
  }
}
