import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cardMethodId, paymentFields, walletMethodId } from '#contract/payments/constants.ts'
import { resumeSavingMethods } from '#shop/payments/vault/save-approved-method.ts'
import type { Checkpoint } from '#shop/shared/tools.ts'
import { aCustomer, type Customer } from '#tests/support/customers/customer.ts'
import {
  aLoggedInCustomer,
  allMethodSettings,
  createOrder,
  payApproved,
} from '#tests/support/payments/saved-methods.ts'
import { agree, callRoute, startMethodSetup } from '#tests/support/payments/vault.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
/** Nothing after this point is carried out, as if the process had died there. */
let diesAt: Checkpoint | null = null
beforeAll(async () => {
  shop = await aShop({
    settings: { ...allMethodSettings, payments: { cod: { enabled: true } } },
    checkpoint: (point) => {
      if (point === diesAt) throw new Error(`died at ${point}`)
    },
  })
  // No notification makes up for what the shop itself has not done.
  await shop.emulate('/webhooks/hold', { on: true })
})
afterAll(() => shop?.close())
beforeEach(async () => {
  diesAt = null
  await shop.db.sql`delete from rate_limits`
})

const savedMethodsOf = (email: string) =>
  shop.db.sql<{ kind: string }[]>`
    select t.kind from payment_tokens t join customers c on c.id = t.customer_id where c.email = ${email}`

describe('a means that is kept with a purchase', () => {
  it.each([
    ['card', cardMethodId],
    ['wallet', walletMethodId],
  ] as const)('F2 at S15: a process that dies as soon as the order is paid has kept its %s', async (kind, method) => {
    const shopper = await aLoggedInCustomer(shop, `kept-${kind}`)
    await shopper.add('MUG')
    await shopper.openCheckout()
    const save = { [paymentFields(method).save]: '1' }
    const id = String(await (await createOrder(shopper, method, save)).json())
    if (method === cardMethodId) await shop.emulate(`/orders/${id}/card`, {})
    else await shopper.approve(id)
    diesAt = 'S13 after commit'
    await payApproved(shopper, method, id, save).catch(() => undefined)
    diesAt = null
    expect(await savedMethodsOf(shopper.email)).toEqual([{ kind }])
  })

  it('F1 at S15: one that dies before the order is paid has kept nothing either', async () => {
    const shopper = await aLoggedInCustomer(shop, 'kept-not')
    await shopper.add('MUG')
    await shopper.openCheckout()
    const save = { [paymentFields(cardMethodId).save]: '1' }
    const id = String(await (await createOrder(shopper, cardMethodId, save)).json())
    await shop.emulate(`/orders/${id}/card`, {})
    diesAt = 'S12 before commit'
    await payApproved(shopper, cardMethodId, id, save).catch(() => undefined)
    diesAt = null
    expect(await savedMethodsOf(shopper.email)).toEqual([])
    expect((await payApproved(shopper, cardMethodId, id, save)).result).toBe('success')
    expect(await savedMethodsOf(shopper.email)).toEqual([{ kind: 'card' }])
  })
})

describe('a way to pay that cannot be kept', () => {
  async function anAccount(name: string): Promise<Customer> {
    const customer = aCustomer(shop, `${name}@example.test`)
    await customer.register()
    return customer
  }

  it('I12 one that is another customer’s is refused, and not tried again every minute', async () => {
    const [ada, eve] = [await anAccount('ada-keeps'), await anAccount('eve-keeps')]
    const setup_token = await startMethodSetup(eve)
    await agree(shop, setup_token)
    expect((await callRoute(eve, 'vault/payment-tokens', { setup_token })).status).toBe(200)
    // The same wallet, kept for Ada: its token is hers.
    await shop.db.sql`update payment_tokens set customer_id = (select id from customers where email = ${ada.email})
      where customer_id = (select id from customers where email = ${eve.email})`
    await shop.db.sql`update setup_tokens set state = 'keeping', payment_token = null,
      created_at = created_at - interval '5 minutes' where id = ${setup_token}`
    const refused = await callRoute(eve, 'vault/payment-tokens', { setup_token })
    expect(refused).toMatchObject({ status: 400, body: { message: expect.stringContaining('another account') } })
    expect(await savedMethodsOf(eve.email)).toEqual([])
    expect(await resumeSavingMethods(shop.shop.application.tools)).toBe(0)
  })
})
