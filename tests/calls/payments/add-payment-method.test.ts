import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { paymentFields } from '#contract/payments/constants.ts'
import { urls } from '#contract/shared/urls.ts'
import { savePaymentToken } from '#database/payments/payment-tokens.ts'
import { aCustomer, type Customer } from '#tests/support/customers/customer.ts'
import { agree, callRoute, keepingSettings, startMethodSetup } from '#tests/support/payments/vault.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ settings: keepingSettings })
  await shop.emulate('/webhooks/hold', { on: true })
})
afterAll(() => shop?.close())
beforeEach(() => shop.db.sql`delete from rate_limits`)

let count = 0
async function anAccount(): Promise<Customer & { id: number }> {
  count += 1
  const customer = aCustomer(shop, `adder${count}@example.test`)
  await customer.register()
  const [row] = await shop.db.sql`select id from customers where email = ${customer.email}`
  return Object.assign(customer, { id: Number(row?.id) })
}

const post = (customer: Customer, fields: Record<string, string> = {}) =>
  customer.post(urls.addPaymentMethod(), {
    payment_method: 'ppcp',
    'woocommerce-add-payment-method-nonce': customer.nonce('woocommerce-add-payment-method'),
    ...fields,
  })
const placeOf = (response: Response) => response.headers.get('location') ?? ''
const setupOf = (place: string) => new URL(place).searchParams.get('approval_session_id') ?? ''

describe('the page that saves a way to pay', () => {
  it('CHK-14 belongs to those who are logged in, and is reached from the saved ones', async () => {
    expect(await aCustomer(shop).page(urls.addPaymentMethod())).toContain('name="login"')
    const ada = await anAccount()
    expect(await ada.page(urls.paymentMethods())).toContain(`href="${urls.addPaymentMethod()}"`)
    const html = await ada.page(urls.addPaymentMethod())
    expect(html).toMatch(/<form id="add_payment_method"[^>]* method="post"/)
    for (const method of ['ppcp', 'ppcp_card']) {
      expect(html).toContain(`id="payment_method_${method}"`)
      expect(html).toContain(`name="${paymentFields(method).paymentToken}"`)
    }
    // Nothing can be charged that is not approved by the provider.
    expect(html).not.toContain('payment_method_bacs')
  })

  it('§2.9: carries the names by which extensions know the page, its list and its form', async () => {
    const html = await (await anAccount()).page(urls.addPaymentMethod())
    const classes = [...html.matchAll(/class="([^"]*)"/g)].map(([, names = '']) => new Set(names.split(' ')))
    for (const together of [
      ['woocommerce-account', 'woocommerce-add-payment-method'],
      ['woocommerce-PaymentMethods', 'payment_methods', 'methods'],
      ['woocommerce-PaymentMethod', 'woocommerce-PaymentMethod--ppcp', 'payment_method_ppcp'],
      ['woocommerce-PaymentMethod', 'woocommerce-PaymentMethod--ppcp_card', 'payment_method_ppcp_card'],
      ['woocommerce-PaymentBox', 'woocommerce-PaymentBox--ppcp', 'payment_box', 'payment_method_ppcp'],
    ])
      expect(
        classes.some((found) => together.every((name) => found.has(name))),
        together.join('.'),
      ).toBe(true)
    expect(html.match(/name="woocommerce_add_payment_method" value="[^"]*"/g)).toEqual([
      'name="woocommerce_add_payment_method" value="1"',
    ])
    expect(html).toContain('"wc_add_payment_method_params":{"gateways_with_custom_place_order_button":[')
  })

  it('CHK-14 saves a wallet without a script: the form, the provider, and back to the saved ones', async () => {
    const ada = await anAccount()
    const begun = await post(ada)
    expect(begun.status).toBe(303)
    const back = await agree(shop, setupOf(placeOf(begun)))
    expect(back).toContain(`${shop.url}/pay/kept/?key=v-setup-`)
    expect(placeOf(await ada.send(back.slice(shop.url.length)))).toBe(urls.paymentMethods())
    const html = await ada.page(urls.paymentMethods())
    expect(html).toContain('Payment method saved.')
    expect(html).toContain('PayPal (buyer@emulator.test)')
    // The address again, by the button "back": nothing is saved twice.
    await ada.send(back.slice(shop.url.length))
    const [row] = await shop.db.sql`select count(*)::int as n from payment_tokens where customer_id = ${ada.id}`
    expect(row?.n).toBe(1)
  })

  it('CHK-14 tells what a script has had approved and kept', async () => {
    const ada = await anAccount()
    const setup_token = await startMethodSetup(ada)
    await agree(shop, setup_token)
    const { body } = await callRoute(ada, 'vault/payment-tokens', { setup_token })
    const done = await post(ada, { [paymentFields('ppcp').paymentToken]: String(body.id) })
    expect(placeOf(done)).toBe(urls.paymentMethods())
    expect(await ada.page(urls.paymentMethods())).toContain('Payment method saved.')
  })

  it('T5 neither another’s token nor another’s way back saves anything', async () => {
    const ada = await anAccount()
    const eve = await anAccount()
    const back = await agree(shop, setupOf(placeOf(await post(ada))))
    expect(placeOf(await eve.send(back.slice(shop.url.length)))).toBe(urls.addPaymentMethod())
    expect(await eve.page(urls.addPaymentMethod())).toContain('was started elsewhere')
    await ada.send(back.slice(shop.url.length))
    const [hers] = await shop.db.sql`select token from payment_tokens where customer_id = ${ada.id}`
    expect(placeOf(await post(eve, { [paymentFields('ppcp').paymentToken]: String(hers?.token) }))).toBe(
      urls.addPaymentMethod(),
    )
    expect(await shop.db.sql`select id from payment_tokens where customer_id = ${eve.id}`).toHaveLength(0)
  })

  it('who leaves the provider without agreeing is told that nothing was saved', async () => {
    const ada = await anAccount()
    await post(ada)
    const [row] = await shop.db.sql`select request_id from setup_tokens where customer_id = ${ada.id}`
    for (const place of [urls.methodNotKept(String(row?.request_id)), urls.methodKept(String(row?.request_id))]) {
      expect(placeOf(await ada.send(place))).toBe(urls.addPaymentMethod())
      expect(await ada.page(urls.addPaymentMethod())).toContain('was not saved')
    }
    for (const key of ['', 'x', `${'y'.repeat(5000)}`]) {
      expect((await ada.send(urls.methodKept(key))).status).toBe(303)
    }
  })

  it('T26 a form that is too old, or of another site, begins nothing', async () => {
    const ada = await anAccount()
    expect(placeOf(await post(ada, { 'woocommerce-add-payment-method-nonce': '0123456789' }))).toBe(
      urls.addPaymentMethod(),
    )
    const foreign = await ada.send(urls.addPaymentMethod(), {
      method: 'POST',
      headers: { origin: 'https://evil.test' },
    })
    expect(foreign.status).toBe(403)
    expect(placeOf(await post(ada, { payment_method: 'bacs' }))).toBe(urls.addPaymentMethod())
    expect(placeOf(await post(ada, { payment_method: 'ppcp_card' }))).toBe(urls.addPaymentMethod())
    expect(await shop.db.sql`select 1 from setup_tokens where customer_id = ${ada.id}`).toHaveLength(0)
  })
})

