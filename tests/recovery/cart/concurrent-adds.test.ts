import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunningShop } from '#server/operations/startup/start-shop.ts'
import { anotherProcess } from '#tests/support/payments/bookkeeping.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
let second: RunningShop
beforeAll(async () => {
  shop = await aShop({ wallet: false })
  second = await anotherProcess(shop)
})
afterAll(async () => {
  await second.stop()
  await shop.close()
})

const times = <Value>(count: number, act: (index: number) => Promise<Value>) =>
  Promise.all(Array.from({ length: count }, (_, index) => act(index)))

type Line = { productId: number; quantity: number }

/** What every cart of the database holds, as `pieces of product` in words. */
async function carts(): Promise<string[]> {
  const rows = await shop.db.sql<{ lines: Line[] }[]>`select state -> 'lines' as lines from sessions`
  const names = new Map([
    [await shop.idOf('MUG'), 'mugs'],
    [await shop.idOf('BOWL'), 'bowls'],
    [await shop.idOf('CARD'), 'cards'],
  ])
  return rows.map(({ lines }) =>
    lines
      .map(({ productId, quantity }) => `${quantity} ${names.get(productId)}`)
      .sort()
      .join(', '),
  )
}

/** The same visitor at another process of the shop, with the cookies of now. */
function elsewhere(shopper: Shopper): Shopper {
  return shopper.anotherTab({ ...shop, url: second.url })
}

// `add` throws at every answer that is no cart with the product in it: a refusal, a fault, a page.
describe('adding at once', () => {
  it('F18 at S1: 200 visitors at once, each by four presses at once in two tabs, lose no piece and meet no error', async () => {
    const shoppers = Array.from({ length: 200 }, (_, index) => new Shopper(shop, `visitor-${index}`))
    await Promise.all(shoppers.map((shopper) => shopper.add('MUG')))
    await Promise.all(
      shoppers.flatMap((shopper) => {
        const tab = shopper.anotherTab()
        return [shopper.add('MUG'), tab.add('BOWL', 2), shopper.add('CARD', 3), tab.add('MUG')]
      }),
    )
    const held = await carts()
    expect(held).toHaveLength(200)
    expect(new Set(held)).toEqual(new Set(['2 bowls, 3 cards, 3 mugs']))
  })

  it('F18 at S1: forty presses of one visitor at once count forty pieces', async () => {
    await shop.db.sql`delete from sessions`
    const shopper = new Shopper(shop, 'forty')
    await shopper.add('MUG')
    await times(39, () => shopper.add('MUG'))
    expect(await carts()).toEqual(['40 mugs'])
  })

  it('F18 at S1: presses of one visitor that two processes answer at once all count', async () => {
    await shop.db.sql`delete from sessions`
    const shopper = new Shopper(shop, 'both')
    await shopper.add('MUG')
    const other = elsewhere(shopper)
    await times(10, (nr) => (nr % 2 === 0 ? shopper : other).add('MUG'))
    expect(await carts()).toEqual(['11 mugs'])
  })
})
