import type { OrderBody, ShippingPreference } from '#contract/paypal/order.ts'
import { urls } from '#contract/urls.ts'
import type { OrderItemRow, OrderRow } from '#database/orders.ts'
import { money } from '#domain/money/money.ts'
import { walletOrderBody } from '#paypal/wallet-order-body.ts'
import { lineFacts } from './order-lines.ts'
import type { AddressState } from './session-state.ts'
import type { Tools } from './tools.ts'

/** How the wallet is to present an order. */
export type WalletPresentation = {
  shippingPreference: ShippingPreference
  /** `PAY_NOW` where the shopper has seen the final total, else `CONTINUE`. */
  userAction: 'CONTINUE' | 'PAY_NOW'
}

/** An order of ours in the provider's words. @throws RangeError when its total cannot be paid by wallet */
export function orderAsWalletOrder(
  tools: Tools,
  order: OrderRow,
  items: readonly OrderItemRow[],
  revision: number,
  presentation: WalletPresentation,
): OrderBody {
  const lines = items.filter(({ type }) => type === 'line_item')
  const fees = items.filter(({ type }) => type === 'fee')
  const inCurrency = (minor: number) => money(minor, order.currency)
  // Written by `place-order.ts` alone, with this type.
  const shipping = order.shipping as AddressState
  return walletOrderBody(
    {
      orderId: String(order.id),
      invoiceId: `${tools.settings.orderPrefix}${order.id}-${order.key.slice(-6)}-${revision}`,
      description: `${tools.settings.name}: order ${order.id}`,
      total: inCurrency(order.total),
      lines: lines.map((item) => ({
        name: item.name,
        sku: item.sku,
        quantity: item.quantity,
        subtotal: inCurrency(item.subtotal),
        virtual: lineFacts(item).virtual,
      })),
      shipping: inCurrency(order.shipping_total),
      tax: inCurrency(order.total_tax),
      discount: inCurrency(order.discount_total),
      fees: inCurrency(fees.reduce((sum, fee) => sum + fee.total, 0)),
      shipTo:
        presentation.shippingPreference === 'SET_PROVIDED_ADDRESS'
          ? {
              fullName: `${shipping.first_name} ${shipping.last_name}`.trim(),
              address: {
                address_line_1: shipping.address_1,
                ...(shipping.address_2 ? { address_line_2: shipping.address_2 } : {}),
                admin_area_2: shipping.city,
                ...(shipping.state ? { admin_area_1: shipping.state } : {}),
                postal_code: shipping.postcode,
                country_code: shipping.country,
              },
            }
          : null,
    },
    {
      brandName: tools.settings.name,
      locale: tools.settings.language,
      shippingPreference: presentation.shippingPreference,
      userAction: presentation.userAction,
      returnUrl: tools.publicUrl + urls.walletReturn(),
      cancelUrl: tools.publicUrl + urls.walletCancel(),
    },
  )
}
