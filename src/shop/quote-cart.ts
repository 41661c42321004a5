import { type CartProduct, productsForCart } from '#database/catalog/cart-products.ts'
import { type ItemTotals, itemTotals } from '#domain/cart/item-totals.ts'
import { type CartTotals, cartTotals } from '#domain/cart/totals.ts'
import type { ItemsInput, RatesByClass } from '#domain/cart/totals-input.ts'
import { money } from '#domain/money/money.ts'
import { type ActivePrice, activePrice } from '#domain/pricing/active-price.ts'
import { shippingTaxClass } from '#domain/tax/shipping-tax-class.ts'
import { type TaxPlace, taxRatesFor } from '#domain/tax/tax-rate.ts'
import { taxablePlace } from '#domain/tax/taxable-place.ts'
import { canonicalJson, shortDigest } from './digest.ts'
import type { Quote } from './quote.ts'
import { type QuotedPackage, quotePackages } from './quote-shipping.ts'
import { readCoupons, type StoredCoupon } from './read-coupons.ts'
import type { AddressState, CartLine, SessionState } from './session-state.ts'
import type { Tools } from './tools.ts'

/** A line together with what is sold by it. */
export type CartEntry = {
  readonly line: CartLine
  /** The variation where one was chosen, else the product. */
  readonly product: CartProduct
  /** Minor units, as entered; sale price while it is on sale. */
  readonly unitPrice: number
  readonly onSale: boolean
}

/** Why a line that a visitor put in is no longer in the cart. */
export type DroppedLine = {
  readonly line: CartLine
  readonly reason: 'gone' | 'not-purchasable'
  readonly name: string
}

/** A cart worked out with the facts of this moment. */
export type EvaluatedCart = {
  readonly state: SessionState
  readonly entries: readonly CartEntry[]
  readonly dropped: readonly DroppedLine[]
  readonly coupons: readonly StoredCoupon[]
  readonly items: ItemTotals
  readonly totals: CartTotals
  readonly packages: readonly QuotedPackage[]
  readonly needsShipping: boolean
  readonly quote: Quote
}

/**
 * Works out a visitor's cart: two round trips to the database, three with coupons, whatever its size.
 * @param known products that were read a moment ago; if all of the cart are among them, they are not read again
 */
export async function quoteCart(
  tools: Tools,
  sessionId: string,
  state: SessionState,
  known?: ReadonlyMap<number, CartProduct>,
): Promise<EvaluatedCart> {
  const now = tools.clock.now()
  const ids = state.lines.map(({ productId, variationId }) => variationId ?? productId)
  const [products, coupons] = await Promise.all([
    known && ids.every((id) => known.has(id)) ? known : productsForCart(tools.db.kysely, ids, now, { sessionId }),
    readCoupons(tools, state.coupons),
  ])
  return evaluate(tools, state, products, coupons, now)
}

/** The same from facts that are at hand. */
export function evaluate(
  tools: Tools,
  state: SessionState,
  products: ReadonlyMap<number, CartProduct>,
  coupons: readonly StoredCoupon[],
  now: Date,
): EvaluatedCart {
  const { settings } = tools
  const { currency } = settings
  const { entries, dropped } = sift(state.lines, products, currency, now)
  const needsShipping = entries.some(({ product }) => !product.virtual)
  const place = shippingPlace(tools, state)

  const itemsInput: ItemsInput = {
    currency,
    switches: {
      taxesEnabled: settings.taxes.enabled,
      pricesIncludeTax: settings.taxes.pricesIncludeTax,
      roundAtSubtotal: settings.taxes.roundAtSubtotal,
      vatExempt: false,
      sameGrossEverywhere: false,
      sequentialDiscounts: false,
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
    })),
    coupons,
    rates: ratesFor(tools, state, entries, false),
  }
  const items = itemTotals(itemsInput)
  const packages = needsShipping
    ? quotePackages(tools, { entries, items, coupons, place, remembered: state.chosenShipping })
    : []
  const collected = packages.some((one) => one.chosen?.method === 'local_pickup')
  // Collecting at the shop moves the place of taxation, which the items must see as well.
  const settled = collected ? itemTotals({ ...itemsInput, rates: ratesFor(tools, state, entries, true) }) : items
  const totals = cartTotals(settled, {
    shipping: packages.flatMap(({ chosen }) =>
      chosen ? { id: chosen.id, label: chosen.label, cost: chosen.cost, taxable: chosen.taxable } : [],
    ),
    shippingTaxClass: shippingTaxClass(
      'inherit',
      entries.map(({ product }) => product),
      [],
    ),
    fees: [],
  })
  const evaluated = { state, entries, dropped, coupons, items: settled, totals, packages, needsShipping }
  return { ...evaluated, quote: quoteOf(tools, evaluated) }
}

function sift(
  lines: readonly CartLine[],
  products: ReadonlyMap<number, CartProduct>,
  currency: string,
  now: Date,
): { entries: CartEntry[]; dropped: DroppedLine[] } {
  const entries: CartEntry[] = []
  const dropped: DroppedLine[] = []
  for (const line of lines) {
    const product = products.get(line.variationId ?? line.productId)
    if (!product || product.status === 'trash' || (product.parentId ?? product.id) !== line.productId) {
      dropped.push({ line, reason: 'gone', name: product?.name ?? '' })
      continue
    }
    const price = currentPrice(product, currency, now)
    if (price === null || product.status !== 'publish') {
      dropped.push({ line, reason: 'not-purchasable', name: product.name })
      continue
    }
    entries.push({ line, product, unitPrice: price.price.minor, onSale: price.onSale })
  }
  return { entries, dropped }
}

