import type { OrderBody, ShippingPreference } from '#contract/paypal/order.ts'
import { urls } from '#contract/shared/urls.ts'
import type { OrderItemRow, OrderRow } from '#database/orders/orders.ts'
import { fullName } from '#domain/addresses/full-name.ts'
import { money } from '#domain/money/money.ts'
import { providerCountry, toProviderAddress } from '#domain/payments/provider-address.ts'
import { providerLocale } from '#domain/payments/provider-locale.ts'
import { type PaymentSource, plainWallet } from '#paypal/source-body.ts'
import { type ShippingOption, type WalletOrderFacts, walletOrderBody } from '#paypal/wallet-order-body.ts'
import type { AddressState } from '../../customers/sessions/session-state.ts'
import { discountOnLines, lineFacts } from '../../orders/order-lines.ts'
import { sha256 } from '../../shared/digest.ts'
import type { Tools } from '../../shared/tools.ts'
import { addressIn } from '../../translation/localized-paths.ts'

/** Presentation of an order in the wallet. */
export type WalletPresentation = {
  shippingPreference: ShippingPreference
  /** `PAY_NOW` where the shopper has seen the final total, else `CONTINUE`. */
  userAction: 'CONTINUE' | 'PAY_NOW'
  /** Shipping options in the wallet's window, where the address is chosen there. */
  shippingOptions?: readonly ShippingOption[]
  /** Payment source; the wallet by default. */
  source?: PaymentSource
  /** The customer's id in PayPal's vault. */
  vaultCustomer?: string | null
  /** PayPal calls the shop when the buyer changes address or shipping option. */
  requestShopUpdate?: boolean
}

/**
 * Returns the secret in the URL of PayPal's shipping callback: equal for every repeat of a call, and not guessable
 * without the order's key.
 */
export function shippingCallbackToken(order: Pick<OrderRow, 'id' | 'key'>): string {
  return sha256(`shipping-callback:${order.id}:${order.key}`)
}

/** Builds PayPal's order from an order. @throws RangeError when its total cannot be paid by wallet */
export async function orderAsWalletOrder(
  tools: Tools,
  order: OrderRow,
  items: readonly OrderItemRow[],
  revision: number,
  presentation: WalletPresentation,
): Promise<OrderBody> {
  const locale = providerLocale(tools.settings.language)
  const { t } = await tools.translator()
  return walletOrderBody(
    {
      invoiceId: `${tools.settings.orderPrefix}${order.id}-${order.key.slice(-6)}-${revision}`,
      description: `${tools.settings.name}: ${t('Order #%s', order.id)}`,
      ...walletFacts(order, items, presentation),
    },
    {
      brandName: tools.settings.name,
      ...(locale === null ? {} : { locale }),
      shippingPreference: presentation.shippingPreference,
      userAction: presentation.userAction,
      returnUrl: tools.publicUrl + (await addressIn(tools, urls.walletReturn())),
      cancelUrl: tools.publicUrl + (await addressIn(tools, urls.walletCancel())),
      ...(presentation.requestShopUpdate
        ? { shippingCallbackUrl: tools.publicUrl + urls.shippingCallback(shippingCallbackToken(order)) }
        : {}),
    },
    {
      intent: tools.settings.paypal.intent === 'authorize' ? 'AUTHORIZE' : 'CAPTURE',
      source: presentation.source ?? plainWallet,
      vaultCustomer: presentation.vaultCustomer ?? null,
      verification: tools.settings.paypal.cards.threeDSecure.request,
    },
  )
}

/** Returns the facts of an order for PayPal, in the order's own currency. */
export function walletFacts(
  order: OrderRow,
  items: readonly OrderItemRow[],
  { shippingPreference, shippingOptions }: Pick<WalletPresentation, 'shippingPreference' | 'shippingOptions'>,
): Omit<WalletOrderFacts, 'invoiceId' | 'description'> {
  const lines = items.filter(({ type }) => type === 'line_item')
  const fees = items.filter(({ type }) => type === 'fee')
  const inCurrency = (minor: number) => money(minor, order.currency)
  // Written by `place-order.ts` alone, with this type.
  const shipping = order.shipping as AddressState
  return {
    orderId: String(order.id),
    total: inCurrency(order.total),
    lines: lines.map((item) => ({
      name: item.name,
      choices: lineFacts(item).choices,
      sku: item.sku,
      quantity: item.quantity,
      subtotal: inCurrency(item.subtotal),
      virtual: lineFacts(item).virtual,
    })),
    shipping: inCurrency(order.shipping_total),
    tax: inCurrency(order.total_tax),
    discount: inCurrency(discountOnLines(items).net),
    fees: inCurrency(fees.reduce((sum, fee) => sum + fee.total, 0)),
    shipTo:
      shippingPreference === 'SET_PROVIDED_ADDRESS'
        ? {
            fullName: fullName(shipping),
            address: { ...toProviderAddress(shipping), country_code: providerCountry(shipping.country) },
          }
        : null,
    ...(shippingOptions ? { shippingOptions } : {}),
  }
}
