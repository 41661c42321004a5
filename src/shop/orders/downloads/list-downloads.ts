import { urls } from '#contract/shared/urls.ts'
import { type Download, findCustomersDownloads } from '#database/orders/downloads.ts'
import type { Tools } from '../../shared/tools.ts'
import { localizeFacts } from '../../translation/localize-facts.ts'

/** A file that can be downloaded now, as pages show it. */
export type DownloadFacts = {
  readonly orderId: number
  readonly productName: string
  /** Null when the product is no longer shown. */
  readonly productUrl: string | null
  readonly fileName: string
  readonly url: string
  /** Downloads left; null: unlimited. */
  readonly remaining: number | null
  /** Null: never. */
  readonly expiresAt: Date | null
}

type Needs = Pick<Tools, 'db' | 'clock' | 'translator'>

/** Lists the files that a customer can download now, newest order first. */
export async function listDownloads(tools: Needs, customerId: number): Promise<DownloadFacts[]> {
  return localizeDownloads(tools, await findCustomersDownloads(tools.db.kysely, customerId, tools.clock.now()))
}

/** Localizes downloads. */
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
