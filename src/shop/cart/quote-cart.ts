import { type CartProduct, productsForCart } from '#database/cart/cart-products.ts'
import { feesFor, followMethod } from '#domain/cart/fee-rules.ts'
import { itemTotals } from '#domain/cart/item-totals.ts'
import { shapeOf } from '#domain/cart/line-snapshot.ts'
import { settleRates } from '#domain/cart/settle-rates.ts'
import { settleTotals } from '#domain/cart/settle-totals.ts'
import { cartTotals } from '#domain/cart/totals.ts'
import type { AddedInput, ItemsInput, RatesByClass, StatedAmounts } from '#domain/cart/totals-input.ts'
import { applicableCoupons } from '#domain/coupons/coupon-validity.ts'
import type { Exchange } from '#domain/currency/exchange.ts'
import { largestGoods } from '#domain/money/bounds.ts'
import { money } from '#domain/money/money.ts'
import { type ActivePrice, activePrice } from '#domain/pricing/active-price.ts'
import { shippingTaxClass } from '#domain/tax/shipping-tax-class.ts'
import { type TaxPlace, taxRatesFor } from '#domain/tax/tax-rate.ts'
import { taxablePlace } from '#domain/tax/taxable-place.ts'
import { startPlace } from '../addresses/allowed-countries.ts'
import { discountFigures } from '../coupons/discount-figures.ts'
import { readCoupons, type StoredCoupon } from '../coupons/read-coupons.ts'
import type { AddressState, CartLine, SessionState } from '../customers/sessions/session-state.ts'
import {
  exchangedTotal,
  feeFigures,
  figuresByMethod,
  minorShares,
  ownWords,
} from '../payments/operation/figures-by-method.ts'
import { paymentMethods, savableMethods } from '../payments/operation/payment-methods.ts'
import { needsSetupToken } from '../payments/vault/needs-setup-token.ts'
import { canonicalJson, shortDigest } from '../shared/digest.ts'
import type { Tools } from '../shared/tools.ts'
import { quotePackages, withRateTaxes } from '../shipping/quote-shipping.ts'
import { localizeFacts } from '../translation/localize-facts.ts'
import { choicesOf } from './chosen-options.ts'
import type { CartEntry, DroppedLine, EvaluatedCart } from './evaluated-cart.ts'
import { feeRules } from './fee-rules.ts'
import { localizeCart } from './localize-cart.ts'
import { displayedAmount, ownCurrencyItems } from './own-currency-items.ts'
import type { Quote } from './quote.ts'

/** Reads the products of cart lines by id: the chosen variation, or the product. */
export function cartProducts(
  { db, clock }: Tools,
  sessionId: string,
  { lines }: SessionState,
): Promise<ReadonlyMap<number, CartProduct>> {
  return productsForCart(db, lines.map(soldProductId), clock.now(), { sessionId })
}

/** Returns the id of a line's chosen variation, or product. */
export const soldProductId = ({ productId, variationId }: CartLine): number => variationId ?? productId

/**
 * Evaluates a visitor's cart in the current language: one round trip for products and a parallel one for coupons.
 * @param known products read before; if they cover the cart, they are not read again
 */
export async function quoteCart(
  given: Tools,
  sessionId: string,
  state: SessionState,
  known?: ReadonlyMap<number, CartProduct>,
): Promise<EvaluatedCart> {
  // A snapshot: settings and rates that change during the evaluation must not mix in one cart.
  const tools: Tools = { ...given }
  const [products, applied] = await Promise.all([
    known && state.lines.every((line) => known.has(soldProductId(line)))
      ? known
      : cartProducts(tools, sessionId, state),
    // Coupons from before the merchant disabled coupons are removed by the next evaluation.
    readCoupons(tools, tools.settings.couponsEnabled ? state.coupons : []),
  ])
  const cart = workOutCart(tools, state, products, applicableCoupons(applied), tools.clock.now())
  const localized = await localizeFacts(tools, (say) => localizeCart(say, cart))
  const { isOwn } = await tools.translator()
  return { ...localized, quote: quoteOf(tools, localized, isOwn ? null : cart), products }
}

/** Parts of an order that the merchant states, in place of the shop's own prices, shipping rates and fees. */
export type StatedParts = {
  /** By the keys of the lines; lines without an entry have the price of their product. */
  readonly lines: ReadonlyMap<string, StatedAmounts>
  readonly shipping: AddedInput['shipping']
  readonly fees: AddedInput['fees']
}

