import { mkdirSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storeHeaders, storeNonceAction } from '#contract/cart/store-headers.ts'
import { urls } from '#contract/shared/urls.ts'
import { changeCountsKey } from '#database/engine/change-counts.ts'
import { calls, restPath } from '#server/calls/shared/call-routes.ts'
import type { IdentityPolicy } from '#server/calls/shared/define-call.ts'
import { type PageIdentity, pageRoutes } from '#server/pages/shared/page-routes.ts'
import {
  aPeopledShop,
  asBefore,
  canaries,
  draftCanary,
  type Identity,
  identities,
  keepAside,
  linkAction,
  noncesOf,
  type PeopledShop,
  type Person,
} from '#tests/security/support/people.ts'

// M10: every route, asked by everybody. Who may is what the route declares; what is asked for is the owner's.

type Policy = IdentityPolicy | PageIdentity
type Outcome = 'answered' | 'log-in' | 'not found' | 'refused'

let peopled: PeopledShop
beforeAll(async () => {
  peopled = await aPeopledShop()
  await putRules(peopled)
  await keepAside(peopled)
}, 120_000)

/** Number of the rules of the shop that programs are asked about. */
const ruleId = 901

/** A webhook that delivers nothing, with a delivery, and a tax rate. */
async function putRules({ shop: { db } }: PeopledShop): Promise<void> {
  await db.sql`insert into webhooks (id, name, status, topic, delivery_url, secret, made_by, created_at, updated_at)
    overriding system value
    values (${ruleId}, 'Hook', 'paused', 'order.created', 'https://hook.example/', '', 'tester', now(), now())`
  await db.sql`insert into webhook_deliveries (id, webhook_id, topic, resource_id, url, created_at)
    overriding system value values (${ruleId}, ${ruleId}, 'ping', 1, 'https://hook.example/', now())`
  await db.sql`insert into tax_rates (id, country, rate_ppm, name) overriding system value
    values (${ruleId}, 'ZA', 150000, 'VAT')`
}

const found: Record<string, Record<string, string>> = {}
afterAll(async () => {
  mkdirSync('reports', { recursive: true })
  const about =
    'Who is answered what at every route. "owner" owns the order, the file, the addresses and the card asked for.'
  writeFileSync('reports/access-matrix.json', `${JSON.stringify({ about, identities, routes: found }, null, 2)}\n`)
  await peopled?.shop.close()
})

type Route = { name: string; method: string; path: string; policy: Policy; json: boolean; hasNonce: boolean }

/** What a call needs to be told, so that not its schema is what refuses. */
function inputOf(name: string, { things }: Person): Record<string, unknown> {
  const text = { id: things.originalId, language: 'de-DE' }
  const inputs: Readonly<Record<string, Record<string, unknown>>> = {
    trp_get_edited_texts: { ids: JSON.stringify([things.originalId]) },
    trp_save_translations_regular: {
      ...text,
      status: 2,
      forms: JSON.stringify({ '': { translated: 'Gesagt', revision: 0 } }),
    },
    trp_undo_translation: { ...text, revision: 1 },
    trp_machine_suggestion: text,
    'media/:id/post-process': { action: 'create-image-subsizes' },
    webhook: { id: 'WH-1', event_type: 'PAYMENT.CAPTURE.COMPLETED', resource: { custom_id: String(things.orderId) } },
    'shipping-callback/:token': { id: things.walletOrderId },
    'vault/payment-tokens': { setup_token: 'vault' },
    'billing-agreement/token': { payment_method: 'ppcp', context: 'cart' },
    'vault/setup-tokens': { payment_method: 'ppcp', context: 'add_payment_method' },
    'order/pay': { payment_method: 'ppcp', order_id: things.orderId, order_key: things.orderKey },
    'cart/shipping': { payment_method: 'ppcp', order_id: things.walletOrderId, shipping_method: '0:flat_rate:2' },
    'checkout/:id': { key: things.orderKey, billing_email: 'somebody.else@example.test', payment_method: 'ppcp' },
    'cart/add-item': { id: things.productId, quantity: 1 },
    'cart/items': { id: things.productId, quantity: 1 },
    'cart/apply-coupon': { code: 'none' },
    'cart/update-customer': { shipping_address: { city: 'Elsewhere' } },
    'cart/select-shipping-rate': { rate_id: 'flat_rate:2' },
    batch: { requests: [{ path: '/wc/store/v1/cart/add-item', body: { id: things.productId } }] },
    'cart/order': { payment_method: 'ppcp', context: 'cart' },
    'cart/checkout': { payment_method: 'ppcp', context: 'cart', ppcp_paypal_order_id: things.walletOrderId },
    'cart/item': { payment_method: 'ppcp', product_id: things.productId },
    'cart/refresh': { page: 'cart' },
    checkout: { ppcp_paypal_order_id: things.walletOrderId, payment_method: 'ppcp' },
    translate: { language: 'de-DE', original_language: 'en-US', originals: ['Canary Street'] },
    trp_get_translations_regular: { language: 'de-DE', original_language: 'en-US', originals: '["Cart"]' },
    // As it is.
    'shipping/zones/:zone_id/locations': { locations: [{ code: 'US', type: 'country' }] },
    'stats/hit': { current_page_type: 'product', page_uri: '/shop/' },
  }
  return inputs[name] ?? {}
}

