import { decoded, keysIn, submitCart, viewCart } from '#tests/support/cart/cart.ts'
import { again, type Visit } from './visit.ts'

/** A second thought about the cart: more of something, or a line that goes, and perhaps comes back. */
export async function changeCart(visit: Visit): Promise<void> {
  const { street, shopper } = visit
  const { luck, tally } = street
  const { html } = await again(street, () => viewCart(shopper))
  const keys = keysIn(html)
  const key = keys[luck.roll(Math.max(1, keys.length))]
  if (key && luck.percent(70)) {
    tally.count('move: changes a quantity')
    const quantity = String(luck.between(1, 3))
    await again(street, () => submitCart(shopper, { [`cart[${key}][qty]`]: quantity, update_cart: 'Update cart' }))
    return
  }
  // The last line stays: who wants nothing any more is not a purchase.
  const cross = keys.length > 1 ? linkIn(html, 'remove_item') : null
  if (!cross) return
  tally.count('move: removes a line')
  const place = await again(street, async () => {
    const response = await shopper.request(cross)
    if (response.status >= 500) throw new Error(`the shop answered ${response.status}`)
    return response.headers.get('location') ?? cross
  })
  const undo = linkIn((await again(street, () => viewCart(shopper, place))).html, 'undo_item')
  if (!undo || !luck.percent(50)) return
  tally.count('move: takes a line back')
  await again(street, async () => {
    const response = await shopper.request(undo)
    if (response.status >= 500) throw new Error(`the shop answered ${response.status}`)
  })
}

function linkIn(html: string, parameter: 'remove_item' | 'undo_item'): string | null {
  const link = new RegExp(`<a href="([^"]*${parameter}=[^"]*)"`).exec(html)?.[1]
  return link ? decoded(link) : null
}