/**
 * Evaluates a cart from given facts, in the merchant's language. `coupons` are in the displayed currency.
 * @param stated null: prices, shipping and fees are the shop's
 */
export function workOutCart(
  tools: Pick<Tools, 'settings' | 'exchange' | 'taxRates' | 'shippingZones' | 'paypal'>,
  state: SessionState,
  products: ReadonlyMap<number, CartProduct>,
  coupons: readonly StoredCoupon[],
  now: Date,
  stated: StatedParts | null = null,
): Omit<EvaluatedCart, 'quote' | 'products'> {
  const { settings } = tools
  const { currency } = settings
  const { entries, dropped } = sift(state.lines, products, tools.exchange, now, stated?.lines)
  const shippable = settings.shipping.enabled ? entries.filter(({ product }) => !product.virtual) : []
  const needsShipping = shippable.length > 0
  const place = shippingPlace(tools, state)

  const itemsInput: ItemsInput = {
    currency,
    switches: {
      taxesEnabled: settings.taxes.enabled,
      pricesIncludeTax: settings.taxes.pricesIncludeTax,
      roundAtSubtotal: settings.taxes.roundAtSubtotal,
      vatExempt: state.vatExempt,
      sameGrossEverywhere: settings.taxes.sameGrossEverywhere,
      sequentialDiscounts: settings.coupons.sequential,
    },
    lines: entries.map(({ line, product, unitPrice, onSale }) => ({
      key: line.key,
      productId: product.id,
      parentId: product.parentId,
      categoryIds: product.categoryIds,
      onSale,
      unitPrice: money(unitPrice, currency),
      quantity: line.quantity,
      taxable: product.taxStatus === 'taxable',
      taxClass: product.taxClass,
      ...statedOf(stated, line),
    })),
    coupons,
    rates: ratesFor(tools, state, entries, false, stated?.fees),
  }
  const items = itemTotals(itemsInput)
  const ownItems = ownCurrencyItems(items, tools.exchange, { entries, coupons })
  const parcels =
    needsShipping && !stated
      ? quotePackages(tools, { entries, items, ownItems, coupons, place, remembered: state.chosenShipping })
      : []
  const isPickup = stated
    ? stated.shipping.some(({ id }) => id.startsWith('local_pickup:'))
    : parcels.some((one) => one.chosen?.method === 'local_pickup')
  const collected = settings.taxes.localPickupAtBase && isPickup
  // Local pickup changes the tax location, also of the items.
  const settled = collected
    ? itemTotals({ ...itemsInput, rates: ratesFor(tools, state, entries, true, stated?.fees) })
    : items
  const { subtotal, subtotalTax } = collected
    ? ownCurrencyItems(settled, tools.exchange, { entries, coupons })
    : ownItems
  const ownSubtotal = displayedAmount(settings, subtotal, subtotalTax)
  const taxClass = shippingTaxClass(
    settings.taxes.shippingClass,
    shippable.map(({ product }) => product),
    settings.taxes.classes,
  )
  const packages = withRateTaxes(parcels, settled, taxClass)
  const methods = paymentMethods(tools, state.paymentMethod, {
    needsShipping,
    rates: packages.map(({ chosen }) => chosen?.id ?? null),
  })
  const { rules } = feeRules(settings, tools.exchange)
  const addedWith = (paymentMethod: string): AddedInput => ({
    shippingTaxClass: taxClass,
    ...(stated ?? ownParts(paymentMethod)),
  })
  const ownParts = (paymentMethod: string): Pick<AddedInput, 'shipping' | 'fees'> => ({
    shipping: packages.flatMap(({ chosen }) =>
      chosen ? { id: chosen.id, label: chosen.label, cost: chosen.cost, taxable: chosen.taxable } : [],
    ),
    fees: feesFor(rules, {
      goods: settled.total,
      displayedSubtotal: ownSubtotal,
      paymentMethod,
      country: place.country,
      state: place.state,
      needsShipping,
    }),
  })
  const totals = cartTotals(settled, addedWith(methods.find(({ chosen }) => chosen)?.id ?? ''))
  const ways = !stated && followMethod(rules) ? ['', ...methods.map(({ id }) => id)] : []
  return {
    state,
    entries,
    dropped,
    coupons,
    items: settled,
    ownSubtotal,
    totals,
    byMethod: new Map(ways.map((id) => [id, cartTotals(settled, addedWith(id))])),
    packages,
    needsShipping,
    // Only PayPal can save a payment method.
    methods: needsSetupToken({ totals, entries }) ? savableMethods(methods) : methods,
  }
}

