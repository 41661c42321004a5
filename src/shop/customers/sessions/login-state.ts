import type { CustomerRow } from '#database/customers/customers.ts'
import { mergeLines } from '#domain/cart/merge-lines.ts'
import { type AddressState, emptyAddress, type SessionState } from './session-state.ts'

/** Returns a customer's state after login: the saved cart merged with the guest's, and the customer's addresses. */
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
    // The approval was for another cart.
    approvedWallet: broughtCart ? null : saved.approvedWallet,
    comingSoonDismissed: false,
  }
}

/** Returns the customer's addresses; if none is stored, the guest's input. */
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

/** Returns a stored address; missing fields are empty. */
export function addressOf(stored: object): AddressState {
  // Written from an `AddressState` alone.
  return { ...emptyAddress, ...(stored as Partial<AddressState>) }
}

export function hasPlace({ country, address_1 }: AddressState): boolean {
  return country !== '' && address_1 !== ''
}

/** Checks whether two addresses are the same place of delivery. */
export function isSamePlace(one: AddressState, other: AddressState): boolean {
  const { email: _, phone: __, ...a } = one
  return Object.entries(a).every(([key, value]) => Reflect.get(other, key) === value)
}
