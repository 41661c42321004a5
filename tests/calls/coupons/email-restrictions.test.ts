import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { submitCart, viewCart } from '#tests/support/cart/cart.ts'
import { aCustomer } from '#tests/support/customers/customer.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ wallet: false })
  await shop.db.sql`insert into coupons (code, type, amount_minor, settings)
    values ('friends', 'fixed_cart', 500, '{"emails":["*@friends.example"]}')`
})
afterAll(() => shop?.close())

const applied =
  'Coupon code applied successfully. It is limited to certain email addresses. We check yours when you place the order.'
const refused = 'Coupon “friends” cannot be used with this email address. It was removed from your cart.'

async function withMug(name: string): Promise<Shopper> {
  const shopper = new Shopper(shop, name)
  await shopper.add('MUG')
  return shopper
}

/** As the cart's script posts it. */
async function applyByScript(shopper: Shopper, fields: Record<string, string> = {}): Promise<string> {
  const page = await shopper.page(urls.cart())
  const security = /"apply_coupon_nonce":"([0-9a-f]+)"/.exec(page)?.[1] ?? ''
  const answer = await shopper.post(urls.wcAjax('apply_coupon'), { coupon_code: 'friends', security, ...fields })
  return answer.text()
}
const applyByForm = (shopper: Shopper) => submitCart(shopper, { coupon_code: 'friends', apply_coupon: 'Apply coupon' })

/** The checkout form as a browser without scripts posts it: the page that follows. */
async function orderByForm(shopper: Shopper, billing_email: string) {
  await shopper.openCheckout()
  const answer = await shopper.post(urls.checkout(), { ...shopper.form('cod'), billing_email })
  const path = new URL(answer.headers.get('location') ?? '', shop.url)
  return { path: path.pathname, html: await shopper.page(path.pathname + path.search) }
}

/** The same by the checkout's script. */
async function orderByScript(shopper: Shopper, billing_email: string) {
  await shopper.openCheckout()
  const answer = await shopper.post(urls.wcAjax('checkout'), { ...shopper.form('cod'), billing_email })
  return (await answer.json()) as { result: string; messages?: string; order_id?: number }
}

async function discountOf(email: string): Promise<number | undefined> {
  const [order] = await shop.db.sql<{ discount_total: number }[]>`
    select discount_total from orders where billing ->> 'email' = ${email}`
  return order?.discount_total
}

describe('a coupon for certain email addresses', () => {
  it('COUP-01 is accepted of a guest whose address is not known yet, and says that the order decides', async () => {
    const byScript = await withMug('script')
    expect(await applyByScript(byScript)).toContain(`<div class="woocommerce-message" role="alert">${applied}</div>`)
    expect((await viewCart(byScript)).coupons).toEqual(['friends'])
    const byForm = await applyByForm(await withMug('form'))
    expect([byForm.errors, byForm.done, byForm.coupons]).toEqual([[], [applied], ['friends']])
  })

  it('COUP-01 goes with an order of an address that it is for, without scripts and with them', async () => {
    const plain = await withMug('plain')
    await applyByForm(plain)
    const page = await orderByForm(plain, 'plain@friends.example')
    expect(page.path).toContain('/order-received/')
    expect(await discountOf('plain@friends.example')).toBe(500)

    const scripted = await withMug('scripted')
    await applyByScript(scripted)
    const answer = await orderByScript(scripted, 'scripted@friends.example')
    expect(answer.result, answer.messages).toBe('success')
    expect(await discountOf('scripted@friends.example')).toBe(500)
  })

  it.each(['eve@elsewhere.example', 'eve＠elsewhere.example', ' Eve@friends.example.evil.test '])(
    'COUP-01 comes off when an order is placed as %j, with its reason, without scripts and with them',
    async (email) => {
      const plain = await withMug('eve')
      await applyByForm(plain)
      const page = await orderByForm(plain, email)
      expect(page.path).toBe(urls.checkout())
      expect(page.html).toContain(refused)
      expect((await viewCart(plain)).coupons).toEqual([])

      const scripted = await withMug('eve')
      await applyByScript(scripted)
      const answer = await orderByScript(scripted, email)
      expect([answer.result, answer.messages]).toEqual(['failure', expect.stringContaining(refused)])
      expect((await viewCart(scripted)).coupons).toEqual([])
      expect(await shop.db.sql`select 1 from orders where billing ->> 'email' like '%ve@%'`).toEqual([])
    },
  )

  it.each(['', 'bob', 'bob@friends'])('COUP-01 stays while the form is refused for the address %j', async (email) => {
    const plain = await withMug('bob')
    await applyByForm(plain)
    const page = await orderByForm(plain, email)
    expect(page.html).not.toContain(refused)
    expect((await viewCart(plain)).coupons).toEqual(['friends'])
    const answer = await orderByScript(plain, email)
    expect(answer.result).toBe('failure')
    expect(answer.messages).not.toContain('cannot be used')
    expect((await viewCart(plain)).coupons).toEqual(['friends'])
  })

  it('COUP-01 is refused at once where the address is known: typed at the checkout, or of the account', async () => {
    const guest = await withMug('known')
    expect(await applyByScript(guest, { billing_email: 'known@elsewhere.example' })).toContain(
      'Coupon “friends” cannot be used with this email address.',
    )
    expect((await viewCart(guest)).coupons).toEqual([])
    const customer = aCustomer(shop, 'member@elsewhere.example')
    await customer.register()
    await customer.add('MUG')
    const fields = { coupon_code: 'friends', security: customer.nonce('apply-coupon') }
    const answer = await customer.post(urls.wcAjax('apply_coupon'), fields)
    expect(await answer.text()).toContain('Coupon “friends” cannot be used with this email address.')
    expect(await customer.page(urls.cart())).not.toContain('cart-discount')
  })
})