/** What everybody says of what is the owner's, wherever a form or address can say it. */
function ownersThings({ things }: Person): Record<string, string> {
  return {
    key: things.orderKey,
    order: things.orderKey,
    order_id: String(things.orderId),
    order_again: String(things.orderId),
    customer: String(things.ownerId),
    customer_id: String(things.ownerId),
    token: things.walletOrderId,
    'wc-ppcp-payment-token': String(things.methodId),
    email: 'somebody.else@example.test',
  }
}

/** The id of a rule of the shop; undefined for everything that belongs to somebody. */
function idOfRule(path: string): string | number | undefined {
  if (/\/wc\/v3\/(?:webhooks|taxes)\//.test(path)) return ruleId
  if (path.includes('/zones/:zone_id/methods/')) return 1
  if (path.includes('/shipping_methods/')) return 'flat_rate'
  if (path.includes('/payment_gateways/')) return 'cod'
  if (path.includes('/settings/')) return 'woocommerce_currency'
  return path.includes('/tools/') ? 'clear_transients' : undefined
}

/** Which belongs to nothing: what is changed or deleted must stay for the rows that follow. */
const nobodysId = 999_999
const isCatalog = (path: string) => /\/wc\/v3\/(?:products|variations)\b/.test(path)
/** Of programs, without a person's data: nothing of it is to be noted. */
const isImpersonal = (path: string) => /\/wc\/v3\/(?!orders|customers|refunds|coupons)/.test(path)

/** Orders, customers and coupons as programs write them. */
const isOfPrograms = (path: string) => /\/wc\/v3\/(?:orders|customers|coupons)\b/.test(path)

const fill = (path: string, { things }: Person, method: string): string => {
  const isKept = isOfPrograms(path) && method !== 'GET'
  const catalogId = method === 'GET' ? things.productId : nobodysId
  const ofCustomer = path.includes('/wc/v3/customers/') ? things.ownerId : undefined
  const id = isCatalog(path)
    ? catalogId
    : isKept
      ? nobodysId
      : ofCustomer !== undefined
        ? ofCustomer
        : path.includes('payment-method/')
          ? things.methodId
          : path.includes('/users/')
            ? things.managerId
            : path.includes('/media/')
              ? things.pictureId
              : (idOfRule(path) ?? things.orderId)
  const parts: Readonly<Record<string, string>> = {
    id: String(id),
    order_id: String(isKept ? nobodysId : things.orderId),
    customer_id: String(things.ownerId),
    product_id: String(catalogId),
    attribute_id: String(catalogId),
    token: path.startsWith('/download/') ? things.fileToken : '0'.repeat(32),
    kind: path.startsWith('/translate/') ? 'new_order' : 'billing',
    page: '1',
    slug: path.startsWith('/product/') ? 'canary-draft' : 'about',
    tag: 'clay',
    webhook_id: String(ruleId),
    zone_id: '1',
    group_id: 'general',
    code: path.includes('/continents/') ? 'EU' : path.includes('/currencies/') ? 'EUR' : 'DE',
    '*': 'kitchen',
  }
  return path.replace(
    /:(\w+)(?:\{(?:[^{}]|\{[^}]*\})*\})?|\*/g,
    (_, name: string | undefined) => parts[name ?? '*'] ?? 'x',
  )
}

