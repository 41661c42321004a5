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

/** Returns the relevant capture of a wallet order: a completed one first, otherwise the last. */
export function captureIn(wallet: WalletOrder): Capture | undefined {
  const captures = wallet.purchase_units?.flatMap((unit) => unit.payments?.captures ?? []) ?? []
  return captures.find(({ status }) => status === 'COMPLETED') ?? captures.at(-1)
}

/** Returns the relevant authorization of a wallet order: an open one first, otherwise the last. */
export function authorizationIn(wallet: WalletOrder): Authorization | undefined {
  const held = wallet.purchase_units?.flatMap((unit) => unit.payments?.authorizations ?? []) ?? []
  return held.find(({ status }) => status === 'CREATED' || status === 'PENDING') ?? held.at(-1)
}

/** Returns a card that was entered in PayPal's fields and confirmed; before that the source has no digits. */
export function confirmedCardIn(wallet: WalletOrder) {
  const card = wallet.payment_source?.card
  return card?.last_digits ? card : undefined
}

/** Returns the 3D Secure facts of a card as the decision table needs them; null where there was no authentication. */
export function authenticationFacts(result: AuthenticationResult | undefined): AuthenticationFacts | null {
  if (!result) return null
  const { enrollment_status: enrolled, authentication_status: authenticated } = result.three_d_secure ?? {}
  return { enrolled, authenticated, liability: result.liability_shift }
}

/** Returns the title of the payment source: `Visa ending in 1111`, `PayPal`, `Venmo`. Contains no payment data. */
export function walletPaymentTitle(wallet: WalletOrder): { title: string; isCard: boolean } {
  const { card, venmo } = wallet.payment_source ?? {}
  if (card?.last_digits) {
    return { title: `${brandName(card.brand)} ending in ${card.last_digits}`, isCard: true }
  }
  return { title: venmo ? 'Venmo' : 'PayPal', isCard: false }
}

/**
 * Returns the changed payment title of a paid order: a card with its digits, and the wallet where the shopper chose
 * another method in another window but paid by wallet. Such an order must not be charged on delivery.
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

/** Returns the display name of a brand: PayPal writes brands in capitals. */
function brandName(brand = ''): string {
  if (brand === '') return 'Card'
  const known = Object.hasOwn(brands, brand) ? brands[brand] : undefined
  return known ?? brand.charAt(0) + brand.slice(1).toLowerCase().replaceAll('_', ' ')
}

/** Returns the shop's order id of a wallet order, '' if none. */
export function customIdIn(wallet: WalletOrder): string {
  return wallet.purchase_units?.[0]?.custom_id ?? ''
}

/**
 * Reports whether an approved wallet order still matches the order's reference, amount, currency and address. Checked
 * before each capture.
 * @param isAddressSent whether the shop sent the address: PayPal may rewrite it, and a comparison of words would refuse
 * such payments
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
    (isSameAddress(order, unit?.shipping?.address) || isAddressSent())
  )
}

/**
 * Compares addresses by street, postcode and country: towns and states have several names. PayPal records no address
 * where it shows no street.
 */
function isSameAddress(
  { shipping }: Pick<OrderRow, 'shipping'>,
  shown: Readonly<Record<string, unknown>> = {},
): boolean {
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

/** Judges a capture or authorization read from PayPal: both must match the order. */
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
