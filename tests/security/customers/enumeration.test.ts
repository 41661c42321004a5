import { afterAll, beforeAll, expect, it } from 'vitest'
import { aGuest } from '#tests/security/support/guest.ts'
import { aCustomer, type Customer, goodPassword } from '#tests/support/customers/customer.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { size } from '#tests/support/size.ts'

// Whether an answer, or how long it takes, tells who has an account or what exists. Times are compared with those of the same
// question asked again, in turn within the same seconds, so that a slow machine is slow for all of them.

let loud: TestShop
let quiet: TestShop
let eve: Customer
let orderId = 0
const orderKey = `wc_order_${'a'.repeat(22)}`
beforeAll(async () => {
  loud = await aShop({ wallet: false })
  quiet = await aShop({ wallet: false, settings: { accounts: { passwordByMail: true } } })
  for (const shop of [loud, quiet]) {
    await shop.db.sql`insert into customers (email, username, password, created_at, updated_at)
      values ('known@example.test', 'known', ${argon2}, now(), now())`
  }
  eve = aCustomer(loud, 'eve@example.test')
  await eve.register()
  const [order] = await loud.db.sql`insert into orders (key, status, session_id, intention, cart_hash, currency,
      prices_include_tax, total, billing, shipping, payment_method, payment_method_title, created_at, updated_at)
    values (${orderKey}, 'processing', 's', 'i', '', 'USD', false, 1200, '{"email":"known@example.test"}', '{}', 'cod', 'Cash',
      now() - interval '1 day', now()) returning id`
  orderId = Number(order?.id)
})
afterAll(async () => {
  await loud?.close()
  await quiet?.close()
})

/** Of a password that nobody types, at the cost that the shop asks for. */
const argon2 = `$argon2id$v=19$m=19456,t=2,p=1$${Buffer.alloc(16, 7).toString('base64').replace(/=+$/, '')}$${Buffer.alloc(
  32,
  9,
)
  .toString('base64')
  .replace(/=+$/, '')}`

type Form = { path: string; fields: Record<string, string> }
type Question = {
  shop: () => TestShop
  /** Who asks; a stranger each time unless told. */
  who?: () => Customer
  form(name: string, nonce: (action: string) => string): Form
}

const questions: Readonly<Record<string, Question>> = {
  'the login form': {
    shop: () => loud,
    form: (name, nonce) => ({
      path: '/my-account/',
      fields: {
        username: `${name}@example.test`,
        password: 'wrong-password-9',
        login: '1',
        'woocommerce-login-nonce': nonce('woocommerce-login'),
      },
    }),
  },
  'a lost password': {
    shop: () => loud,
    form: (name, nonce) => ({
      path: '/my-account/lost-password/',
      fields: { user_login: `${name}@example.test`, 'woocommerce-lost-password-nonce': nonce('lost_password') },
    }),
  },
  'opening an account by mail': {
    shop: () => quiet,
    form: (name, nonce) => ({
      path: '/my-account/',
      fields: {
        email: `${name}@example.test`,
        register: '1',
        'woocommerce-register-nonce': nonce('woocommerce-register'),
      },
    }),
  },
  'another address for the account': {
    shop: () => loud,
    who: () => eve,
    form: (name, nonce) => ({
      path: '/my-account/edit-account/',
      fields: {
        account_first_name: 'Eve',
        account_last_name: 'Moor',
        account_display_name: 'Eve',
        account_email: `${name}@example.test`,
        password_current: goodPassword,
        'save-account-details-nonce': nonce('save_account_details'),
      },
    }),
  },
  'an order without its key': {
    shop: () => loud,
    form: (name) => ({
      path: `/checkout/order-received/${name === 'known' ? orderId : orderId + 1000}/?key=wc_order_${'b'.repeat(22)}`,
      fields: {},
    }),
  },
}

async function ask({ shop, who, form }: Question, name: string): Promise<{ ms: number; said: string }> {
  const { db } = shop()
  await db.sql`delete from rate_limits`
  const visitor = who?.() ?? aGuest(shop())
  const { path, fields } = form(name, visitor.nonce)
  const begun = performance.now()
  const answer = await visitor.post(path, fields)
  const text = await answer.text()
  const ms = performance.now() - begun
  const told = text
    .replaceAll(`${name}@example.test`, 'ADDRESS')
    .replaceAll(String(orderId), 'ID')
    .replaceAll(String(orderId + 1000), 'ID')
    .replace(/[0-9a-f]{10,64}/g, '')
  return { ms, said: [answer.status, answer.headers.get('location'), told].join('\n') }
}

/**
 * Between which two times the median lies, whatever the times are spread like: between the two order statistics that it is
 * outside of once in a thousand times.
 */
function medianRange(of: readonly number[]): { from: number; to: number } {
  const sorted = [...of].sort((a, b) => a - b)
  const off = 1.65 * Math.sqrt(sorted.length)
  const at = (rank: number) => sorted[Math.min(sorted.length - 1, Math.max(0, rank))] ?? 0
  return { from: at(Math.floor(sorted.length / 2 - off)), to: at(Math.ceil(sorted.length / 2 + off)) }
}

it.each(Object.keys(questions))(
  'T12 %s says the same of known and unknown names, in the same time',
  { timeout: 600_000 },
  async (name) => {
    const question = questions[name]
    if (!question) throw new Error(`there is no ${name}`)
    const told = new Map<string, Set<string>>()
    const times = { known: [] as number[], unknown: [] as number[] }
    const rounds = size(21, 101)
    for (let round = -3; round < rounds; round += 1) {
      // Each goes first as often as the other.
      for (const who of round % 2 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)) {
        const { ms, said } = await ask(question, who)
        told.set(who, (told.get(who) ?? new Set()).add(said))
        // The first rounds warm up.
        if (round >= 0) times[who].push(ms)
      }
    }
    expect(told.get('known')).toEqual(told.get('unknown'))
    const [known, unknown] = [medianRange(times.known), medianRange(times.unknown)]
    const said = JSON.stringify({ known, unknown })
    // A tenth either way.
    expect(known.from * 0.9, said).toBeLessThan(unknown.to)
    expect(unknown.from * 0.9, said).toBeLessThan(known.to)
  },
)
