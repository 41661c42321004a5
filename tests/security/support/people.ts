import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { urls } from '#contract/shared/urls.ts'
import { editorNonces } from '#contract/translation/editor.ts'
import { connect } from '#database/engine/connect.ts'
import { nonceFor } from '#server/http/security/nonce.ts'
import { halfLoginId } from '#shop/customers/sessions/pending-login.ts'
import { makeApiKey } from '#shop/operations/api-keys.ts'
import { sha256 } from '#shop/shared/digest.ts'
import { aCustomer, type Customer } from '#tests/support/customers/customer.ts'
import { staffMember } from '#tests/support/customers/staff.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

/** Everybody who may come to the shop. `owner` is the one whose things the others are after. */
export const identities = [
  'stranger',
  'guest',
  'owner',
  'other customer',
  'logged out',
  'half logged in',
  'translator',
  'shop manager',
  'program',
] as const
export type Identity = (typeof identities)[number]

export type Person = {
  readonly identity: Identity
  /** Whose things this person is after. */
  readonly things: Things
  readonly headers: Readonly<Record<string, string>>
  /** As the database knows it; '' without a session. */
  readonly sessionId: string
  /** The row of the half login beside the session; '' without a session. */
  readonly halfId: string
  /** Null for whoever has no account, or is not logged in. */
  readonly customerId: number | null
  nonce(action: string): string
}

/** Words that stand in the owner's things alone: whoever else reads one of them has read too much. */
export const canaries = [
  'Canaryowner',
  'canary.owner@',
  'Canary Street',
  'canary-card@',
  'Canaryfile',
  'Canarynote',
] as const
/** Of a product that is not published, and of one's texts that are not either. */
export const draftCanary = 'Canarydraft'

export type Things = {
  readonly orderId: number
  readonly orderKey: string
  readonly methodId: number
  readonly fileToken: string
  readonly ownerId: number
  readonly managerId: number
  readonly pictureId: number
  readonly productId: number
  readonly originalId: number
  /** Which the owner has approved at the provider; '' where the shop has no wallet. */
  readonly walletOrderId: string
}

export type PeopledShop = {
  readonly shop: TestShop
  readonly people: Readonly<Record<Identity, Person>>
  readonly things: Things
  readonly everyone: Readonly<Record<'guest' | 'owner' | 'other', Customer>>
}

/** Letters of which keys and tokens are made, so that each owner's are their own. */
const ownerLetters = 'a'
const halfLetters = 'b'

/** A shop in which somebody owns an order, files, addresses and a card, with everybody else who could want them. */
export async function aPeopledShop(options: Parameters<typeof aShop>[0] = {}): Promise<PeopledShop> {
  const shop = await aShop({
    ...options,
    settings: {
      languages: [{ tag: 'de-DE' }, { tag: 'ar' }, { tag: 'it-IT', published: false }],
      currencies: [
        { code: 'EUR', rate: '0.9' },
        { code: 'JPY', rate: '150' },
      ],
      payments: { bacs: { enabled: true } },
      ...options.settings,
    },
    async also(databaseUrl) {
      const db = connect(databaseUrl, { max: 1 })
      await db.sql`update products set status = 'draft', name = ${draftCanary}, slug = 'canary-draft' where sku = 'GONE'`
      await db.sql`insert into coupons (code, type, amount_ppm) values ('ten', 'percent', 100000)`
      await db.close()
    },
  })
  const { application } = shop.shop
  const { tools } = application
  const customer = async (email: string) => {
    const one = aCustomer(shop, email)
    await one.register()
    return one
  }
  const owner = await customer('canary.owner@example.test')
  const other = await customer('other@example.test')
  const guest = aCustomer(shop, 'guest@example.test')
  const translator = await staffMember(shop, 'translator@example.test', 'translator')
  const manager = await staffMember(shop, 'manager@example.test', 'shop_manager')
  await guest.add('MUG')
  await owner.add('BOWL')
  await other.add('LATER')
  const old = cookiesOf(owner)
  await owner.logOut()
  await owner.logIn()
  const half = await halfLoggedIn(shop)
  const things = {
    ...(await thingsOf(shop, owner.email, manager.id, ownerLetters)),
    walletOrderId: await approvedBy(shop, owner),
  }
  const key = await makeApiKey(tools, { description: 'Bookkeeping', who: 'tester' })
  const program = Buffer.from(`${key.consumerKey}:${key.consumerSecret}`).toString('base64')

  const accounts = await shop.db.sql`select id, email from customers`
  const accountOf = (email: string) => Number(accounts.find((account) => account.email === email)?.id)
  const person = (
    identity: Identity,
    cookie = '',
    customerId: number | null = null,
    headers: Record<string, string> = {},
    after: Things = things,
  ): Person => {
    const token = new RegExp(`${application.sessionCookie}=([0-9a-f]{64})`).exec(cookie)?.[1]
    const sessionId = token ? sha256(token) : ''
    return {
      identity,
      things: after,
      sessionId,
      halfId: token ? halfLoginId(token) : '',
      customerId,
      headers: { ...(cookie ? { cookie } : {}), ...headers },
      nonce: (action) => nonceFor(application.secret, action, sessionId, tools.clock.now()),
    }
  }
  return {
    shop,
    everyone: { guest, owner, other },
    things,
    people: {
      stranger: person('stranger'),
      guest: person('guest', cookiesOf(guest)),
      owner: person('owner', cookiesOf(owner), accountOf(owner.email)),
      'other customer': person('other customer', cookiesOf(other), accountOf(other.email)),
      'logged out': person('logged out', old),
      // After the own account's things, which the half login does not open.
      'half logged in': person(
        'half logged in',
        cookiesOf(half),
        null,
        {},
        {
          ...(await thingsOf(shop, half.email, manager.id, halfLetters)),
          walletOrderId: things.walletOrderId,
        },
      ),
      translator: person('translator', cookiesOf(translator), translator.id),
      'shop manager': person('shop manager', cookiesOf(manager), manager.id),
      program: person('program', '', null, { authorization: `Basic ${program}` }),
    },
  }
}

