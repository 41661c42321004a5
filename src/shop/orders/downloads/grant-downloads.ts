import type { Transaction } from 'kysely'
import type { Schema } from '#database/engine/schema/schema.ts'
import { insertDownloads } from '#database/orders/downloads.ts'
import type { OrderItem, OrderRow } from '#database/orders/orders.ts'
import type { Tools } from '../../shared/tools.ts'
import { lineFacts } from '../order-lines.ts'

const dayMs = 24 * 60 * 60 * 1000

/** Grants the customer downloads of the ordered files. Existing permissions keep their count and expiry. */
export async function grantDownloads(
  tools: Tools,
  tx: Transaction<Schema>,
  order: OrderRow,
  items: readonly OrderItem[],
): Promise<void> {
  const bought = items.filter((item) => item.type === 'line_item' && lineFacts(item).downloadable)
  const ids = bought.flatMap((item) => item.variation_id ?? item.product_id ?? [])
  if (ids.length === 0) return
  const now = tools.clock.now()
  const products = await tx
    .selectFrom('products')
    .select(['id', 'name', 'downloads', 'download_limit', 'download_expiry_days'])
    .where('id', 'in', ids)
    .orderBy('id')
    .execute()
  await insertDownloads(
    tx,
    products.flatMap(({ id, name, downloads, download_limit: limit, download_expiry_days: days }) => {
      const pieces = bought
        .filter((item) => (item.variation_id ?? item.product_id) === id)
        .reduce((sum, { quantity }) => sum + quantity, 0)
      return downloads.map((file, place) => ({
        order_id: order.id,
        product_id: id,
        // The file id may be missing: its position identifies the file then.
        file_id: file.id === '' ? `file-${place + 1}` : file.id,
        name: file.name === '' ? name : file.name,
        token: tools.chance.alphanumeric(32),
        // The limit counts per piece. Merchants write "unlimited" as empty, 0 or -1.
        remaining: limit !== null && limit > 0 ? limit * pieces : null,
        expires_at: days !== null && days > 0 ? new Date(now.getTime() + days * dayMs) : null,
        last_fetched_at: null,
        created_at: now,
      }))
    }),
  )
}