describe('what the checkout offers', () => {
  it('CHK-11 what the customer has kept, the default chosen, an expired card as such', async () => {
    const ada = await anAccount()
    const card = { customer_id: ada.id, method: 'ppcp_card', environment: 'sandbox', kind: 'card' } as const
    const kept = async (token: string, expires: string, is_default = false) =>
      savePaymentToken(shop.db.kysely, {
        ...card,
        token,
        brand: 'visa',
        last4: token.slice(-4),
        expires,
        is_default,
        created_at: new Date(),
      })
    await kept('t-1111', '2020-01', true)
    await kept('t-2222', '2031-04')
    await ada.add('MUG')
    const html = await ada.page(urls.checkout())
    const radios = html.match(/<input[^>]* name="wc-ppcp_card-payment-token"[^>]*>/g) ?? []
    expect(html).toContain('Visa ending in 1111 (expired 01/20)')
    expect(html).toContain('Visa ending in 2222 (expires 04/31)')
    expect(radios).toHaveLength(3)
    expect(radios.map((radio) => radio.includes('checked'))).toEqual([false, true, false])
    expect(html).toContain('name="ppcp_card_save_payment"')
    const guest = aCustomer(shop)
    await guest.add('MUG')
    const theirs = await guest.page(urls.checkout())
    expect(theirs).not.toContain('_save_payment"')
    expect(theirs).not.toContain('Visa ending in')
  })
})
