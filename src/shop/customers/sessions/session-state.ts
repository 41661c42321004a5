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
  /** What the visitor knows of the product. Absent in a cart of an older release. */
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

/** What was typed above the checkout by somebody who was not logged in by it, without the password. */
export type RefusedLogIn = {
  readonly username: string
  readonly remember: boolean
  readonly invalid: readonly string[]
}

export type PressedAddition = { readonly press: string; readonly key: string; readonly quantity: number }

/** All that a visitor has put down. Kept as one versioned row; written only by the use cases of this part. */
export type SessionState = {
  readonly lines: readonly CartLine[]
  /** What the last presses with an idempotency key have added: a repeat finds it even where its answer was never kept. */
  readonly pressed: readonly PressedAddition[]
  /** Taken out of the cart, kept so that the step can be undone. */
  readonly removed: readonly CartLine[]
  readonly coupons: readonly string[]
  /** Package index → the rate that was chosen, and what was on offer then. */
  readonly chosenShipping: Readonly<Record<string, StoredChoice>>
  readonly billing: AddressState
  readonly shipping: AddressState
  readonly shipToDifferent: boolean
  readonly calculatedShipping: boolean
  /** What the calculator was given and could not take: shown once more, so that it can be put right. */
  readonly refusedPlace: RefusedPlace | null
  /** A log-in form of the checkout that was refused: shown once more, open, beside why. */
  readonly refusedLogIn: RefusedLogIn | null
  /** Pays no tax: a business abroad, an embassy. Set by what checks that, never by the visitor. */
  readonly vatExempt: boolean
  readonly paymentMethod: string
  readonly customerNote: string
  /** The account that is to be opened with the order, as far as it was filled in. */
  readonly newAccount: { readonly wanted: boolean; readonly username: string }
  readonly notices: readonly NoticeFacts[]
  /** The pending order of this cart. */
  readonly awaitingOrder: number | null
  /** The wallet order that the visitor approved and now looks over. */
  readonly approvedWallet: string | null
  /** Orders whose confirmation this visitor may see without saying the e-mail address. */
  readonly ownOrders: readonly number[]
  /** Goes up when an order is finished or given up, so that buying the same again is a new intention. */
  readonly generation: number
  /** Of the staff: that the shop is not open yet has been read, until the next login. */
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

/** What is left out of a stored state is read as it stands here: another value would be another one for carts of before. */
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

/** @param kept as `keptOf` made it, or an older release: written by the use cases of this part alone, with this type */
export function stateOf(kept: Readonly<Record<string, unknown>>): SessionState {
  return { ...emptySession, ...(kept as Partial<SessionState>) }
}
