import type { OrderItem } from '#database/orders/orders.ts'
import { lineName } from '#domain/orders/line-name.ts'
import type { OwnWords, Quote, TaxShare } from '../cart/quote.ts'
import type { PlaceOrder } from '../checkout/place-order.ts'
import type { LineFacts, TaxFacts } from './order-lines.ts'

type Ordered = Omit<PlaceOrder, 'sessionId' | 'intention'>

/** Returns the columns of an order that derive from the request, on every press. */
export function orderFigures({ quote, ...wanted }: Ordered) {
  return {
    customer_id: wanted.customerId,
    cart_hash: quote.hash,
    currency: quote.currency,
    exchange_rate: quote.exchanged?.rate ?? null,
    base_currency: quote.exchanged?.base ?? null,
    base_total: quote.exchanged?.baseTotal ?? null,
    prices_include_tax: quote.pricesIncludeTax,
    discount_total: quote.discountTotal,
    discount_tax: quote.discountTax,
    shipping_total: quote.shippingTotal,
    shipping_tax: quote.shippingTax,
    cart_tax: quote.cartTax,
    total_tax: quote.totalTax,
    figures_by_method: quote.byMethod,
    total: quote.total,
    billing: wanted.billing,
    shipping: wanted.shipping,
    customer_note: wanted.customerNote,
    payment_method: wanted.paymentMethod.id,
    payment_method_title: wanted.paymentMethod.title,
    customer_ip: wanted.customerIp,
    customer_user_agent: wanted.customerUserAgent,
    // Origin of the last press: an approval before the final total was seen is never captured without the shopper.
    created_via: wanted.createdVia,
    ...(wanted.attribution ? { attribution: wanted.attribution } : {}),
    ...(wanted.terms ? { terms: wanted.terms } : {}),
  }
}

/** Returns the items of an order: lines, packages, fees, taxes and coupons. */
export function orderItems(quote: Quote): Omit<OrderItem, 'order_id' | 'position'>[] {
  return [
    ...quote.lines.map((quoted) => ({
      ...plainItem,
      type: 'line_item' as const,
      name: quoted.name,
      product_id: quoted.line.productId,
      variation_id: quoted.line.variationId,
      sku: quoted.sku,
      quantity: quoted.line.quantity,
      subtotal: quoted.subtotal,
      subtotal_tax: quoted.subtotalTax,
      total: quoted.total,
      total_tax: quoted.totalTax,
      facts: {
        choices: quoted.choices,
        attributes: quoted.line.attributes,
        virtual: quoted.virtual,
        downloadable: quoted.downloadable,
        stockOwner: quoted.stockOwner,
        ...ownOf(quoted),
        ...taxesOf(quoted),
      } satisfies LineFacts,
    })),
    ...quote.shipping.map((rate) => ({
      ...plainItem,
      type: 'shipping' as const,
      name: rate.label,
      total: rate.cost,
      total_tax: rate.tax,
      facts: { rateId: rate.rateId, contents: contentsOf(quote, rate.contents), ...ownOf(rate), ...taxesOf(rate) },
    })),
    ...feeItems(quote),
    ...quote.coupons.map((coupon) => ({
      ...plainItem,
      type: 'coupon' as const,
      name: coupon.code,
      total: coupon.reported.discount,
      total_tax: coupon.reported.discountTax,
      facts: { couponId: coupon.id },
    })),
  ]
}

/** Returns the items that depend on the payment method: fees, and taxes, which include those of fees. */
export function feeItems({ fees, taxes }: Pick<Quote, 'fees' | 'taxes'>): Omit<OrderItem, 'order_id' | 'position'>[] {
  return [
    ...fees.map((fee) => ({
      ...plainItem,
      type: 'fee' as const,
      name: fee.name,
      total: fee.amount,
      total_tax: fee.tax,
      facts: { ...ownOf(fee), ...taxesOf(fee), ...(fee.taxClass ? { taxClass: fee.taxClass } : {}) },
    })),
    ...taxes.map((tax) => ({
      ...plainItem,
      type: 'tax' as const,
      name: tax.label,
      total: tax.items,
      total_tax: tax.shipping,
      facts: {
        code: tax.code,
        rateId: tax.rateId,
        ratePpm: tax.ratePpm,
        compound: tax.compound,
        ...ownOf(tax),
      } satisfies Required<TaxFacts>,
    })),
  ]
}

/** Keeps the merchant's names beside the customer's, so that emails to the shop use them after later changes. */
const ownOf = ({ own }: { own?: OwnWords }) => (own ? { own } : {})

const taxesOf = ({ taxes }: { taxes?: readonly TaxShare[] }) => (taxes ? { taxes } : {})

/** Default columns of an item. */
const plainItem = {
  product_id: null,
  variation_id: null,
  sku: '',
  quantity: 1,
  subtotal: 0,
  subtotal_tax: 0,
  facts: {},
}

/** Returns the contents of a package for the packing staff. */
function contentsOf({ lines }: Quote, keys: readonly string[]): { name: string; quantity: number }[] {
  return lines
    .filter(({ line }) => keys.includes(line.key))
    .map((quoted) => ({ name: lineName(quoted), quantity: quoted.line.quantity }))
}
