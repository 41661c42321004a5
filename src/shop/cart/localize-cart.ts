import { walletMethodId } from '#contract/payments/constants.ts'
import type { CartProduct } from '#database/cart/cart-products.ts'
import type { CartTotals } from '#domain/cart/totals.ts'
import { localizeImage } from '../catalog/localize-catalog.ts'
import type { PaymentMethodFacts } from '../payments/operation/payment-method-facts.ts'
import type { Say } from '../translation/localize-facts.ts'
import type { EvaluatedCart } from './evaluated-cart.ts'

/** Localizes a product for carts and notices. Posted values, which are the keys of choices, stay unchanged. */
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

/** Localizes payment methods: the merchant's texts, or the shop's defaults. */
export function localizePaymentMethods(say: Say, methods: readonly PaymentMethodFacts[]): PaymentMethodFacts[] {
  // The wallet's name is fixed, and its description is the shop's.
  const localizedTotals = (text: string, id: string) => say.t(id === walletMethodId ? text : say.text(text))
  return methods.map((method) => ({
    ...method,
    title: localizedTotals(method.title, method.id),
    description: localizedTotals(method.description, method.id),
    orderButtonText: method.orderButtonText === '' ? '' : say.t(method.orderButtonText),
  }))
}

/** Localizes an evaluated cart: products, packages, fees, taxes and payment methods. */
export function localizeCart(say: Say, cart: Omit<EvaluatedCart, 'quote' | 'products'>): typeof cart {
  const labelled = <Thing extends { readonly label: string }>(thing: Thing): Thing => ({
    ...thing,
    // Labels that equal the shop's default use the shop's translation.
    label: say.t(say.text(thing.label)),
  })
  const localizedTotals = (totals: CartTotals): CartTotals => ({
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
    totals: localizedTotals(cart.totals),
    byMethod: new Map([...cart.byMethod].map(([id, totals]) => [id, localizedTotals(totals)])),
    methods: localizePaymentMethods(say, cart.methods),
  }
}
