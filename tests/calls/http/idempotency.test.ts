import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let mug: number
beforeAll(async () => {
  shop = await aShop({ wallet: false })
  mug = await shop.idOf('MUG')
})
afterAll(() => shop.close())

async function add(cookie: string, quantity: number, key?: string): Promise<Response> {
  return fetch(`${shop.url}/?wc-ajax=add_to_cart`, {
    method: 'POST',
    headers: { ...(cookie ? { cookie } : {}), ...(key ? { 'Idempotency-Key': key } : {}) },
    body: new URLSearchParams({ product_id: String(mug), quantity: String(quantity) }),
  })
}

async function aVisitor(): Promise<string> {
  const first = await add('', 1)
  return (
    first.headers
      .getSetCookie()
      .find((cookie) => cookie.startsWith('sid='))
      ?.split(';')[0] ?? ''
  )
}

async function pieces(cookie: string): Promise<number> {
  const page = await (await fetch(`${shop.url}/cart/`, { headers: { cookie } })).text()
  return Number(
    /name="cart\[[0-9a-f]+\]\[qty\]"[^>]*value="(\d+)"/.exec(page)?.[1] ??
      /value="(\d+)"[^>]*name="cart\[/.exec(page)?.[1],
  )
}

describe('a request with an idempotency key', () => {
  it('I8 has its effect once and gives the same answer again', async () => {
    const visitor = await aVisitor()
    const one = await add(visitor, 2, 'key-1')
    const again = await add(visitor, 2, 'key-1')
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(await again.text()).toBe(await one.text())
    expect(await pieces(visitor)).toBe(3)
  })

  it('I8 is refused with another body', async () => {
    const visitor = await aVisitor()
    await add(visitor, 2, 'key-2')
    expect((await add(visitor, 5, 'key-2')).status).toBe(422)
    expect(await pieces(visitor)).toBe(3)
  })

  it('I8 counts once when it is sent many times at once', async () => {
    const visitor = await aVisitor()
    const answers = await Promise.all(Array.from({ length: 8 }, () => add(visitor, 1, 'key-3')))
    for (const answer of answers) expect([200, 409]).toContain(answer.status)
    expect(await pieces(visitor)).toBe(2)
  })

  it('I8 F2 at S1: what was added before the answer was kept is not added again by the repeat', async () => {
    const visitor = await aVisitor()
    await add(visitor, 2, 'key-4')
    // As if the process had died after the cart was written, a minute ago.
    await shop.db.sql`
      update idempotency_keys set status = null, body = null, created_at = created_at - interval '1 minute'
      where key = 'key-4'`
    const again = await add(visitor, 2, 'key-4')
    expect([again.status, await pieces(visitor)]).toEqual([200, 3])
    await add(visitor, 2, 'key-5')
    expect(await pieces(visitor)).toBe(5)
  })

  it('belongs to its visitor: the same key of somebody else is another request', async () => {
    const [one, other] = [await aVisitor(), await aVisitor()]
    await add(one, 4, 'shared')
    const answer = await add(other, 1, 'shared')
    expect(answer.headers.get('idempotent-replayed')).toBe(null)
    expect(await pieces(other)).toBe(2)
  })

  it('is refused when it is too long', async () => {
    expect((await add(await aVisitor(), 1, 'k'.repeat(256))).status).toBe(400)
  })

  it('counts each time without a key, as presses on the button do', async () => {
    const visitor = await aVisitor()
    await add(visitor, 1)
    await add(visitor, 1)
    expect(await pieces(visitor)).toBe(3)
  })
})
