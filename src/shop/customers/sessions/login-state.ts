import type { CustomerRow } from '#database/customers/customers.ts'
import { mergeLines } from '#domain/cart/merge-lines.ts'
import { type AddressState, emptyAddress, type SessionState } from './session-state.ts'

/** What a customer has in hand after logging in: the saved cart with what was put down before, and the own addresses. */
export function stateAtLogin(
  saved: SessionState,
  guest: SessionState,
  book: Pick<CustomerRow, 'billing' | 'shipping' | 'email' | 'vat_exempt'>,
): SessionState {
  const broughtCart = guest.lines.length > 0
  const { billing, shipping, shipToDifferent } = addressesAtLogin(saved, guest, book)
  return {
    ...saved,
    lines: mergeLines(saved.lines, guest.lines),
    removed: mergeLines(saved.removed, guest.removed).slice(-20),
    coupons: [...new Set([...saved.coupons, ...guest.coupons])],
    chosenShipping: broughtCart ? guest.chosenShipping : saved.chosenShipping,
    billing,
    shipping,
    shipToDifferent,
    vatExempt: book.vat_exempt,
    calculatedShipping: saved.calculatedShipping || guest.calculatedShipping || hasPlace(shipping),
    paymentMethod: guest.paymentMethod || saved.paymentMethod,
    customerNote: guest.customerNote || saved.customerNote,
    notices: [...saved.notices, ...guest.notices],
    awaitingOrder: guest.awaitingOrder ?? saved.awaitingOrder,
    // It was approved for a cart that is another one now.
    approvedWallet: broughtCart ? null : saved.approvedWallet,
    comingSoonDismissed: false,
  }
}

/** The customer's own addresses; where none is kept yet, what was typed before the login. */
function addressesAtLogin(
  saved: SessionState,
  guest: SessionState,
  book: Pick<CustomerRow, 'billing' | 'shipping' | 'email'>,
) {
  const kept = addressOf(book.billing)
  const typed = hasPlace(guest.billing) ? guest : saved
  const billing = hasPlace(kept) ? kept : typed.billing
  const keptShipping = addressOf(book.shipping)
  const shipping = hasPlace(keptShipping) ? keptShipping : hasPlace(kept) ? kept : typed.shipping
  return {
    billing: { ...billing, email: billing.email || book.email },
    shipping,
    shipToDifferent: hasPlace(keptShipping)
      ? !isSamePlace(billing, shipping)
      : !hasPlace(kept) && typed.shipToDifferent,
  }
}

/** A stored address; every field that is missing is empty. */
export function addressOf(stored: object): AddressState {
  // Written from an `AddressState` alone.
  return { ...emptyAddress, ...(stored as Partial<AddressState>) }
}

export function hasPlace({ country, address_1 }: AddressState): boolean {
  return country !== '' && address_1 !== ''
}

/** Whether a parcel to one address arrives at the other. */
export function isSamePlace(one: AddressState, other: AddressState): boolean {
  const { email: _, phone: __, ...a } = one
  return Object.entries(a).every(([key, value]) => Reflect.get(other, key) === value)
}
