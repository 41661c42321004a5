import type { StoreCartItem, StoreCartRecord } from '#contract/cart/store-cart.ts'
import { percentText } from '#contract/shared/merchant-rules.ts'
import type { StoreCurrency } from '#contract/shared/store-money.ts'
import { crossSellIdsAt } from '#database/cart/cross-sells.ts'
import { type StoreProductRow, storeProducts } from '#database/catalog/store-products.ts'
import { type PostalKey, postalKeys } from '#domain/addresses/address-fields.ts'
import { maxQuantity, needsBackorder } from '#domain/cart/stock.ts'
import { choicesOf } from '#shop/cart/chosen-options.ts'
import type { CartEntry, EvaluatedCart } from '#shop/cart/evaluated-cart.ts'
import type { QuotedLine } from '#shop/cart/quote.ts'
import { type DisplayPrice, displayPrices } from '#shop/catalog/read-product-prices.ts'
import type { AddressState } from '#shop/customers/sessions/session-state.ts'
import { needsSetupToken } from '#shop/payments/vault/needs-setup-token.ts'
import { localizeFacts, type Say } from '#shop/translation/localize-facts.ts'
import type { ShopContextValue } from '#web/parts/shared/shop-context.tsx'
import type { Visit } from '../../../http/visit.ts'
import { escapeHtml } from '../../../notices/cart-notices.tsx'
import { lowStockRemaining, mostPieces, permalinkOf, pricesOf, productRecords } from '../catalog/product-record.ts'
import { couponRecords } from '../coupons/coupon-record.ts'
import { currencyMembers, minor, storeImageOf } from '../shared/store-values.ts'
import { packageRecords } from '../shipping/package-record.ts'
import { cartProblems } from './cart-problems.ts'

/** Decimals of raw prices. */
const rawPrecision = 6

/** Number of cross-sells that are read; those that cannot be bought are left out. */
const mostCrossSells = 12

/** Returns an evaluated cart in the format of the interface. @param version of the catalog, just read */
export async function cartRecord(visit: Visit, cart: EvaluatedCart, version: number): Promise<StoreCartRecord> {
  const { tools } = visit.app
  const [shop, details, crossSells] = await Promise.all([
    visit.app.shop(),
    detailsOf(visit, cart, version),
    crossSellRecords(visit, cart, version),
  ])
  const currency = currencyMembers(shop, cart.totals.currency)
  const display = displayPrices(cartDisplay(tools))
  const quoted = new Map(cart.quote.lines.map((line) => [line.line.key, line]))
  const items = await localizeFacts(tools, (say) =>
    cart.entries.map((entry) =>
      itemRecord(
        { visit, shop, say, display, currency },
        { entry, detail: details.get(entry.product.id), quoted: quoted.get(entry.line.key) },
      ),
    ),
  )
  const grams = cart.entries.reduce((sum, { line, product }) => sum + line.quantity * (product.weightGrams ?? 0), 0)
  const { state } = cart
  return {
    items,
    coupons: couponRecords(cart, currency),
    fees: cart.quote.fees.map(({ name, amount, tax }) => ({
      key: feeKey(name),
      name: escapeHtml(name),
      totals: { ...currency, total: minor(amount), total_tax: minor(tax) },
    })),
    totals: totalsRecord(cart, currency),
    shipping_address: addressRecord(state.shipToDifferent || state.shipping.country ? state.shipping : state.billing),
    billing_address: { ...addressRecord(state.billing), email: state.billing.email },
    needs_payment: cart.totals.total.minor > 0 || needsSetupToken(cart),
    needs_shipping: cart.needsShipping,
    payment_requirements: ['products'],
    has_calculated_shipping: cart.packages.length > 0,
    shipping_rates: packageRecords(cart, currency, shop.t),
    items_count: cart.entries.reduce((sum, { line }) => sum + line.quantity, 0),
    items_weight: grams / 1000,
    cross_sells: crossSells,
    errors: cartProblems(shop, tools.settings, cart),
    payment_methods: cart.methods.map(({ id }) => id),
    extensions: {},
  }
}

type CartTools = Visit['app']['tools']

/** Prices of cart items follow the tax display of the cart. */
function cartDisplay(tools: CartTools) {
  const { settings } = tools
  if (settings.taxes.displayShop === settings.taxes.displayCart) return tools
  const known = asInCart.get(settings)
  const made = known ?? { ...settings, taxes: { ...settings.taxes, displayShop: settings.taxes.displayCart } }
  if (!known) asInCart.set(settings, made)
  return { ...tools, settings: made }
}

/** The converter of prices is cached by its settings. */
const asInCart = new WeakMap<CartTools['settings'], CartTools['settings']>()

async function detailsOf(
  visit: Visit,
  { entries }: EvaluatedCart,
  version: number,
): Promise<ReadonlyMap<number, StoreProductRow>> {
  if (entries.length === 0) return new Map()
  const ids = entries.map(({ product }) => product.id)
  const { rows } = await storeProducts(visit.app.tools.db.sql, ids, visit.now, version)
  return new Map(rows.map((row) => [row.id, row]))
}

