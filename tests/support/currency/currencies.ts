import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { urls } from '#contract/shared/urls.ts'
import type { TestShop } from '#tests/support/shop.ts'
import type { Shopper } from '#tests/support/shopper.ts'

/** Has the shop show its prices in another currency from now on, as an advertisement's link does. */
export const chooseCurrency = (shopper: Shopper, currency: string) =>
  shopper.request(`${urls.shop()}?currency=${currency}`)

/** Text without its markup. */
export const plain = (html: string) => html.replace(/<[^>]+>/g, '').replaceAll('&nbsp;', '\u00a0')

/** The amounts that a page shows, in its order. */
export const amountsIn = (html: string) =>
  [...html.matchAll(/<span class="woocommerce-Price-amount amount"[^>]*>(.*?)<\/bdi>/gs)].map(([, one = '']) =>
    plain(one),
  )

/** The total of a cart or an order review. */
export const totalIn = (html: string) => amountsIn(/<tr class="order-total">.*?<\/tr>/s.exec(html)?.[0] ?? '')[0] ?? ''

/** The messages about an order that have left, as their readers see them; those about stock, which name no figures, are left out. */
export async function mailsOf({ dataDir }: TestShop, orderId: number): Promise<string[]> {
  const folder = join(dataDir, 'outbox')
  // The folder comes with the first message.
  const all = await readdir(folder).catch(() => [])
  const about = new RegExp(`^order-${orderId}-(?:new_order|customer_).*\\.eml$`)
  const texts = await Promise.all(
    all.filter((name) => about.test(name)).map((name) => readFile(join(folder, name), 'utf8')),
  )
  const bytes = (codes: string) => Buffer.from(codes.replaceAll('=', ''), 'hex').toString('utf8')
  return texts.map((text) => text.replace(/=\r?\n/g, '').replace(/(?:=[0-9A-F]{2})+/g, bytes))
}
