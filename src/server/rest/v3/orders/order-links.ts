import { urls } from '#contract/shared/urls.ts'
import type { OrderRow } from '#database/orders/orders.ts'
import type { Tools } from '#shop/shared/tools.ts'

/** Returns the links of a record to itself and to its collection. */
export function linksOf({ publicUrl }: Pick<Tools, 'publicUrl'>, { id }: Pick<OrderRow, 'id'>) {
  const list = publicUrl + urls.rest('wc/v3/orders')
  return { self: [{ href: `${list}/${id}` }], collection: [{ href: list }] }
}