const routes: readonly Route[] = [
  ...calls.flatMap(({ name, door, method, alsoMethods = [], identity, namespace, forgery }) =>
    [method, ...alsoMethods].map((one) => ({
      name,
      method: one,
      path:
        door === 'rest'
          ? restPath({ name, ...(namespace ? { namespace } : {}) })
          : door === 'admin-ajax'
            ? `${urls.adminAjax}?action=${name}`
            : `/?wc-ajax=${name}`,
      policy: identity,
      json: door === 'rest',
      hasNonce:
        'header' in forgery ||
        'nonce' in forgery ||
        ('checkedByCall' in forgery && (door === 'admin-ajax' || forgery.checkedByCall === storeNonceAction)),
    })),
  ),
  ...pageRoutes.map(({ method, path, identity }) => ({
    name: path,
    method,
    path,
    policy: identity,
    json: false,
    hasNonce: false,
  })),
]

const titled = routes.map((route) => [`${route.method} ${route.path}`, route.policy, route] as const)

describe('M10 every route, asked by everybody', () => {
  it.each(titled)(
    'T10 T15 P15 I10 %s (%s) lets in whom it says, and tells nobody else of the owner',
    async (title, policy, route) => {
      await asBefore(peopled)
      const outcomes: Record<string, string> = {}
      // The owner last, whose own things may change then.
      const everybody = [...identities.filter((one) => one !== 'owner'), 'owner'] as const
      for (const identity of everybody) {
        const person = peopled.people[identity]
        const before = await rowsOfOthers(person)
        const noted = await notedOf(person)
        const { status, outcome, text, headers } = await ask(route, person)
        outcomes[identity] = `${outcome} (${status})`
        expect(allowed(route, identity), `${identity} got ${status}: ${text.slice(0, 400)}`).toContain(outcome)
        expect(status, text.slice(0, 300)).not.toBe(500)
        if (!mayReadOwner(policy, identity)) for (const canary of canaries) expect(text, identity).not.toContain(canary)
        if (!mayReadDrafts(route, identity)) expect(text, identity).not.toContain(draftCanary)
        if (policy !== 'anyone' && outcome !== 'not found')
          expect(headers.get('cache-control'), identity).toMatch(/no-store|no-cache/)
        expect(notes(route, person, outcome, status), `${identity} in the log of access`).toContain(
          (await notedOf(person)) - noted,
        )
        expect(await rowsOfOthers(person), `${identity} has changed what is not theirs`).toEqual(before)
      }
      found[title] = { declared: policy, ...Object.fromEntries(identities.map((one) => [one, outcomes[one] ?? ''])) }
    },
  )
})