/** What a product costs now, or null when it cannot be bought. */
export function currentPrice(product: CartProduct, currency: string, now: Date): ActivePrice | null {
  const { regularPrice, salePrice, saleFrom, saleTo } = product
  const asMoney = (minor: number | null) => (minor === null ? null : money(minor, currency))
  return activePrice({ regular: asMoney(regularPrice), sale: asMoney(salePrice), saleFrom, saleTo }, now)
}

/** Where the cart goes as far as it is known: the visitor's address, else the shop's default. */
export function shippingPlace({ settings }: Tools, state: SessionState): TaxPlace {
  const { shipping, billing, shipToDifferent } = state
  const address = shipToDifferent || billing.country === '' ? (shipping.country ? shipping : billing) : billing
  if (address.country !== '') return placeOf(address)
  if (settings.defaultLocation === 'none') return { country: '', state: '', postcode: '', city: '' }
  return { ...settings.base, postcode: '', city: '' }
}

function placeOf({ country, state, postcode, city }: AddressState): TaxPlace {
  return { country, state, postcode, city }
}

function ratesFor(
  tools: Tools,
  state: SessionState,
  entries: readonly CartEntry[],
  collectedAtBase: boolean,
): ItemsInput['rates'] {
  const { settings, taxRates } = tools
  const base: TaxPlace = { ...settings.base, postcode: '', city: '' }
  const place = taxablePlace({
    basedOn: settings.taxes.basedOn,
    base,
    shipping: shippingPlace(tools, state),
    billing: placeOf(state.billing),
    collectedAtBase,
    pricesIncludeTax: settings.taxes.pricesIncludeTax,
    defaultLocation: settings.defaultLocation,
  })
  const classes = [...new Set(['', ...entries.map(({ product }) => product.taxClass)])]
  const at = (where: TaxPlace | null): RatesByClass =>
    where ? Object.fromEntries(classes.map((name) => [name, taxRatesFor(taxRates, where, name)])) : {}
  return { customer: at(place), base: at(base) }
}

function quoteOf(tools: Tools, cart: Omit<EvaluatedCart, 'quote'>): Quote {
  const { totals, entries, needsShipping } = cart
  const byKey = new Map(totals.lines.map((line) => [line.key, line]))
  const { settings } = tools
  const lines = entries.map(({ line, product }) => {
    const figures = byKey.get(line.key)
    if (!figures) throw new Error(`the totals lack the line ${line.key}`)
    return {
      line,
      name: product.name,
      sku: product.sku,
      choices: choicesOf(product, line),
      virtual: product.virtual,
      downloadable: product.downloadable,
      stockOwner: product.stockOwner,
      subtotal: figures.subtotal.minor,
      subtotalTax: figures.subtotalTax.minor,
      total: figures.total.minor,
      totalTax: figures.totalTax.minor,
    }
  })
  return {
    currency: totals.currency,
    pricesIncludeTax: settings.taxes.pricesIncludeTax,
    lines,
    coupons: totals.coupons.map(({ id, code, discount, discountTax }) => ({
      id,
      code,
      discount: discount.minor,
      discountTax: discountTax.minor,
    })),
    shipping: totals.shipping.map(({ id, label, cost, tax }) => ({
      rateId: id,
      label,
      cost: cost.minor,
      tax: tax.minor,
    })),
    fees: totals.fees.map(({ name, amount, tax }) => ({ name, amount: amount.minor, tax: tax.minor })),
    taxes: totals.taxes.map(({ code, label, items, shipping }) => ({
      code,
      label,
      items: items.minor,
      shipping: shipping.minor,
    })),
    needsShipping,
    discountTotal: totals.discount.minor,
    discountTax: totals.discountTax.minor,
    shippingTotal: totals.shippingTotal.minor,
    shippingTax: totals.shippingTax.minor,
    feesTotal: totals.feesTotal.minor,
    cartTax: totals.itemsTax.minor + totals.feesTax.minor,
    totalTax: totals.totalTax.minor,
    total: totals.total.minor,
    hash: cartHash(entries, totals.total.minor),
  }
}

/** Changes when a line or the total does; '' for an empty cart. */
export function cartHash(entries: readonly Pick<CartEntry, 'line' | 'unitPrice'>[], total: number): string {
  if (entries.length === 0) return ''
  const lines = entries.map(({ line, unitPrice }) => [line.key, line.quantity, unitPrice])
  return shortDigest(canonicalJson([lines, total]))
}

/** What was chosen, in words: the label of each attribute and of the option. */
export function choicesOf(product: CartProduct, line: CartLine): { label: string; value: string }[] {
  return product.attributes
    .filter(({ forVariations }) => forVariations)
    .flatMap(({ slug, label, options }) => {
      const value = product.chosen[slug] || line.attributes[slug]
      if (!value) return []
      return { label, value: options.find((option) => option.value === value)?.label ?? value }
    })
}