/** Product types that only lead to products, and are not sold themselves. */
const unsoldTypes: readonly CartProduct['type'][] = ['grouped', 'external']

function sift(
  lines: readonly CartLine[],
  products: ReadonlyMap<number, CartProduct>,
  exchange: Exchange,
  now: Date,
  stated?: StatedParts['lines'],
): { entries: CartEntry[]; dropped: DroppedLine[] } {
  const entries: CartEntry[] = []
  const dropped: DroppedLine[] = []
  let goods = 0
  let ownGoods = 0
  for (const line of lines) {
    const product = products.get(line.variationId ?? line.productId)
    if (!product || product.status === 'trash' || (product.parentId ?? product.id) !== line.productId) {
      dropped.push({ line, reason: 'gone', name: product?.name ?? '', slug: '' })
      continue
    }
    const { name, slug } = product
    if ((line.seen && line.seen.shape !== shapeOf(product)) || product.type === 'variable') {
      dropped.push({ line, reason: 'changed', name, slug: product.status === 'publish' ? slug : '' })
      continue
    }
    const own = stated?.get(line.key)
    const price = own ? statedPrice(own, line, exchange) : currentPrice(product, exchange, now)
    const cost = (price?.price.minor ?? 0) * line.quantity
    const ownCost = (price?.entered ?? 0) * line.quantity
    if (
      price === null ||
      (product.status !== 'publish' && !stated) ||
      unsoldTypes.includes(product.type) ||
      Math.max(goods + cost, ownGoods + ownCost) > largestGoods
    ) {
      dropped.push({ line, reason: 'not-purchasable', name, slug })
      continue
    }
    goods += cost
    ownGoods += ownCost
    entries.push({ line, product, unitPrice: price.price.minor, entered: price.entered, onSale: price.onSale })
  }
  return { entries, dropped }
}

/**
 * Returns the current price in the displayed currency, or null where it is not for sale. `entered`: as entered by the
 * merchant.
 */
export function currentPrice(
  product: CartProduct,
  exchange: Exchange,
  now: Date,
): (ActivePrice & { readonly entered: number }) | null {
  const { regularPrice, salePrice, saleFrom, saleTo } = product
  const asMoney = (minor: number | null) => (minor === null ? null : money(minor, exchange.from))
  const active = activePrice({ regular: asMoney(regularPrice), sale: asMoney(salePrice), saleFrom, saleTo }, now)
  if (!active) return null
  const { minor } = active.price
  return { ...active, price: money(exchange.price(minor), exchange.to), entered: minor }
}

const statedOf = (stated: StatedParts | null, { key }: CartLine) => {
  const amounts = stated?.lines.get(key)
  return amounts && { stated: amounts }
}

/** Returns the unit price of a stated line, for its digest and its limits: the totals use the stated amounts. */
function statedPrice({ subtotal }: StatedAmounts, { quantity }: CartLine, exchange: Exchange) {
  const minor = Math.floor(subtotal.minor / quantity)
  return { price: money(minor, exchange.to), entered: exchange.back(minor), onSale: false }
}

/** Returns the cart's destination: the visitor's address, or the shop's default. */
export function shippingPlace({ settings }: Pick<Tools, 'settings'>, state: SessionState): TaxPlace {
  const { shipping, billing, shipToDifferent } = state
  const address = shipToDifferent || billing.country === '' ? (shipping.country ? shipping : billing) : billing
  if (address.country !== '') return placeOf(address)
  // A visitor is in the shop's state, not at its address.
  return { ...(startPlace(settings, 'shipping') ?? { country: '', state: '' }), postcode: '', city: '' }
}

function placeOf({ country, state, postcode, city }: AddressState): TaxPlace {
  return { country, state, postcode, city }
}