/** What each may be answered where a route declares this. */
function allowed({ policy, path, method, hasNonce }: Route, identity: Identity): readonly Outcome[] {
  const has = (...who: Identity[]) => who.includes(identity)
  const isPage = !path.startsWith('/wp-') && !path.startsWith('/?')
  const loggedIn = has('owner', 'other customer', 'translator', 'shop manager')
  const closed: readonly Outcome[] = isPage ? (loggedIn ? ['not found'] : ['log-in']) : ['refused']
  switch (policy) {
    case 'anyone':
      return ['answered', 'not found']
    case 'own-session':
      // What was made for a login is worth nothing after it.
      if (hasNonce && has('logged out')) return ['refused']
      // The form to log in is an answer like others there.
      return path.startsWith('/my-account/') ? ['answered', 'log-in'] : ['answered', 'not found']
    case 'customer':
      // The one page of the account that a half login opens: the code is typed there.
      if (path === urls.secondFactor() && has('half logged in')) return ['answered']
      if (!loggedIn) return ['log-in']
      if (path.includes('/view-order/')) return has('owner') ? ['answered'] : ['not found']
      // Whether there is something to confirm, or a second factor to show, is each one's own affair.
      return ['answered', 'not found']
    case 'translator':
      return has('translator', 'shop manager') ? ['answered'] : closed
    case 'shop-manager':
      return has('shop manager') ? ['answered'] : closed
    case 'consumer-key':
      if (path.includes('/wc/v3/') && has('shop manager')) return ['answered', 'not found']
      // The program has a key that reads.
      if (has('program')) return method === 'GET' ? ['answered', 'not found'] : ['refused']
      return has('shop manager') ? ['answered'] : ['refused']
    case 'order-key':
      // It is paid already, so that it can be looked at, and not be paid.
      if (has('owner')) return ['answered', 'not found']
      return isPage ? ['log-in', 'not found'] : ['refused', 'not found']
    case 'link':
      return ['answered']
    case 'monitor':
      return ['refused']
    case 'provider-signature':
    case 'provider-token':
      return ['refused', 'not found']
  }
}

/** Whoever has a link may follow it; who runs the shop, or a program of theirs, reads its orders. */
function mayReadOwner(policy: Policy, identity: Identity): boolean {
  if (identity === 'owner' || policy === 'link') return true
  return policy === 'consumer-key' && (identity === 'shop manager' || identity === 'program')
}

/** A merchant's program reads the whole catalog. */
function mayReadDrafts({ path }: Route, identity: Identity): boolean {
  return identity === 'shop manager' || identity === 'translator' || (identity === 'program' && isCatalog(path))
}

async function ask({ name, method, path, json, policy }: Route, person: Person) {
  const { shop } = peopled
  const fields: Record<string, unknown> = { ...ownersThings(person), ...noncesOf(person), ...inputOf(name, person) }
  for (const { name: one, forgery } of calls) {
    if (one === name && 'nonce' in forgery) fields[forgery.field] = person.nonce(forgery.nonce)
    if (one === name && 'checkedByCall' in forgery) fields.security = person.nonce(forgery.checkedByCall)
  }
  const query = new URLSearchParams({ ...ownersThings(person), _wpnonce: person.nonce(linkAction(path)) })
  if (name === 'orders' || name === 'users/:id' || json)
    for (const key of [...query.keys()]) if (key !== '_wpnonce') query.delete(key)
  const address = `${fill(path, person, method)}${path.includes('?') ? '&' : '?'}${query}`
  const headers: Record<string, string> = { accept: 'text/html', ...person.headers }
  if (json) {
    headers['x-wp-nonce'] = person.nonce('wp_rest')
    headers[storeHeaders.nonce] = person.nonce(storeNonceAction)
  }
  let body: string | null = null
  if (method !== 'GET') {
    headers['content-type'] = json ? 'application/json' : 'application/x-www-form-urlencoded'
    body = json
      ? JSON.stringify(inputOf(name, person))
      : new URLSearchParams(Object.entries(fields).map(([key, value]) => [key, String(value)])).toString()
  }
  const response = await shop.shop.app(new Request(shop.url + address, { method, headers, body }), { ip: '127.0.0.1' })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    outcome: outcomeOf(policy, person, response, text),
  }
}

function outcomeOf(policy: Policy, person: Person, { status, headers }: Response, text: string): Outcome {
  if (status === 401 || status === 403 || (policy.startsWith('provider-') && status >= 400)) return 'refused'
  // The form to log in, or the way there.
  if (text.includes('id="customer_login"')) return 'log-in'
  const to = headers.get('location') ?? ''
  if (status === 303 && to === '/my-account/' && person.customerId === null) return 'log-in'
  if (status === 303 && to.startsWith(urls.secondFactor()) && person.identity === 'half logged in') return 'log-in'
  // The page of an order that is not shown has the same status: nothing shall tell whether there is one.
  const isHidden = policy === 'order-key' && status === 200 && !text.includes('Canary')
  return status === 404 || isHidden ? 'not found' : 'answered'
}

