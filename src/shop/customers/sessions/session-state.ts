import type { LineSnapshot } from '#domain/cart/line-snapshot.ts'
import type { StoredChoice } from '#domain/shipping/chosen-rate.ts'
import type { NoticeFacts } from '../../cart/cart-facts.ts'

export type CartLine = {
  readonly key: string
  readonly productId: number
  readonly variationId: number | null
  readonly quantity: number
  /** Attribute slug → chosen value. */
  readonly attributes: Readonly<Record<string, string>>
  readonly addedAt: number
  /** The product's facts that the visitor has seen. Absent in a cart of an older release. */
  readonly seen?: LineSnapshot
}

export type AddressState = {
  readonly first_name: string
  readonly last_name: string
  readonly company: string
  readonly country: string
  readonly address_1: string
  readonly address_2: string
  readonly city: string
  readonly state: string
  readonly postcode: string
  readonly phone: string
  readonly email: string
}

export type RefusedPlace = Pick<AddressState, 'country' | 'state' | 'city' | 'postcode'> & {
  readonly field: 'country' | 'postcode'
}

/** Input of a failed login above the checkout, without the password. */
export type RefusedLogIn = {
  readonly username: string
  readonly remember: boolean
  readonly invalid: readonly string[]
}

export type PressedAddition = { readonly press: string; readonly key: string; readonly quantity: number }

/** A visitor's complete state, stored as one versioned row; written only by the use cases of this part. */
export type SessionState = {
  readonly lines: readonly CartLine[]
  /**
   * Items added by the last requests with an idempotency key: a repeat finds them even if the response was never
   * stored.
   */
  readonly pressed: readonly PressedAddition[]
  /** Removed from the cart, kept for "Undo?". */
  readonly removed: readonly CartLine[]
  readonly coupons: readonly string[]
  /** Package index → the chosen rate, and the offered ones at that time. */
  readonly chosenShipping: Readonly<Record<string, StoredChoice>>
  readonly billing: AddressState
  readonly shipping: AddressState
  readonly shipToDifferent: boolean
  readonly calculatedShipping: boolean
  /** Input of the shipping calculator that was rejected: shown once more, for correction. */
  readonly refusedPlace: RefusedPlace | null
  /** A failed login form of the checkout: shown open once more, with the reason. */
  readonly refusedLogIn: RefusedLogIn | null
  /** Exempt from tax: a business abroad, an embassy. Set by a verification, never by the visitor. */
  readonly vatExempt: boolean
  readonly paymentMethod: string
  readonly customerNote: string
  /** Input for the account to be created with the order. */
  readonly newAccount: { readonly wanted: boolean; readonly username: string }
  readonly notices: readonly NoticeFacts[]
  /** The pending order of this cart. */
  readonly awaitingOrder: number | null
  /** The wallet order that the visitor has approved and now reviews. */
  readonly approvedWallet: string | null
  /** Orders whose confirmation page this visitor may see without entering the email address. */
  readonly ownOrders: readonly number[]
  /** Incremented when an order is completed or cancelled, so that buying the same again is a new intention. */
  readonly generation: number
  /** For staff: the "not open yet" banner is dismissed until the next login. */
  readonly comingSoonDismissed: boolean
}

export const emptyAddress: AddressState = {
  first_name: '',
  last_name: '',
  company: '',
  country: '',
  address_1: '',
  address_2: '',
  city: '',
  state: '',
  postcode: '',
  phone: '',
  email: '',
}

/** Defaults of members missing in a stored state: changing one would change stored carts. */
export const emptySession: SessionState = {
  lines: [],
  pressed: [],
  removed: [],
  coupons: [],
  chosenShipping: {},
  billing: emptyAddress,
  shipping: emptyAddress,
  shipToDifferent: false,
  calculatedShipping: false,
  refusedPlace: null,
  refusedLogIn: null,
  vatExempt: false,
  paymentMethod: '',
  customerNote: '',
  newAccount: { wanted: false, username: '' },
  notices: [],
  awaitingOrder: null,
  approvedWallet: null,
  ownOrders: [],
  generation: 0,
  comingSoonDismissed: false,
}

/** A state as it is stored: what nobody has touched is left out, which is most of it. */
export function storedStateOf(state: SessionState): Partial<SessionState> {
  const untouched = emptySession as Readonly<Record<string, unknown>>
  return Object.fromEntries(Object.entries(state).filter(([field, value]) => value !== untouched[field]))
}

/**
 * @param kept a result of `keptOf`, or of an older release: written by the use cases of this part alone, with this type
 */
export function stateOf(kept: Readonly<Record<string, unknown>>): SessionState {
  return { ...emptySession, ...(kept as Partial<SessionState>) }
}
