import type { Authorization, Capture } from '#contract/paypal/capture.ts'
import type { AuthenticationResult, WalletOrder } from '#contract/paypal/order.ts'
import type { OrderRow } from '#database/orders/orders.ts'
import type { WalletOrderRow } from '#database/payments/wallet-orders.ts'
import { foldedName } from '#domain/addresses/folded-name.ts'
import { type Judgement, validateCapture } from '#domain/payments/check-capture.ts'
import { fromProviderAddress } from '#domain/payments/provider-address.ts'
import type { AuthenticationFacts } from '#domain/payments/three-d-secure.ts'
import { fromAmount } from '#paypal/amounts.ts'
import { type AddressState, emptyAddress } from '../../customers/sessions/session-state.ts'
import type { Tools } from '../../shared/tools.ts'

/** The capture in a wallet order that counts: a successful one before any other, else the last. */
export function captureIn(wallet: WalletOrder): Capture | undefined {
  const captures = wallet.purchase_units?.flatMap((unit) => unit.payments?.captures ?? []) ?? []
  return captures.find(({ status }) => status === 'COMPLETED') ?? captures.at(-1)
}

/** The authorisation in a wallet order that counts: one that still holds the money before any other, else the last. */
export function authorizationIn(wallet: WalletOrder): Authorization | undefined {
  const held = wallet.purchase_units?.flatMap((unit) => unit.payments?.authorizations ?? []) ?? []
  return held.find(({ status }) => status === 'CREATED' || status === 'PENDING') ?? held.at(-1)
}

/** A card that was typed into the provider's fields and confirmed; before that the source names no digits. */
export function confirmedCardIn(wallet: WalletOrder) {
  const card = wallet.payment_source?.card
  return card?.last_digits ? card : undefined
}

/** What the card's bank said of its holder, in the words of the table that decides; null when it was not asked. */
export function authenticationFacts(said: AuthenticationResult | undefined): AuthenticationFacts | null {
  if (!said) return null
  const { enrollment_status: enrolled, authentication_status: authenticated } = said.three_d_secure ?? {}
  return { enrolled, authenticated, liability: said.liability_shift }
}

/** What was paid with, for people to read: `Visa ending in 1111`, `PayPal`, `Venmo`. Holds nothing that pays. */
export function walletPaymentTitle(wallet: WalletOrder): { title: string; isCard: boolean } {
  const { card, venmo } = wallet.payment_source ?? {}
  if (card?.last_digits) {
    return { title: `${brandName(card.brand)} ending in ${card.last_digits}`, isCard: true }
  }
  return { title: venmo ? 'Venmo' : 'PayPal', isCard: false }
}

/**
 * What an order is to say of the way that it was paid, where it says otherwise: a card by its digits; and of a shopper who
 * chose another way, in another window perhaps, and paid by the wallet after all, that of the wallet. Nobody shall collect cash for it.
 */
export function paidBy(
  order: Pick<OrderRow, 'payment_method'>,
  { method }: Pick<WalletOrderRow, 'method'>,
  { title, isCard }: ReturnType<typeof walletPaymentTitle>,
): Partial<Pick<OrderRow, 'payment_method' | 'payment_method_title'>> | null {
  if (method !== order.payment_method) return { payment_method: method, payment_method_title: title }
  return isCard ? { payment_method_title: title } : null
}

const brands: Readonly<Record<string, string>> = {
  AMEX: 'American Express',
  DINERS: 'Diners Club',
  JCB: 'JCB',
  MASTERCARD: 'Mastercard',
  CHINA_UNION_PAY: 'UnionPay',
  UNIONPAY: 'UnionPay',
}

/** The provider writes brands in capitals. */
function brandName(brand = ''): string {
  if (brand === '') return 'Card'
  const known = Object.hasOwn(brands, brand) ? brands[brand] : undefined
  return known ?? brand.charAt(0) + brand.slice(1).toLowerCase().replaceAll('_', ' ')
}

/** The shop's order id that the provider keeps with a wallet order, '' if none. */
export function customIdIn(wallet: WalletOrder): string {
  return wallet.purchase_units?.[0]?.custom_id ?? ''
}

/**
 * Whether an approved wallet order still asks for what the shop's order says: the order's own reference, amount and
 * currency, and where it goes. Checked before money is taken.
 * @param isAddressSent whether the shop told the provider where it goes: a provider that writes an address in its own words
 * shows the same one, and would refuse each payment if words were compared
 */
export function walletMatches(
  order: Pick<OrderRow, 'id' | 'total' | 'currency' | 'shipping'>,
  wallet: WalletOrder,
  isAddressSent: () => boolean = () => false,
): boolean {
  const unit = wallet.purchase_units?.[0]
  const amount = unit?.amount && fromAmount(unit.amount)
  return (
    wallet.purchase_units?.length === 1 &&
    customIdIn(wallet) === String(order.id) &&
    amount !== undefined &&
    amount.minor === order.total &&
    amount.currency === order.currency &&
    (goesThere(order, unit?.shipping?.address) || isAddressSent())
  )
}

/**
 * By street, postcode and country: towns and states have more than one name, and none of these three without them. Where
 * the provider shows no street, it records none.
 */
function goesThere({ shipping }: Pick<OrderRow, 'shipping'>, shown: Readonly<Record<string, unknown>> = {}): boolean {
  const there = fromProviderAddress(shown)
  const ours: AddressState = { ...emptyAddress, ...shipping }
  const street = (address: Pick<AddressState, 'address_1' | 'address_2'>) =>
    foldedName(address.address_1 + address.address_2)
  if (street(there) === '') return true
  return (
    street(there) === street(ours) &&
    foldedName(there.postcode) === foldedName(ours.postcode) &&
    foldedName(there.country) === foldedName(ours.country)
  )
}

/** What a capture or an authorisation, as read from the provider, means for the order: both must fit it alike. */
export function judge(
  tools: Tools,
  order: OrderRow,
  row: WalletOrderRow,
  wallet: WalletOrder,
  money: Pick<Capture, 'status' | 'amount' | 'custom_id' | 'payee'>,
): Judgement {
  const amount = fromAmount(money.amount)
  return validateCapture(
    {
      orderId: order.id,
      amountMinor: order.total,
      currency: order.currency,
      environment: row.environment,
      payee: row.payee,
    },
    {
      customId: money.custom_id ?? customIdIn(wallet),
      status: money.status,
      amountMinor: amount?.minor ?? -1,
      currency: money.amount.currency_code,
      environment: tools.paymentEnvironment,
      payee: money.payee?.merchant_id ?? wallet.purchase_units?.[0]?.payee?.merchant_id ?? '',
    },
  )
}
