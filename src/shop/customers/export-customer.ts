import { findReviewsToExport, type ListedReview } from '#database/catalog/reviews.ts'
import { findTermsVersions } from '#database/checkout/terms-versions.ts'
import { findAccess } from '#database/customers/access-log.ts'
import { findCustomer } from '#database/customers/customers.ts'
import { type ExportedOrder, findOrdersToExport, findProductNames } from '#database/customers/personal-data.ts'
import { findCustomerExtras } from '#database/customers/rest-customers.ts'
import { findLogins } from '#database/customers/sessions.ts'
import type { Database } from '#database/engine/connect.ts'
import { findPaymentTokens } from '#database/payments/payment-tokens.ts'
import { decimalString } from '#domain/money/format-amount.ts'
import { money } from '#domain/money/money.ts'
import { storedAttribution } from '../attribution/attribution-intake.ts'
import { storedTermsAgreement } from '../checkout/agreed-terms.ts'
import { ordersOfOwner } from '../orders/find-owner-orders.ts'
import { itemName, lineFacts } from '../orders/order-lines.ts'
import { metaEntries } from '../shared/meta-data.ts'
import type { Tools } from '../shared/tools.ts'
import { stateOf } from './sessions/session-state.ts'

/**
 * Exports all data about a customer for JSON: amounts as decimals with their currency, times in UTC. Null: unknown
 * customer. Excluded are secrets that grant access or charge money (passwords, tokens, keys of links).
 * @param vouched the caller has verified that the account's address belongs to its owner
 */
export async function exportCustomer(
  { db, clock, settings }: Pick<Tools, 'db' | 'clock' | 'settings'>,
  customerId: number,
  vouched = false,
): Promise<Record<string, unknown> | null> {
  const { kysely } = db
  const now = clock.now()
  const customer = await findCustomer(kysely, customerId)
  if (!customer) return null
  const owner = ordersOfOwner(settings, customer, vouched)
  const [orders, reviews, logins, sandbox, live, looks] = await Promise.all([
    findOrdersToExport(kysely, owner),
    findReviewsToExport(kysely, owner),
    findLogins(kysely, customerId, now),
    findPaymentTokens(kysely, customerId, 'sandbox'),
    findPaymentTokens(kysely, customerId, 'live'),
    findAccess(kysely, `customer:${customerId}`, 1000),
  ])
  const { meta } = await findCustomerExtras(kysely, [customerId])
  const state = stateOf(customer.state)
  const names = await findProductNames(
    kysely,
    state.lines.map(({ productId, variationId }) => variationId ?? productId),
  )
  return {
    shop: settings.name,
    exported: now,
    account: {
      number: customer.id,
      email: customer.email,
      emailConfirmed: customer.email_verified_at,
      emailToConfirm: customer.email_wanted === customer.email ? null : customer.email_wanted,
      username: customer.username,
      firstName: customer.first_name,
      lastName: customer.last_name,
      displayName: customer.display_name,
      role: customer.role,
      language: customer.language || settings.language,
      paysNoTax: customer.vat_exempt,
      hasPassword: customer.password !== null,
      cameFrom: storedAttribution(customer.attribution),
      opened: customer.created_at,
      changed: customer.updated_at,
    },
    // Written by programs of the shop.
    metadata: metaEntries(meta.get(customerId) ?? {}).map(({ key, value }) => ({ key, value })),
    addresses: { billing: customer.billing, shipping: customer.shipping },
    cart: {
      lines: state.lines.map((line) => ({
        product: names.get(line.variationId ?? line.productId) ?? `#${line.variationId ?? line.productId}`,
        quantity: line.quantity,
        choices: line.attributes,
        added: new Date(line.addedAt),
      })),
      coupons: state.coupons,
      note: state.customerNote,
      billing: state.billing,
      shipping: state.shipping,
    },
    orders: orders.map(exportedOrder),
    reviews: reviews.map(exportedReview),
    terms: await termsOfOrders(kysely, orders),
    paymentMethods: [...live, ...sandbox].map(({ method, kind, brand, last4, expires, account, created_at }) => ({
      method,
      kind,
      brand,
      last4,
      expires,
      account,
      saved: created_at,
    })),
    logins: logins.map(({ device, created_at, updated_at }) => ({ device, since: created_at, lastSeen: updated_at })),
    looksIntoTheseData: looks.map(({ at, action }) => ({ at, action })),
  }
}

/** Exports the data of a guest: orders and reviews. */
export async function exportGuest(
  { db, clock, settings }: Pick<Tools, 'db' | 'clock' | 'settings'>,
  email: string,
): Promise<Record<string, unknown>> {
  const owner = { customerId: null, guest: email }
  const [orders, reviews] = await Promise.all([
    findOrdersToExport(db.kysely, owner),
    findReviewsToExport(db.kysely, owner),
  ])
  return {
    shop: settings.name,
    exported: clock.now(),
    email,
    orders: orders.map(exportedOrder),
    reviews: reviews.map(exportedReview),
    terms: await termsOfOrders(db.kysely, orders),
  }
}

/** Returns every version of the terms in the orders once, verbatim. */
async function termsOfOrders(db: Database['kysely'], orders: readonly ExportedOrder[]) {
  const versions = new Set(orders.flatMap(({ order }) => storedTermsAgreement(order)?.version ?? []))
  const rows = await findTermsVersions(db, [...versions])
  return rows.map(({ version, language, title, introduction, text }) => ({
    version,
    language,
    title,
    introduction,
    text,
  }))
}

function exportedReview({ product_name: product, author, email, rating, content, status, ...review }: ListedReview) {
  return { product, author, email, rating, content, status, answer: review.reply, written: review.created_at }
}

function exportedOrder({ order, items, notes, refunds, downloads }: ExportedOrder) {
  const amount = (minor: number) => decimalString(money(minor, order.currency))
  return {
    number: order.id,
    // Null: an order of this shop.
    importedFrom: order.imported_from,
    importedNumber: order.imported_number,
    status: order.status,
    placed: order.created_at,
    paid: order.paid_at,
    currency: order.currency,
    // Null: the shop's own.
    language: order.language || null,
    total: amount(order.total),
    tax: amount(order.total_tax),
    shippingCost: amount(order.shipping_total),
    discount: amount(order.discount_total),
    paymentMethod: order.payment_method_title,
    transaction: order.transaction_id,
    billing: order.billing,
    shipping: order.shipping,
    note: order.customer_note,
    ip: order.customer_ip,
    browser: order.customer_user_agent,
    cameFrom: storedAttribution(order.attribution),
    agreedTo: storedTermsAgreement(order),
    metadata: metaEntries(order.meta_data).map(({ key, value }) => ({ key, value })),
    items: items.map((item) => ({
      type: item.type,
      name: itemName(item),
      sku: item.sku,
      quantity: item.quantity,
      total: amount(item.total),
      tax: amount(item.total_tax),
      ...(item.type === 'line_item' ? { choices: lineFacts(item).choices } : {}),
    })),
    messages: notes.map(({ at, note }) => ({ at, note })),
    refunds: refunds.map(({ created_at, amount: minor, reason }) => ({
      at: created_at,
      amount: amount(minor),
      reason,
    })),
    downloads: downloads.map(({ name, fetched, last_fetched_at }) => ({ name, fetched, lastFetched: last_fetched_at })),
  }
}