async function crossSellRecords(visit: Visit, { entries }: EvaluatedCart, version: number) {
  if (entries.length === 0) return []
  const { sql } = visit.app.tools.db
  const inCart = [...new Set(entries.map(({ line }) => line.productId))]
  const ids = await crossSellIdsAt(sql, version, inCart, mostCrossSells)
  if (ids.length === 0) return []
  const { rows } = await storeProducts(sql, ids, visit.now, version)
  return productRecords(
    visit,
    rows.filter(({ minPrice, stock }) => minPrice !== null && stock !== 'outofstock'),
  )
}

type Around = {
  readonly visit: Visit
  readonly shop: ShopContextValue
  readonly say: Say
  readonly display: DisplayPrice
  readonly currency: StoreCurrency
}

function itemRecord(
  { visit, shop, say, display, currency }: Around,
  { entry, detail, quoted }: { entry: CartEntry; detail: StoreProductRow | undefined; quoted: QuotedLine | undefined },
): StoreCartItem {
  const { line, product } = entry
  const limit = maxQuantity(product)
  const priced = {
    ...product,
    // The current price, which the product's row may follow later.
    minPrice: entry.entered,
    maxPrice: entry.entered,
    onSale: entry.onSale,
  }
  const prices = pricesOf(shop, display, priced)
  const options = Object.fromEntries(choicesOf(product, line).map(({ slug, value }) => [slug, value]))
  return {
    key: line.key,
    id: product.id,
    type: product.type,
    quantity: line.quantity,
    quantity_limits: {
      minimum: 1,
      maximum: limit ?? mostPieces,
      multiple_of: 1,
      editable: !product.soldIndividually,
    },
    name: escapeHtml(product.name),
    short_description: say.markup(detail?.shortDescription ?? ''),
    description: say.markup(detail?.description ?? ''),
    sku: product.sku,
    low_stock_remaining: detail
      ? lowStockRemaining(visit.app.tools.settings.lowStockAmount, { ...detail, stockQuantity: product.stockQuantity })
      : null,
    backorders_allowed: product.backorders !== 'no',
    show_backorder_badge: needsBackorder(product, line.quantity),
    sold_individually: product.soldIndividually,
    permalink: permalinkOf(visit, { pageSlug: product.slug, chosen: product.chosen }, line.attributes),
    images: (detail?.images ?? []).map((image) => storeImageOf(visit, { ...image, alt: say.text(image.alt) })),
    variation: choicesOf(product, line).map(({ slug, label, value }) => ({
      raw_attribute: `attribute_${slug}`,
      attribute: escapeHtml(label),
      value: escapeHtml(options[slug] ?? value),
    })),
    item_data: [],
    prices: {
      ...prices,
      raw_prices: {
        precision: rawPrecision,
        price: raw(prices.price, currency),
        regular_price: raw(prices.regular_price, currency),
        sale_price: raw(prices.sale_price, currency),
      },
    },
    totals: {
      ...currency,
      line_subtotal: minor(quoted?.subtotal ?? 0),
      line_subtotal_tax: minor(quoted?.subtotalTax ?? 0),
      line_total: minor(quoted?.total ?? 0),
      line_total_tax: minor(quoted?.totalTax ?? 0),
    },
    catalog_visibility: detail?.visibility ?? 'visible',
    extensions: {},
  }
}

const raw = (price: string, { currency_minor_unit: decimals }: StoreCurrency): string =>
  price === '0' ? price : price + '0'.repeat(Math.max(0, rawPrecision - decimals))

function totalsRecord(
  { quote, packages, needsShipping }: EvaluatedCart,
  currency: StoreCurrency,
): StoreCartRecord['totals'] {
  const sum = (pick: (line: QuotedLine) => number) => quote.lines.reduce((total, line) => total + pick(line), 0)
  const isKnown = !needsShipping || packages.some(({ chosen }) => chosen !== null)
  return {
    ...currency,
    total_items: minor(sum(({ subtotal }) => subtotal)),
    total_items_tax: minor(sum(({ subtotalTax }) => subtotalTax)),
    total_fees: minor(quote.feesTotal),
    total_fees_tax: minor(quote.fees.reduce((total, { tax }) => total + tax, 0)),
    // In parts that add up with the items to the total.
    total_discount: minor(sum(({ subtotal, total }) => subtotal - total)),
    total_discount_tax: minor(sum(({ subtotalTax, totalTax }) => subtotalTax - totalTax)),
    total_shipping: isKnown ? minor(quote.shippingTotal) : null,
    total_shipping_tax: isKnown ? minor(quote.shippingTax) : null,
    total_price: minor(quote.total),
    total_tax: minor(quote.totalTax),
    tax_lines: quote.taxes.map(({ label, items, shipping, ratePpm }) => ({
      name: escapeHtml(label),
      price: minor(items + shipping),
      rate: `${percentText(ratePpm)}%`,
    })),
  }
}

/** Returns an address in the format of the interface. */
export function addressRecord(address: Readonly<Partial<AddressState>>) {
  const members = Object.fromEntries(postalKeys.map((key) => [key, address[key] ?? '']))
  return members as Record<PostalKey, string>
}

/** Fees have no ids: their names identify them. */
export const feeKey = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
