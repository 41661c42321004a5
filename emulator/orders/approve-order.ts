import type { Card } from '../vault/cards.ts'
import type { WalletKind } from '../vault/vault.ts'
import type { Buyer } from '../wallet/buyers.ts'
import { HOUR_MS } from '../world/clock.ts'
import type { World } from '../world/world.ts'
import { amountOf, hundredths } from './amounts.ts'
import type { Order, PurchaseUnit } from './order.ts'
import { orderRepresentation } from './order-view.ts'

/** How long a buyer may take to approve, and after that the shop to collect. */
const WINDOW_MS = 6 * HOUR_MS

/** The order, unless it is unknown or its time is over. */
export function liveOrder(world: World, id: string): Order | undefined {
  const order = world.orders.get(id)
  if (!order) return undefined
  if (order.status === 'COMPLETED' || order.status === 'VOIDED') return order
  const sinceMs = order.approvedMs ?? order.createdMs
  return world.clock.now().getTime() - sinceMs > WINDOW_MS ? undefined : order
}

/** What the buyer picked in the wallet; where nothing is said, the first address and the option already selected. */
export type Choice = {
  addressId?: string | undefined
  shippingOptionId?: string | undefined
  /** The wallet whose button was pressed; absent: what the shop named, or PayPal. */
  funding?: WalletKind
  /** A guest's card, typed into the wallet's window. */
  card?: Card
}

export type Approval = { ok: true; order: Order } | { ok: false; reason: 'unknown' | 'already-paid' }

/** The buyer agrees to pay: takes over the address chosen in the wallet and tells the shop. */
export function approveOrder(world: World, id: string, buyer: Buyer, choice: Choice = {}): Approval {
  const order = liveOrder(world, id)
  if (!order) return { ok: false, reason: 'unknown' }
  if (order.status === 'COMPLETED' || order.status === 'VOIDED' || order.completing) {
    return { ok: false, reason: 'already-paid' }
  }
  if (order.experience.shippingPreference === 'GET_FROM_FILE') {
    const chosen = buyer.addresses.find((address) => address.id === choice.addressId) ?? buyer.addresses[0]
    if (chosen) {
      order.units = order.units.map((unit) => ({
        ...unit,
        shipping: { ...unit.shipping, name: { full_name: chosen.fullName }, address: chosen.address },
      }))
    }
  }
  order.units = order.units.map((unit) => withOption(unit, choice.shippingOptionId))
  const nowMs = world.clock.now().getTime()
  order.source = chosenSource(order, choice)
  order.status = 'APPROVED'
  order.buyer = buyer
  order.declined = false
  order.approvedMs = nowMs
  order.updatedMs = nowMs
  announceApproval(world, order)
  return { ok: true, order }
}

/** Which source the buyer picked in the window; what the shop asked to keep stays asked for. */
function chosenSource({ source }: Order, { funding, card }: Choice): Order['source'] {
  const keeping = 'keeping' in source && source.keeping ? { keeping: source.keeping } : {}
  if (card) return { kind: 'card', card, ...keeping }
  if (funding !== undefined) return { kind: funding, ...keeping }
  // A card that nobody handed in has not been chosen.
  if (source.kind === 'none' || (source.kind === 'card' && !source.card)) return { kind: 'paypal', ...keeping }
  return source
}

export function announceApproval(world: World, order: Order): void {
  world.webhooks.emit({
    type: 'CHECKOUT.ORDER.APPROVED',
    resourceType: 'checkout-order',
    summary: 'An order has been approved by buyer',
    resource: () => orderRepresentation(world, order),
  })
}

/** The unit with another of its shipping options, and the total that follows from it. */
export function withOption(unit: PurchaseUnit, optionId: string | undefined): PurchaseUnit {
  const options = unit.shipping?.options
  const chosen = options?.find((option) => option.id === optionId)
  if (!options || !chosen || chosen.selected) return unit
  const { breakdown, currency_code: currency } = unit.amount
  const shipping = chosen.amount ?? amountOf(0n, currency)
  const total = hundredths(unit.amount) - hundredths(breakdown?.shipping) + hundredths(shipping)
  return {
    ...unit,
    amount: { ...amountOf(total, currency), breakdown: { ...breakdown, shipping } },
    shipping: { ...unit.shipping, options: options.map((option) => ({ ...option, selected: option === chosen })) },
  }
}
