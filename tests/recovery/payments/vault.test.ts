import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPayPal } from '#paypal/client.ts'
import { resumeSavingMethods } from '#shop/payments/vault/save-approved-method.ts'
import type { Checkpoint } from '#shop/shared/tools.ts'
import { aCustomer, type Customer } from '#tests/support/customers/customer.ts'
import { agree, callRoute, keepingSettings, startMethodSetup } from '#tests/support/payments/vault.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
/** Nothing after this point is carried out, as if the process had died there. */
let diesAt: Checkpoint | null = null
beforeAll(async () => {
  shop = await aShop({
    settings: keepingSettings,
    checkpoint: (point) => {
      if (point === diesAt) throw new Error(`died at ${point}`)
    },
  })
  await shop.emulate('/webhooks/hold', { on: true })
})
afterAll(() => shop?.close())
beforeEach(async () => {
  diesAt = null
  await shop.db.sql`delete from rate_limits`
})

let count = 0
async function anAccount(): Promise<Customer & { id: number }> {
  count += 1
  const customer = aCustomer(shop, `survivor${count}@example.test`)
  await customer.register()
  const [row] = await shop.db.sql`select id from customers where email = ${customer.email}`
  return Object.assign(customer, { id: Number(row?.id) })
}

const savedMethodsOf = (id: number) => shop.db.sql`select token from payment_tokens where customer_id = ${id}`
const keep = (customer: Customer, setup_token: string) => callRoute(customer, 'vault/payment-tokens', { setup_token })

/** What the provider keeps for a customer of ours. */
async function atProvider(id: number): Promise<string[]> {
  const [row] = await shop.db.sql`select provider_id from vault_customers where customer_id = ${id}`
  const listed = await shop.shop.application.tools.paypal?.listPaymentTokens(String(row?.provider_id))
  return listed?.ok ? listed.value.map((token) => token.id) : []
}

async function stopped(point: Checkpoint): Promise<{ ada: Customer & { id: number }; setupToken: string }> {
  const ada = await anAccount()
  const setupToken = await startMethodSetup(ada)
  await agree(shop, setupToken)
  diesAt = point
  expect((await keep(ada, setupToken)).status).toBe(500)
  diesAt = null
  return { ada, setupToken }
}

const points: [string, Checkpoint, number][] = [
  ['F3 at S15: stopped before the provider was called', 'S15 attempt written', 0],
  ['F4 at S15: stopped after the provider had kept it', 'S15 called', 1],
]

describe('stopped while a way to pay is kept', () => {
  it.each(points)('%s, the minute job keeps it, once', async (_title, point, made) => {
    const { ada, setupToken } = await stopped(point)
    expect(await savedMethodsOf(ada.id)).toHaveLength(0)
    expect(await atProvider(ada.id)).toHaveLength(made)
    await shop.db.sql`
      update setup_tokens set created_at = created_at - interval '1 minute' where id = ${setupToken}`
    expect(await resumeSavingMethods(shop.shop.application.tools)).toBeGreaterThan(0)
    const kept = await savedMethodsOf(ada.id)
    expect(kept.map(({ token }) => token)).toEqual(await atProvider(ada.id))
    expect(kept).toHaveLength(1)
    expect((await keep(ada, setupToken)).body.id).toBe(kept[0]?.token)
  })

  it.each(points)('%s, the same press goes on with it', async (_title, point) => {
    const { ada, setupToken } = await stopped(point)
    const repeated = await keep(ada, setupToken)
    expect(repeated.status).toBe(200)
    expect((await savedMethodsOf(ada.id)).map(({ token }) => token)).toEqual([repeated.body.id])
    expect(await atProvider(ada.id)).toEqual([repeated.body.id])
  })

  it('F4 at S15: a customer whose provider forgot the call has what it shows, adopted', async () => {
    const { ada, setupToken } = await stopped('S15 called')
    // Two days later: a request id is remembered for three hours, a setup token for three days.
    await shop.emulate('/clock', { advance_ms: 2 * 24 * 60 * 60 * 1000 })
    const repeated = await keep(ada, setupToken)
    await shop.emulate('/clock', { advance_ms: -2 * 24 * 60 * 60 * 1000 })
    expect(repeated.status).toBe(200)
    expect(await atProvider(ada.id)).toEqual([repeated.body.id])
    expect(await savedMethodsOf(ada.id)).toHaveLength(1)
  })
})

