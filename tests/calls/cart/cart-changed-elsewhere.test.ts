import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { nonceFor } from '#server/http/security/nonce.ts'
import { withoutLine } from '#shop/cart/cart-lines.ts'
import type { SessionState } from '#shop/customers/sessions/session-state.ts'
import { changeSession, openSession } from '#shop/customers/sessions/visit-session.ts'
import { sha256 } from '#shop/shared/digest.ts'
import { viewCart } from '#tests/support/cart/cart.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
let mug = 0

beforeAll(async () => {
  shop = await aShop({ wallet: false })
  mug = await shop.idOf('MUG')
})
afterAll(() => shop.close())
beforeEach(async () => {
  await shop.db.sql`delete from coupons`
  await shop.db.sql`insert into coupons (code, type, amount_minor) values ('five', 'fixed_cart', 500)`
})

const tokenOf = (shopper: Shopper) => shopper.cookie(shop.shop.application.sessionCookie) ?? ''

async function call(shopper: Shopper, endpoint: string, fields: Record<string, string>): Promise<Response> {
  const { secret, tools } = shop.shop.application
  const nonce = nonceFor(secret, endpoint.replace('_', '-'), sha256(tokenOf(shopper)), tools.clock.now())
  return shopper.post(`/?wc-ajax=${endpoint}`, { security: nonce, ...fields })
}
const press = (shopper: Shopper, id: number) =>
  call(shopper, 'add_to_cart', { product_id: String(id), quantity: '1' }).then((response) => response.text())
const remove = (shopper: Shopper, key: string) =>
  call(shopper, 'remove_from_cart', { cart_item_key: key }).then((response) => response.text())
const apply = (shopper: Shopper) => call(shopper, 'apply_coupon', { coupon_code: 'five' })

async function withMugAndBowl(): Promise<{ shopper: Shopper; mugKey: string }> {
  const shopper = new Shopper(shop)
  await press(shopper, mug)
  await press(shopper, await shop.idOf('BOWL'))
  const { lines } = (await openSession(shop.shop.application.tools, tokenOf(shopper))).state
  return { shopper, mugKey: lines.find(({ productId }) => productId === mug)?.key ?? '' }
}

/** Another process of the shop, with memories of its own, changes the visitor's cart. */
async function elsewhere(shopper: Shopper, change: (state: SessionState) => SessionState): Promise<void> {
  const tools = { ...shop.shop.application.tools, db: shop.db }
  const session = await openSession(tools, tokenOf(shopper))
  await changeSession(tools, session, (state) => ({ state: change(state), result: undefined }))
}

describe('a cart that another process has written since', () => {
  it('F19 loses nothing of either', async () => {
    const { shopper, mugKey } = await withMugAndBowl()
    const more = (state: SessionState) => ({
      ...state,
      lines: state.lines.map((line) => (line.key === mugKey ? line : { ...line, quantity: 5 })),
    })
    await elsewhere(shopper, more)
    expect(await remove(shopper, mugKey)).toContain('5 ×')

    const { shopper: other, mugKey: gone } = await withMugAndBowl()
    await elsewhere(other, (state) => withoutLine(state, gone))
    expect(await remove(other, gone)).toBe('{"success":false}')
    await elsewhere(other, (state) => ({ ...state, lines: [] }))
    expect(await press(other, mug)).toContain('1 ×')
    expect((await viewCart(other)).lines).toHaveLength(1)
  })

  it('takes no coupon that does not fit it any more', async () => {
    await apply((await withMugAndBowl()).shopper)
    const { shopper } = await withMugAndBowl()
    await elsewhere(shopper, (state) => ({ ...state, coupons: ['five'] }))
    expect(await (await apply(shopper)).text()).toContain('already been applied')
  })
})

describe('a coupon that was changed since it was typed last', () => {
  it('COUP-01 is judged as it is', async () => {
    await apply((await withMugAndBowl()).shopper)
    const { shopper } = await withMugAndBowl()
    await shop.db.sql`update coupons set expires_at = '2020-01-01'`
    expect(await (await apply(shopper)).text()).toContain('has expired')
    expect((await viewCart(shopper)).coupons).toEqual([])
  })

  it('is counted for each time where it has a limit', async () => {
    await shop.db.sql`update coupons set usage_limit = 1`
    await apply((await withMugAndBowl()).shopper)
    const { shopper } = await withMugAndBowl()
    await shop.db.sql`update coupons set used = 1`
    expect(await (await apply(shopper)).text()).toContain('usage limit')
  })
})

describe('a session that is gone', () => {
  it('has no cart, no nonce and no coupon, and a press begins anew under another token', async () => {
    await apply((await withMugAndBowl()).shopper)
    const { shopper, mugKey } = await withMugAndBowl()
    const before = tokenOf(shopper)
    await shop.db.sql`delete from sessions where id = ${sha256(before)}`
    const refused = await apply(shopper)
    expect([refused.status, await refused.text()]).toEqual([403, '-1'])

    const { shopper: other } = await withMugAndBowl()
    await shop.db.sql`delete from sessions where id = ${sha256(tokenOf(other))}`
    expect(await remove(other, mugKey)).toBe('{"success":false}')

    const { shopper: third } = await withMugAndBowl()
    const old = tokenOf(third)
    await shop.db.sql`delete from sessions where id = ${sha256(old)}`
    expect(await press(third, mug)).toContain('1 ×')
    expect(tokenOf(third)).not.toBe(old)
    expect((await viewCart(third)).lines).toHaveLength(1)
  })

  it('is gone by its time as well', async () => {
    const { shopper, mugKey } = await withMugAndBowl()
    await shop.db.sql`update sessions set expires_at = now() where id = ${sha256(tokenOf(shopper))}`
    expect(await remove(shopper, mugKey)).toBe('{"success":false}')
  })
})

describe('a nonce that does not fit', () => {
  it('is refused of a cart that this process wrote last', async () => {
    const { shopper } = await withMugAndBowl()
    await apply((await withMugAndBowl()).shopper)
    const refused = await call(shopper, 'apply_coupon', { coupon_code: 'five', security: '0123456789' })
    expect([refused.status, await refused.text()]).toEqual([403, '-1'])
    expect((await viewCart(shopper)).coupons).toEqual([])
  })
})
