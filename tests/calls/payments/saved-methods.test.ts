import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { savePaymentToken } from '#database/payments/payment-tokens.ts'
import { aCustomer, type Customer } from '#tests/support/customers/customer.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ wallet: false })
})
afterAll(() => shop?.close())
beforeEach(() => shop.db.sql`delete from rate_limits`)

let count = 0
async function anAccount(): Promise<Customer & { id: number }> {
  count += 1
  const customer = aCustomer(shop, `payer${count}@example.test`)
  await customer.register()
  const [row] = await shop.db.sql`select id from customers where email = ${customer.email}`
  return Object.assign(customer, { id: Number(row?.id) })
}

type Card = Partial<Parameters<typeof savePaymentToken>[1]>
async function aCard(customer_id: number, card: Card = {}): Promise<number> {
  const row = await savePaymentToken(shop.db.kysely, {
    customer_id,
    method: 'ppcp',
    environment: 'sandbox',
    token: `vault-${Math.random()}`,
    kind: 'card',
    brand: 'visa',
    last4: '4242',
    expires: '2031-04',
    created_at: new Date(),
    ...card,
  })
  if (!row) throw new Error('the token is somebody else’s')
  return row.id
}

const listed = (html: string) =>
  [...html.matchAll(/<tr class="(payment-method[^"]*)">(.*?)<\/tr>/gs)].map(
    ([, kind = '', row = '']) =>
      `${kind}: ${row
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim()}`,
  )
const follow = (visitor: Customer, html: string, name: string) =>
  visitor.send((new RegExp(`href="([^"]*)"[^>]*class="button ${name}"`).exec(html)?.[1] ?? '').replaceAll('&amp;', '&'))

describe('saved payment methods', () => {
  it('are listed with their expiry, the default first, and never with their token', async () => {
    const ada = await anAccount()
    expect(await ada.page('/my-account/payment-methods/')).toContain('No payment method is saved.')
    await aCard(ada.id, { is_default: true, token: 'secret-token' })
    await aCard(ada.id, { brand: 'mastercard', last4: '4444', expires: '2020-01' })
    await aCard(ada.id, { kind: 'wallet', brand: '', last4: '', expires: '', account: 'ada@pay.test' })
    await aCard(ada.id, { environment: 'live', last4: '1111' })
    const html = await ada.page('/my-account/payment-methods/')
    expect(listed(html)).toEqual([
      'payment-method default-payment-method: Visa ending in 4242 Default 04/31 Delete',
      'payment-method: PayPal (ada@pay.test) Never Make default Delete',
      'payment-method: Mastercard ending in 4444 Expired 01/20 Make default Delete',
    ])
    expect(html).not.toContain('secret-token')
    expect(html).toContain('<table class="woocommerce-MyAccount-paymentMethods')
  })

  it('one is made the default and none of the others; deleting the default hands that on', async () => {
    const ada = await anAccount()
    await aCard(ada.id, { last4: '0001', is_default: true })
    await aCard(ada.id, { last4: '0002' })
    const first = await ada.page('/my-account/payment-methods/')
    expect((await follow(ada, first, 'default')).headers.get('location')).toBe('/my-account/payment-methods/')
    const second = await ada.page('/my-account/payment-methods/')
    expect(second).toContain('This payment method is now your default.')
    expect(listed(second).map((row) => row.slice(0, 60))).toEqual([
      expect.stringContaining('default-payment-method: Visa ending in 0002'),
      expect.stringMatching(/^payment-method: Visa ending in 0001/),
    ])
    await follow(ada, second, 'delete')
    const third = await ada.page('/my-account/payment-methods/')
    expect(third).toContain('Payment method deleted.')
    expect(listed(third)).toEqual([expect.stringContaining('default-payment-method: Visa ending in 0001')])
    // The same link again: it is gone, and nothing else goes.
    await follow(ada, second, 'delete')
    expect(await ada.page('/my-account/payment-methods/')).toContain('This payment method was not found.')
    expect(listed(await ada.page('/my-account/payment-methods/'))).toHaveLength(1)
  })

  it('T5 T10 somebody else’s is neither seen, changed nor taken over', async () => {
    const ada = await anAccount()
    const eve = await anAccount()
    const id = await aCard(ada.id, { token: 'hers' })
    expect(await eve.page('/my-account/payment-methods/')).toContain('No payment method is saved.')
    for (const action of ['delete-payment-method', 'set-default-payment-method']) {
      await eve.send(`/my-account/${action}/${id}/?_wpnonce=${eve.nonce(action)}`)
      expect(await eve.page('/my-account/payment-methods/')).toContain('This payment method was not found.')
    }
    await expect(aCard(eve.id, { token: 'hers' })).rejects.toThrow('somebody else')
    const rows = await shop.db.sql`select customer_id, is_default from payment_tokens where token = 'hers'`
    expect(rows.map(({ customer_id, is_default }) => [customer_id, is_default])).toEqual([[ada.id, false]])
  })

  it('T26 a link that was not made for this visitor changes nothing', async () => {
    const ada = await anAccount()
    const id = await aCard(ada.id)
    const other = await anAccount()
    for (const nonce of [
      '',
      '0123456789',
      other.nonce('delete-payment-method'),
      ada.nonce('set-default-payment-method'),
    ])
      await ada.send(`/my-account/delete-payment-method/${id}/?_wpnonce=${nonce}`)
    const html = await ada.page('/my-account/payment-methods/')
    expect(html).toContain('open for too long')
    expect(listed(html)).toHaveLength(1)
  })

  it('two that are made the default at once leave one default', async () => {
    const ada = await anAccount()
    const ids = await Promise.all(['0001', '0002', '0003'].map((last4) => aCard(ada.id, { last4 })))
    const nonce = ada.nonce('set-default-payment-method')
    const answers = await Promise.all(
      [...ids, ...ids].map((id) => ada.send(`/my-account/set-default-payment-method/${id}/?_wpnonce=${nonce}`)),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 303))
    const [row] = await shop.db.sql`
      select count(*)::int as n from payment_tokens where is_default and customer_id = ${ada.id}`
    expect(row?.n).toBe(1)
  })
})
