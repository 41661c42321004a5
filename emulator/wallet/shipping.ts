import { withOption } from '../orders/approve-order.ts'
import type { Order, ShippingOption } from '../orders/order.ts'
import { requestShopUpdate } from '../orders/shipping-callback.ts'
import type { World } from '../world/world.ts'
import type { Buyer, BuyerAddress } from './buyers.ts'
import type { Visit } from './visit.ts'

/** What the shop's refusals say to a buyer; the wallet words them, the shop only names them. */
const REFUSALS: Record<string, string> = {
  ADDRESS_ERROR: "Your order can't be shipped to this address.",
  COUNTRY_ERROR: "Your order can't be shipped to this country.",
  STATE_ERROR: "Your order can't be shipped to this state.",
  ZIP_ERROR: "Your order can't be shipped to this zip.",
  METHOD_UNAVAILABLE: 'This way of shipping is not available. Please choose another one.',
  STORE_UNAVAILABLE: "Part of your order isn't available at this store.",
}

/** What the buyer asks for: another address, or another way of shipping. */
export type Wish = { addressId?: string | undefined; optionId?: string | undefined }

export function chosenAddress(visit: Visit, buyer: Buyer): BuyerAddress | undefined {
  return buyer.addresses.find(({ id }) => id === visit.addressId) ?? buyer.addresses[0]
}

export function shippingOptions(order: Order): readonly ShippingOption[] {
  return order.units[0]?.shipping?.options ?? []
}

/** Whether the buyer may choose among the wallet's addresses for this order. */
export function usesWalletAddress(order: Order): boolean {
  return order.experience.shippingPreference === 'GET_FROM_FILE'
}

/** Takes the wish over where nobody but the wallet has to be asked, and asks the shop's server where the order says so. */
export async function applyWalletChoice(
  world: World,
  order: Order,
  visit: Visit,
  buyer: Buyer,
  wish: Wish,
): Promise<void> {
  const addressBefore = chosenAddress(visit, buyer)?.id
  if (wish.addressId !== undefined && usesWalletAddress(order)) visit.addressId = wish.addressId
  const address = chosenAddress(visit, buyer)
  const { callback } = order.experience
  const asksAddress = address && usesWalletAddress(order) && callback?.events.includes('SHIPPING_ADDRESS')
  if (asksAddress && (visit.verifiedAddressId !== address.id || visit.refusal?.blocks)) {
    visit.verifiedAddressId = address.id
    const answer = await requestShopUpdate(world, order, { address: address.address })
    settle(visit, answer.ok ? undefined : { text: refusalText(answer.issue), blocks: true })
    if (!answer.ok) return
  } else if (address?.id !== addressBefore) {
    delete visit.refusal
  }
  // Looked at now only: with another address the shop may have selected, or offered, other ways.
  const option = shippingOptions(order).find(({ id }) => id === wish.optionId)
  if (!option || option.selected) return
  const optionId = option.id
  if (!callback?.events.includes('SHIPPING_OPTIONS')) {
    order.units = order.units.map((unit) => withOption(unit, optionId))
    return
  }
  const answer = await requestShopUpdate(world, order, { ...(address ? { address: address.address } : {}), optionId })
  settle(visit, answer.ok ? undefined : { text: refusalText(answer.issue), blocks: false })
}

/** What the shop's page answered to a wish: with `own` it left the decision to the wallet. */
export type PageVerdict = { verdict: 'accepted' | 'refused' | 'own'; message?: string }

export function settleByPage(order: Order, visit: Visit, wish: Wish, { verdict, message }: PageVerdict): void {
  const { optionId, addressId } = wish
  if (addressId !== undefined) visit.verifiedAddressId = addressId
  if (verdict === 'refused') {
    settle(visit, { text: message ?? refusalText('ADDRESS_ERROR'), blocks: optionId === undefined })
    return
  }
  settle(visit, undefined)
  if (verdict === 'own' && optionId !== undefined) {
    order.units = order.units.map((unit) => withOption(unit, optionId))
  }
}

function settle(visit: Visit, refusal: Visit['refusal']): void {
  if (refusal) visit.refusal = refusal
  else delete visit.refusal
}

function refusalText(issue: string): string {
  return REFUSALS[issue] ?? 'The shop does not answer. Please try another address, or try again.'
}

/** What the shop's page is told of a wish: of the address only what it may see before the buyer has agreed. */
export function questionOf(order: Order, visit: Visit, buyer: Buyer, wish: Wish): object | undefined {
  const unit = order.units[0]
  const address = usesWalletAddress(order) ? chosenAddress(visit, buyer)?.address : unit?.shipping?.address
  if (!unit || !address) return undefined
  const options = shippingOptions(order)
  const option =
    wish.optionId === undefined
      ? options.find(({ selected }) => selected)
      : options.find(({ id }) => id === wish.optionId)
  const { currency_code, value } = unit.amount
  return {
    what: wish.optionId === undefined ? 'address' : 'option',
    amount: { currency_code, value },
    address: {
      city: address.admin_area_2 ?? '',
      state: address.admin_area_1 ?? '',
      country_code: address.country_code,
      postal_code: address.postal_code ?? '',
    },
    ...(option ? { option } : {}),
  }
}