/** Whoever reads the orders of others is put down, and so is whoever is known and wanted what is the staff's in vain. */
function notes(
  { policy, path }: Route,
  { identity, customerId }: Person,
  outcome: Outcome,
  status: number,
): readonly number[] {
  if (isImpersonal(path) && outcome !== 'refused') {
    // Reviews have the names of their authors. Changes of these rules of the shop are put down, and reading them is not.
    if (path.includes('/reviews'))
      return [!path.includes('/reports/') && status < 300 && !path.endsWith('/batch') ? 1 : 0]
    return /\/wc\/v3\/(?:webhooks|settings|payment_gateways|system_status)\b/.test(path) ? [0, 1] : [0]
  }
  // A rejected request reads nothing; the names of the statuses belong to nobody.
  if (isOfPrograms(path) && outcome !== 'refused' && (status >= 400 || /\/(?:batch|statuses)$/.test(path))) return [0]
  if (policy === 'consumer-key' && outcome === 'answered') return [1]
  const ofStaff = policy === 'translator' || policy === 'shop-manager' || policy === 'consumer-key'
  return [ofStaff && customerId !== null && outcome !== 'answered' && identity !== 'program' ? 1 : 0]
}

/** How often this one stands in the log of access. */
async function notedOf({ identity, customerId }: Person): Promise<number> {
  const who = identity === 'program' ? 'api-key:%' : `customer:${customerId}`
  const [row] = await peopled.shop.db.sql`select count(*)::int as n from access_log where who like ${who}`
  return row?.n
}

/** A digest of everything that belongs to others, and of all that a visitor has no business with. */
async function rowsOfOthers({ sessionId, halfId, customerId, identity }: Person) {
  const { sql } = peopled.shop.db
  const own = customerId ?? 0
  const session = customerId === null ? sessionId : `customer:${customerId}`
  // What one has had approved can be bought, and is then no longer on the shelf.
  const buys = identity === 'owner'
  const isStaff = identity === 'shop manager' || identity === 'translator'
  const [row] = await sql`select
    (select md5(string_agg(t.id || t.state::text || coalesce(t.customer_id, 0), '|' order by t.id)) from sessions t where t.id not in (${sessionId}, ${halfId}) and coalesce(t.customer_id, 0) <> ${own}
      and t.id in (select id from kept_sessions)) as sessions,
    (select md5(string_agg(t::text, '|' order by t.id)) from customers t where t.id <> ${own}) as customers,
    (select md5(string_agg(t::text, '|' order by t.id)) from orders t where t.session_id <> ${session}
      and t.id in (select id from kept_orders)) as orders,
    (select md5(string_agg(t::text, '|' order by t.id)) from payment_tokens t where t.customer_id <> ${own}) as methods,
    (select md5(string_agg(t.id || t.token || coalesce(t.remaining, -1), '|' order by t.id)) from download_permissions t) as files,
    (select md5(string_agg(t::text, '|' order by t.code)) from coupons t) as coupons,
    (select jsonb_object_agg(key, md5(value::text)) from settings where key not in ('lastMinute', ${changeCountsKey})) as settings,
    (select count(*)::int from captures c join orders o on o.id = c.order_id where o.session_id <> ${session}) as captures,
    (select count(*)::int from refunds) as refunds,
    (select md5(string_agg(t.id || t.status || ${buys ? sql`''` : sql`coalesce(t.stock_quantity, 0)`}, '|' order by t.id)) from products t) as products,
    ${isStaff ? sql`''` : sql`(select md5(string_agg(t::text, '|' order by t.original_id, t.language, t.form)) from translations t where t.engine = '')`} as translations,
    ${isStaff ? sql`''` : sql`(select md5(string_agg(t::text, '|' order by t.id)) from images t)`} as images`
  return row
}
