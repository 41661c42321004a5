import {
  cardMethodId,
  isProviderMethod,
  offlineMethods,
  type ProviderMethod,
  walletMethodId,
} from '#contract/payments/constants.ts'
import { paysForShipping, type Transport } from '#domain/payments/shipping-restriction.ts'
import { message } from '#domain/translation/message.ts'
import { isPayableCurrency } from '#paypal/amounts.ts'
import { localizePaymentMethods } from '../../cart/localize-cart.ts'
import type { Tools } from '../../shared/tools.ts'
import { localizeFacts } from '../../translation/localize-facts.ts'
import type { PaymentInstructions, PaymentMethodFacts } from './payment-method-facts.ts'

const walletTitle = 'PayPal'

type OfflineMethod = (typeof offlineMethods)[number]

/**
 * Returns the payment methods that this shop offers, the wallet first, then cards.
 * @param chosen the visitor's choice so far
 * @param transport of what is paid; without it no method is excluded by shipping
 * @param currency of what is paid
 */
export function paymentMethods(
  tools: Pick<Tools, 'settings' | 'paypal' | 'exchange'>,
  chosen: string,
  transport?: Transport,
  currency: string = tools.settings.currency,
): PaymentMethodFacts[] {
  const { settings } = tools
  const methods: Omit<PaymentMethodFacts, 'chosen'>[] = []
  if (isProviderCurrency(tools, walletMethodId, currency) && settings.paypal.sections.includes('checkout')) {
    methods.push({
      id: walletMethodId,
      title: walletTitle,
      description: message('You approve the payment in a PayPal window, then your order is placed.'),
      orderButtonText: message('Pay with PayPal'),
    })
  }
  if (isProviderCurrency(tools, cardMethodId, currency) && settings.paypal.cards.enabled) {
    const { title, description } = settings.paypal.cards
    methods.push({ id: cardMethodId, title, description, orderButtonText: '', fields: 'card' })
  }
  for (const id of offlineMethods) {
    const method = settings.payments[id]
    if (!method.enabled || (transport && !paysForShipping(method, transport))) continue
    if (!isMethodOffered(tools, id, currency)) continue
    methods.push({ id, title: method.title, description: method.description, orderButtonText: '' })
  }
  const first = methods.some(({ id }) => id === chosen) ? chosen : methods[0]?.id
  return methods.map((method) => ({ ...method, chosen: method.id === first }))
}

/** Returns the merchant's title of a payment method; null for an unknown one. */
export function methodTitle(
  { payments, paypal }: Pick<Tools['settings'], 'payments' | 'paypal'>,
  id: string,
): string | null {
  if (id === walletMethodId) return walletTitle
  if (id === cardMethodId) return paypal.cards.title
  return isOffline(id) ? payments[id].title : null
}

/** Reports whether the merchant allows a currency for a payment method. Every method takes the shop's own. */
function isMethodOffered(
  { settings, exchange }: Pick<Tools, 'settings' | 'exchange'>,
  id: string,
  currency: string,
): boolean {
  if (currency === exchange.from) return true
  const methods = settings.currencies.find(({ code }) => code === currency)?.paymentMethods ?? 'all'
  return methods === 'all' || methods.includes(id)
}

/** Reports whether PayPal is enabled for a currency by this method, and supports it. */
export function isProviderCurrency(
  tools: Pick<Tools, 'settings' | 'paypal' | 'exchange'>,
  method: ProviderMethod,
  currency: string = tools.settings.currency,
): boolean {
  const { settings, paypal } = tools
  return (
    paypal !== null &&
    settings.paypal.enabled &&
    isPayableCurrency(currency) &&
    isMethodOffered(tools, method, currency)
  )
}

/**
 * Reports whether orders can be placed in a currency beside the shop's own: some payment method must take it. PayPal's
 * buttons are on every page and must support the currency; where PayPal is not allowed to take it, other methods
 * decide.
 */
export function isChargeable(tools: Pick<Tools, 'settings' | 'paypal' | 'exchange'>, currency: string): boolean {
  const { settings, paypal } = tools
  const byProvider = paypal !== null && settings.paypal.enabled
  if (
    byProvider &&
    (isMethodOffered(tools, walletMethodId, currency) || isMethodOffered(tools, cardMethodId, currency))
  ) {
    return isPayableCurrency(currency)
  }
  return offlineMethods.some((id) => settings.payments[id].enabled && isMethodOffered(tools, id, currency))
}

/** Returns the payment methods that can be charged later, with one of them chosen. */
export function savableMethods(methods: readonly PaymentMethodFacts[]): PaymentMethodFacts[] {
  const own = methods.filter(({ id }) => isProviderMethod(id))
  const chosen = own.find((method) => method.chosen) ?? own[0]
  return own.map((method) => ({ ...method, chosen: method === chosen }))
}

/** Reports whether the merchant allows customers to save sources of this method. */
export function isSavable(
  { settings: { paypal }, paypal: provider }: Pick<Tools, 'settings' | 'paypal'>,
  method: ProviderMethod,
): boolean {
  if (!provider || !paypal.enabled) return false
  return method === cardMethodId ? paypal.cards.enabled && paypal.cards.keep : paypal.keep
}

/** Returns the payment methods that a customer can save without a purchase, the first of them chosen. */
export function methodsToAdd(tools: Pick<Tools, 'settings' | 'paypal' | 'translator'>): Promise<PaymentMethodFacts[]> {
  const { cards } = tools.settings.paypal
  const wallet = {
    id: walletMethodId,
    title: walletTitle,
    description: message('You agree in a PayPal window that this shop may charge your wallet when you order.'),
  } as const
  const card = { id: cardMethodId, title: cards.title, description: cards.description, fields: 'card' } as const
  const methods = [wallet, card]
    .filter(({ id }) => isSavable(tools, id))
    .map((method, place) => ({ orderButtonText: '', ...method, chosen: place === 0 }))
  return localizeFacts(tools, (say) => localizePaymentMethods(say, methods))
}

/** Returns the status of an order that is paid later: bank transfers wait on hold, cash on delivery is processed. */
export function unpaidOrderStatus(method: string, downloadable: boolean): 'on-hold' | 'processing' {
  return method === 'cod' && !downloadable ? 'processing' : 'on-hold'
}

/** Returns the payment instructions of an order, or null where none apply: it is paid or cancelled. */
export async function paymentInstructions(
  tools: Pick<Tools, 'settings' | 'translator'>,
  order: { readonly paymentMethod: string; readonly status: string; readonly paymentState: string },
): Promise<PaymentInstructions | null> {
  const { payments } = tools.settings
  const method = isOffline(order.paymentMethod) ? payments[order.paymentMethod] : null
  const waits = order.status === 'on-hold' || (order.paymentMethod === 'cod' && order.status === 'processing')
  if (!method || !waits || order.paymentState === 'paid') return null
  const accounts = order.paymentMethod === 'bacs' ? payments.bacs.accounts : []
  if (method.instructions === '' && accounts.length === 0) return null
  return localizeFacts(tools, (say) => ({ text: say.text(method.instructions), accounts }))
}

export function isOffline(method: string): method is OfflineMethod {
  return offlineMethods.some((id) => id === method)
}