const cookiesOf = ({ cookies }: Pick<Customer, 'cookies'>) =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

/** Has the cart approved at the provider, so that one press would pay for it. */
async function approvedBy(shop: TestShop, owner: Customer): Promise<string> {
  if (!shop.emulator) return ''
  const answer = await owner.send(urls.paypalRest('cart/order'), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'X-WP-Nonce': owner.nonce('wp_rest') },
    body: JSON.stringify({ payment_method: 'ppcp', context: 'cart' }),
  })
  const walletOrderId = String(await answer.json())
  await shop.emulate(`/orders/${walletOrderId}/approve`, {})
  return walletOrderId
}

/** Staff with a second factor and the password given, the code not. */
async function halfLoggedIn(shop: TestShop): Promise<Customer> {
  const { sql } = shop.db
  const member = await staffMember(shop, 'canary.owner@half.test', 'shop_manager')
  await sql`insert into second_factors ${sql({
    customer_id: member.id,
    secret: 'sealed',
    confirmed_at: new Date(),
    created_at: new Date(),
  })}`
  const device = aCustomer(shop, member.email)
  await device.add('MUG')
  await device.logIn()
  return device
}

/** Gives an account an order, a file, addresses and a card. @param letters what keys and tokens are made of */
async function thingsOf(
  shop: TestShop,
  email: string,
  managerId: number,
  letters: string,
): Promise<Omit<Things, 'walletOrderId'>> {
  const { sql } = shop.db
  const orderKey = `wc_order_canary${letters.repeat(16)}`
  const fileToken = `${'c4naryf1le'.repeat(3)}${letters.repeat(2)}`
  const [customer] = await sql`select id from customers where email = ${email}`
  const ownerId = Number(customer?.id)
  const secret = sql.json({
    first_name: 'Canaryowner',
    last_name: 'Canaryowner',
    email,
    address_1: '1 Canary Street',
    country: 'US',
    state: 'CA',
  })
  await sql`update customers set billing = ${secret}, shipping = ${secret}, first_name = 'Canaryowner',
    last_name = 'Canaryowner', display_name = 'Canaryowner' where id = ${ownerId}`
  const at = new Date(Date.now() - 3_600_000)
  const [placed] = await sql`insert into orders ${sql({
    key: orderKey,
    status: 'completed',
    payment_state: 'paid',
    session_id: `customer:${ownerId}`,
    intention: letters,
    cart_hash: '',
    currency: 'USD',
    prices_include_tax: false,
    total: 1200,
    billing: secret,
    shipping: secret,
    payment_method: 'cod',
    payment_method_title: 'Cash on delivery',
    customer_id: ownerId,
    customer_note: 'Canarynote',
    created_at: at,
    updated_at: at,
    paid_at: at,
  })} returning id`
  const orderId = Number(placed?.id)
  const [card] = await sql`insert into payment_tokens ${sql({
    customer_id: ownerId,
    method: 'ppcp',
    environment: 'sandbox',
    token: `vault${letters}`,
    kind: 'wallet',
    account: 'canary-card@pay.test',
    created_at: at,
  })} returning id`
  const mug = await shop.idOf('MUG')
  await mkdir(join(shop.dataDir, 'downloads'), { recursive: true })
  await writeFile(join(shop.dataDir, 'downloads', 'canary.pdf'), 'Canaryfile')
  await sql`update products set downloads = ${sql.json([{ id: 'x', name: 'A file', url: 'canary.pdf' }])} where id = ${mug}`
  await sql`insert into download_permissions ${sql({
    order_id: orderId,
    product_id: mug,
    file_id: 'x',
    name: 'Canaryfile.pdf',
    token: fileToken,
    created_at: at,
  })}`
  const [picture] = await sql`select id from images order by id limit 1`
  const [original] = await sql`select id from translation_originals where area = 'interface' order by id limit 1`
  return {
    orderId,
    orderKey,
    methodId: Number(card?.id),
    fileToken,
    ownerId,
    managerId,
    productId: mug,
    pictureId: Number(picture?.id ?? 0),
    originalId: Number(original?.id ?? 0),
  }
}

