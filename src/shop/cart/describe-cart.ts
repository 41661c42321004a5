import { urls } from '#contract/shared/urls.ts'
import { maxQuantity, needsBackorder } from '#domain/cart/stock.ts'
import { type Money, money, sum } from '#domain/money/money.ts'
import { placeText } from '../addresses/address-lines.ts'
import { countryName } from '../addresses/allowed-countries.ts'
import { needsSetupToken } from '../payments/vault/needs-setup-token.ts'
import type { Tools } from '../shared/tools.ts'
import type { QuotedPackage } from '../shipping/quoted-package.ts'
import type { Translator } from '../translation/translator.ts'
import type { CartFacts, CartLineFacts, TotalsFacts } from './cart-facts.ts'
import { choicesOf } from './chosen-options.ts'
import type { CartEntry, EvaluatedCart } from './evaluated-cart.ts'
import { shippingPlace } from './quote-cart.ts'

/**
 * Returns the facts of a cart for pages and fragments.
 * @param nonce of the action `woocommerce-cart`, for the links that remove a line
 */
export async function describeCart(tools: Tools, cart: EvaluatedCart, nonce: string): Promise<CartFacts> {
  const { t } = await tools.translator()
  const { settings } = tools
  const { totals, entries, state, quote } = cart
  const inclusive = settings.taxes.displayCart === 'incl' && settings.taxes.enabled
  // All rows equal those of the order, so that they add up where the shop rounds at the subtotal as well.
  const shown = (net: number, tax: number) => money(inclusive ? net + tax : net, totals.currency)
  const byKey = new Map(quote.lines.map((line) => [line.line.key, shown(line.subtotal, line.subtotalTax)]))
  const subtotal = sum([...byKey.values()], totals.currency)
  return {
    lines: entries.map((entry) => describeLine(entry, byKey.get(entry.line.key) ?? money(0, totals.currency), nonce)),
    count: entries.reduce((sum, { line }) => sum + line.quantity, 0),
    needsShipping: cart.needsShipping,
    needsPayment: totals.total.minor > 0 || needsSetupToken(cart),
    subtotal,
    totals: describeTotals(tools, cart, { subtotal, inclusive, shown, t }),
    hash: cart.quote.hash,
    customer: shippingPlace(tools, state),
    calculatedShipping: state.calculatedShipping,
    refusedPlace: state.refusedPlace,
  }
}

function describeLine({ line, product }: CartEntry, whole: Money, nonce: string): CartLineFacts {
  return {
    key: line.key,
    productId: line.productId,
    variationId: line.variationId,
    sku: product.sku,
    name: product.name,
    url: urls.product(product.slug, line.variationId === null ? {} : attributeQuery(product, line.attributes)),
    image: product.image,
    quantity: line.quantity,
    maxQuantity: maxQuantity(product),
    soldIndividually: product.soldIndividually,
    choices: choicesOf(product, line).map(({ label, value }) => ({ label, value })),
    onBackorder: needsBackorder(product, line.quantity),
    // The tax is rounded per line; the price of one piece is its share.
    price: money(Math.round(whole.minor / line.quantity), whole.currency),
    subtotal: whole,
    removeUrl: urls.cart({ remove_item: line.key, _wpnonce: nonce }),
  }
}

function attributeQuery(
  product: CartEntry['product'],
  chosen: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(product.chosen).map(([slug, value]) => [`attribute_${slug}`, value || chosen[slug] || '']),
  )
}

function describeTotals(
  tools: Tools,
  cart: EvaluatedCart,
  {
    subtotal,
    inclusive,
    shown,
    t,
  }: { subtotal: Money; inclusive: boolean; shown: (net: number, tax: number) => Money; t: Translator['t'] },
): TotalsFacts {
  const { settings } = tools
  const { totals, quote, state, packages } = cart
  const charged = quote.taxes
    .map(({ code, label, items, shipping }) => ({ code, label, amount: money(items + shipping, totals.currency) }))
    .filter(({ amount }) => amount.minor !== 0)
  const taxes =
    settings.taxes.itemised || charged.length === 0
      ? charged
      : [{ code: null, label: t('Tax'), amount: money(quote.totalTax, totals.currency) }]
  const place = packages[0]?.destination
  // The quote has a row for each package with a chosen rate, in their order.
  const shipped = packages.filter(({ chosen }) => chosen !== null)
  const costOf = (parcel: QuotedPackage, rate: QuotedPackage['rates'][number]) => {
    const settled = rate.id === parcel.chosen?.id ? quote.shipping[shipped.indexOf(parcel)] : undefined
    return settled ? shown(settled.cost, settled.tax) : shown(rate.cost.minor, rate.tax.minor)
  }
  const known = state.calculatedShipping || state.billing.country !== '' || state.shipping.country !== ''
  return {
    subtotal,
    coupons: quote.coupons.map(({ code, discount, discountTax }) => ({
      code,
      label: `${t('Coupon:')} ${code}`,
      discount: shown(discount, discountTax),
      freeShipping: cart.coupons.some((coupon) => coupon.code === code && coupon.freeShipping),
      removeUrl: urls.cart({ remove_coupon: code }),
    })),
    packages: packages.map((one) => ({
      index: one.index,
      contents: contentsOf(cart, one),
      destination: known && one.destination.country !== '' ? placeText(settings, one.destination) : '',
      rates: one.rates.map((rate) => ({
        id: rate.id,
        label: rate.label,
        cost: costOf(one, rate),
        taxed: rate.tax.minor > 0,
        free: rate.cost.minor === 0,
        chosen: rate.id === one.chosen?.id,
      })),
      missing:
        one.rates.length > 0 ? null : one.destination.country === '' ? ('address' as const) : ('no-rates' as const),
    })),
    fees: quote.fees.map(({ name, amount, tax }) => ({ name, amount: shown(amount, tax) })),
    taxes: inclusive ? [] : taxes,
    includedTaxes: inclusive ? taxes : [],
    total: totals.total,
    estimatedFor:
      known || taxes.length === 0 || !place
        ? null
        : countryName(settings.language, place.country || settings.base.country),
  }
}

function contentsOf({ entries }: EvaluatedCart, { contents }: QuotedPackage): string[] {
  return entries
    .filter(({ line }) => contents.includes(line.key))
    .map(({ line, product }) => `${product.name} × ${line.quantity}`)
}