function ratesFor(
  tools: Pick<Tools, 'settings' | 'taxRates'>,
  state: SessionState,
  entries: readonly CartEntry[],
  collectedAtBase: boolean,
  fees: readonly { readonly taxClass: string }[] = tools.settings.fees,
): ItemsInput['rates'] {
  const { settings, taxRates } = tools
  const { base } = settings
  const place = taxablePlace({
    basedOn: settings.taxes.basedOn,
    base,
    shipping: shippingPlace(tools, state),
    billing: placeOf(state.billing),
    collectedAtBase,
    pricesIncludeTax: settings.taxes.pricesIncludeTax,
    defaultLocation: settings.defaultLocation,
  })
  const classes = new Set(['', settings.taxes.shippingClass])
  for (const { product } of entries) classes.add(product.taxClass)
  for (const { taxClass } of fees) classes.add(taxClass)
  const at = (where: TaxPlace | null): RatesByClass =>
    where ? Object.fromEntries([...classes].map((name) => [name, taxRatesFor(taxRates, where, name)])) : {}
  return { customer: at(place), base: at(base) }
}

/**
 * Returns the quote of an evaluated cart, as an order stores it.
 * @param written the same in the merchant's language, where the cart is localized
 */
export function quoteOf(
  tools: Pick<Tools, 'settings' | 'exchange'>,
  cart: Omit<EvaluatedCart, 'quote' | 'products'>,
  written: typeof cart | null = null,
): Quote {
  const { totals, entries, needsShipping } = cart
  // The totals have one shipping line for each of these, in this order.
  const shipped = cart.packages.filter(({ chosen }) => chosen !== null)
  const settled = settleTotals(totals)
  // Lines stay the same when another payment method adds a fee with its own tax rate.
  const byRate = [totals, ...cart.byMethod.values()].some(({ taxes }) => taxes.length > 1)
    ? settleRates(totals, settled)
    : null
  const byKey = new Map(
    totals.lines.map(({ key }, index) => [key, { paid: settled.lines[index], byRate: byRate?.lines[index] }] as const),
  )
  const { settings } = tools
  const lines = entries.map(({ line, product }, place) => {
    const figures = byKey.get(line.key)
    if (!figures?.paid) throw new Error(`the totals lack the line ${line.key}`)
    const ownProduct = written?.entries[place]?.product
    return {
      line,
      name: product.name,
      sku: product.sku,
      choices: choicesOf(product, line),
      ...(ownProduct && { own: { name: ownProduct.name, choices: choicesOf(ownProduct, line) } }),
      virtual: product.virtual,
      downloadable: product.downloadable,
      stockOwner: product.stockOwner,
      subtotal: figures.paid.subtotal.minor,
      subtotalTax: figures.paid.subtotalTax.minor,
      total: figures.paid.total.minor,
      totalTax: figures.paid.tax.minor,
      ...(byRate && { taxes: minorShares(figures.byRate?.total, figures.byRate?.subtotal) }),
    }
  })
  return {
    currency: totals.currency,
    exchanged: exchangedTotal(tools.exchange, totals.total.minor),
    pricesIncludeTax: settings.taxes.pricesIncludeTax,
    lines,
    ...discountFigures(totals, settled),
    shipping: settled.shipping.map(({ cost, tax }, place) => ({
      rateId: totals.shipping[place]?.id ?? '',
      label: totals.shipping[place]?.label ?? '',
      ...ownWords(written?.totals.shipping[place]?.label),
      cost: cost.minor,
      tax: tax.minor,
      ...(byRate && { taxes: minorShares(byRate.shipping[place]) }),
      contents: shipped[place]?.contents ?? [],
    })),
    ...feeFigures(totals, settled, written?.totals),
    needsShipping,
    shippingTotal: settled.shippingTotal.minor,
    shippingTax: settled.shippingTax.minor,
    feesTotal: settled.feesTotal.minor,
    cartTax: settled.linesTax.minor + settled.feesTax.minor,
    totalTax: settled.tax.minor,
    total: totals.total.minor,
    byMethod: figuresByMethod(cart.byMethod, settled, tools.exchange, written?.byMethod),
    hash: cartHash(entries, totals.total.minor, tools.exchange),
  }
}

/**
 * Returns a hash of lines, total and currency; '' for an empty cart. The shop's own currency is left out: hashes from
 * before other currencies stay valid.
 */
export function cartHash(
  entries: readonly Pick<CartEntry, 'line' | 'unitPrice'>[],
  total: number,
  exchange: Pick<Exchange, 'from' | 'to'>,
): string {
  if (entries.length === 0) return ''
  const lines = entries.map(({ line, unitPrice }) => [line.key, line.quantity, unitPrice])
  const currency = exchange.from === exchange.to ? [] : [exchange.to]
  return shortDigest(canonicalJson([lines, total, ...currency]))
}
