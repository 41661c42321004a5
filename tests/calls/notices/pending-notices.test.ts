import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { nonceFor } from '#server/http/security/nonce.ts'
import { sha256 } from '#shop/shared/digest.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ wallet: false })
})
afterAll(() => shop.close())

const taken = 'The payment was canceled. Nothing was charged.'

function nonce(shopper: Shopper, action: string): string {
  const { secret, tools } = shop.shop.application
  return nonceFor(secret, action, sha256(shopper.cookie('sid') ?? ''), tools.clock.now())
}

async function review(shopper: Shopper, more: Record<string, string> = {}): Promise<{ messages: string }> {
  const answer = await shopper.post(urls.wcAjax('update_order_review'), {
    security: nonce(shopper, 'update-order-review'),
    country: 'US',
    state: 'CA',
    postcode: '95131',
    city: 'San Jose',
    ...more,
  })
  return (await answer.json()) as { messages: string }
}

/** Something to tell is left by a request whose page has not been asked for yet. */
async function withNotice(name: string): Promise<Shopper> {
  const shopper = new Shopper(shop, name)
  await shopper.add('MUG')
  expect((await shopper.request(urls.walletCancel())).status).toBe(303)
  return shopper
}

describe('a notice that waits for the next page', () => {
  it('CHK-02 is not told to the page before, which asks for its totals at that moment', async () => {
    const shopper = await withNotice('leaving')
    expect((await review(shopper)).messages).toBe('')
    expect(await shopper.page(urls.checkout())).toContain(taken)
    expect(await shopper.page(urls.checkout())).not.toContain(taken)
  })

  it('F23 at S10 of a checkout whose session is gone: the page that is loaded anew says why its cart is empty', async () => {
    const shopper = new Shopper(shop, 'forgotten')
    await shopper.add('MUG')
    await shopper.openCheckout()
    const form = shopper.form('cod')
    const without = new Shopper(shop, 'forgotten')
    const answer = await without.post(urls.wcAjax('checkout'), { ...form, intention: 'of a session that is gone' })
    expect(await answer.json()).toMatchObject({ result: 'failure', reload: true })
    expect((await without.request(urls.checkout())).headers.get('location')).toBe(urls.cart())
    expect(await without.page(urls.cart())).toContain('Your cart is empty, or your session has expired.')
  })

  it('COUP-01 nor to one that asks for a coupon, which hears of the coupon alone', async () => {
    const shopper = await withNotice('coupon')
    const said = await shopper.post(urls.wcAjax('apply_coupon'), {
      security: nonce(shopper, 'apply-coupon'),
      coupon_code: 'none such',
    })
    const words = await said.text()
    expect(words).toContain('does not exist')
    expect(words).not.toContain(taken)
    expect(await shopper.page(urls.checkout())).toContain(taken)
  })

  it('a call tells what it found out itself, once, and finds out nothing for a page that is being left', async () => {
    const shopper = new Shopper(shop, 'dearer')
    await shopper.add('MUG')
    await shopper.openCheckout()
    await shop.db.sql`update products set regular_price = 1300 where sku = 'MUG'`
    try {
      expect((await review(shopper, { leaving: '1' })).messages).toBe('')
      expect((await review(shopper)).messages).toContain('has changed from')
      expect((await review(shopper)).messages).toBe('')
      expect(await shopper.page(urls.checkout())).not.toContain('has changed from')
    } finally {
      await shop.db.sql`update products set regular_price = 1200 where sku = 'MUG'`
    }
  })
})