describe('a provider that fails while something is kept', () => {
  const faults: [string, object][] = [
    ['F8 at S15: works, then answers 500', { route: 'payment-tokens.create', done_then_500: true }],
    ['F7 at S15: works, then cuts the connection', { route: 'payment-tokens.create', done_then_drop: true }],
    ['F11 at S15: works, then answers half of its JSON', { route: 'payment-tokens.create', malformed: true }],
    ['F9 at S15: asks for patience', { route: 'payment-tokens.create', status: 429, retry_after: 1 }],
    ['F8 at S15: begins, then answers 500', { route: 'setup-tokens.create', done_then_500: true }],
  ]
  it.each(faults)('%s: one way to pay is kept', async (_title, fault) => {
    const ada = await anAccount()
    await shop.emulate('/fault', fault)
    const setupToken = await startMethodSetup(ada)
    await agree(shop, setupToken)
    let answer = await keep(ada, setupToken)
    if (answer.status === 503) answer = await keep(ada, setupToken)
    expect(answer.status).toBe(200)
    expect((await savedMethodsOf(ada.id)).map(({ token }) => token)).toEqual([answer.body.id])
    expect(await atProvider(ada.id)).toEqual([answer.body.id])
  })

  it('F10 at S15: an expired token is renewed once and unnoticed', async () => {
    const ada = await anAccount()
    const setupToken = await startMethodSetup(ada)
    await agree(shop, setupToken)
    await shop.emulate('/tokens/expire', {})
    const answer = await keep(ada, setupToken)
    expect(answer.status).toBe(200)
    expect(await atProvider(ada.id)).toEqual([answer.body.id])
  })

  it('F6 at S15: nobody there is told within 3 s, nothing is lost, and the same press keeps it later', async () => {
    const ada = await anAccount()
    const { tools } = shop.shop.application
    if (!tools.paypal || !shop.paypal) throw new Error('the shop has no wallet')
    const nobody = createPayPal({ environment: tools, config: { ...shop.paypal, apiBase: 'http://127.0.0.1:9' } })
    const away = () => Object.assign(tools.paypal ?? {}, nobody)
    const back = { ...tools.paypal }

    away()
    const input = { payment_method: 'ppcp', context: 'add_payment_method' }
    const began = performance.now()
    const failed = await callRoute(ada, 'vault/setup-tokens', input)
    expect(performance.now() - began).toBeLessThan(3_000)
    expect(failed).toMatchObject({ status: 503, body: { code: 'unreachable' } })

    Object.assign(tools.paypal, back)
    const setupToken = await startMethodSetup(ada)
    await agree(shop, setupToken)
    away()
    expect(await keep(ada, setupToken)).toMatchObject({ status: 503, body: { code: 'unreachable' } })
    expect(await savedMethodsOf(ada.id)).toHaveLength(0)
    Object.assign(tools.paypal, back)
    expect(await atProvider(ada.id)).toEqual([])
    const answer = await keep(ada, setupToken)
    expect(answer.status).toBe(200)
    expect((await savedMethodsOf(ada.id)).map(({ token }) => token)).toEqual(await atProvider(ada.id))
  })

  it('F8 at S15: one that stays away is told as such, and the next press finds what was begun', async () => {
    const ada = await anAccount()
    await shop.emulate('/fault', { route: 'setup-tokens.create', done_then_500: true, times: 3 })
    const input = { payment_method: 'ppcp', context: 'add_payment_method' }
    const failed = await callRoute(ada, 'vault/setup-tokens', input)
    expect(failed).toMatchObject({ status: 503, body: { code: 'unreachable' } })
    expect((await callRoute(ada, 'vault/setup-tokens', input)).status).toBe(200)
    expect(await shop.db.sql`select id from setup_tokens where customer_id = ${ada.id}`).toHaveLength(1)
  })
})
