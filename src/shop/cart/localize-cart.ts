import { walletMethodId } from '#contract/payments/constants.ts'
import type { CartProduct } from '#database/cart/cart-products.ts'
import type { CartTotals } from '#domain/cart/totals.ts'
import { localizeImage } from '../catalog/localize-catalog.ts'
import type { PaymentMethodFacts } from '../payments/operation/payment-method-facts.ts'
import type { Say } from '../translation/localize-facts.ts'
import type { EvaluatedCart } from './evaluated-cart.ts'

/** What is sold, as carts and notices name it. Posted values, which are the keys of choices, stay as they are. */
export function localizeCartProduct<Product extends CartProduct>(say: Say, product: Product): Product {
  return {
    ...product,
    name: say.text(product.name),
    image: product.image && localizeImage(say, product.image),
    attributes: product.attributes.map((attribute) => ({
      ...attribute,
      label: say.text(attribute.label),
      options: attribute.options.map((option) => ({ ...option, label: say.text(option.label) })),
    })),
  }
}

/** Ways to pay: what the merchant wrote of them, and what the shop says where the merchant has written nothing. */
export function localizePaymentMethods(say: Say, methods: readonly PaymentMethodFacts[]): PaymentMethodFacts[] {
  // The provider's own name is the same everywhere, and what it does is said in the shop's words.
  const said = (text: string, id: string) => say.t(id === walletMethodId ? text : say.text(text))
  return methods.map((method) => ({
    ...method,
    title: said(method.title, method.id),
    description: said(method.description, method.id),
    orderButtonText: method.orderButtonText === '' ? '' : say.t(method.orderButtonText),
  }))
}

/** A cart that was worked out: its products, parcels, fees, taxes and ways to pay. */
export function localizeCart(say: Say, cart: Omit<EvaluatedCart, 'quote' | 'products'>): typeof cart {
  const labelled = <Thing extends { readonly label: string }>(thing: Thing): Thing => ({
    ...thing,
    // What a merchant left as it came is said in the shop's words.
    label: say.t(say.text(thing.label)),
  })
  const said = (totals: CartTotals): CartTotals => ({
    ...totals,
    shipping: totals.shipping.map(labelled),
    fees: totals.fees.map((fee) => ({ ...fee, name: say.text(fee.name) })),
    taxes: totals.taxes.map(labelled),
  })
  return {
    ...cart,
    entries: cart.entries.map((entry) => ({ ...entry, product: localizeCartProduct(say, entry.product) })),
    dropped: cart.dropped.map((dropped) => ({ ...dropped, name: say.text(dropped.name) })),
    packages: cart.packages.map((parcel) => ({
      ...parcel,
      rates: parcel.rates.map(labelled),
      chosen: parcel.chosen && labelled(parcel.chosen),
    })),
    totals: said(cart.totals),
    byMethod: new Map([...cart.byMethod].map(([id, totals]) => [id, said(totals)])),
    methods: localizePaymentMethods(say, cart.methods),
  }
}