/** Every field of a form that carries a nonce, and for what; those of calls are in their declarations. */
const pageNonces: Readonly<Record<string, string>> = {
  'woocommerce-login-nonce': 'woocommerce-login',
  'woocommerce-register-nonce': 'woocommerce-register',
  'woocommerce-lost-password-nonce': 'lost_password',
  'woocommerce-reset-password-nonce': 'reset_password',
  'woocommerce-edit-address-nonce': 'woocommerce-edit_address',
  'save-account-details-nonce': 'save_account_details',
  'account-privacy-nonce': 'account-privacy',
  'confirm-email-nonce': 'confirm-email',
  'woocommerce-cart-nonce': 'woocommerce-cart',
  'woocommerce-shipping-calculator-nonce': 'woocommerce-shipping-calculator',
  'woocommerce-process-checkout-nonce': 'woocommerce-process_checkout',
  'woocommerce-pay-nonce': 'woocommerce-pay',
  'woocommerce-add-payment-method-nonce': 'woocommerce-add-payment-method',
  check_submission: 'wc_verify_email',
  security: editorNonces.calls,
}

/** Proper nonces of one's own, for every form that there is. */
export const noncesOf = (person: Person): Record<string, string> =>
  Object.fromEntries(Object.entries(pageNonces).map(([field, action]) => [field, person.nonce(action)]))

/** What `_wpnonce` in an address may be for. */
export function linkAction(path: string): string {
  const known = ['delete-payment-method', 'set-default-payment-method', 'customer-logout']
  const own = known.find((action) => path.includes(action))
  return own ?? (path.startsWith('/wp-json/') ? 'wp_rest' : 'woocommerce-cart')
}

/** Keeps aside who is logged in and who owns what, so that `asBefore` can put it back. */
export async function keepAside({ shop: { db } }: PeopledShop): Promise<void> {
  for (const name of ['sessions', 'customers', 'payment_tokens', 'orders']) {
    await db.sql`create table ${db.sql(`kept_${name}`)} as select * from ${db.sql(name)}`
  }
}

/** Whoever was logged out, renamed or erased meanwhile is as when it was kept aside, and nobody has tried anything too often. */
export async function asBefore({ shop: { db } }: PeopledShop): Promise<void> {
  await db.sql.begin(async (tx) => {
    await tx`delete from rate_limits`
    await tx`delete from sessions`
    await tx`delete from payment_tokens`
    await tx`update customers c set email = k.email, role = k.role, password = k.password, state = k.state,
      billing = k.billing, shipping = k.shipping, first_name = k.first_name, last_name = k.last_name,
      display_name = k.display_name from kept_customers k where k.id = c.id`
    await tx`insert into sessions select * from kept_sessions`
    await tx`insert into payment_tokens overriding system value select * from kept_payment_tokens`
  })
}
