import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { systemNetwork } from '#server/operations/startup/environment.ts'
import { keysIn, submitCart, viewCart } from '#tests/support/cart/cart.ts'
import { amountsIn, chooseCurrency, totalIn } from '#tests/support/currency/currencies.ts'
import { orderOf, theSale } from '#tests/support/payments/bookkeeping.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

const nothingListens = 'http://127.0.0.1:9'
/** Nobody waits longer for a page, and far less than for a provider that says nothing. */
const patienceMs = 3_000

/** What becomes of calls to the provider. */
type Provider = 'answers' | 'refuses' | 'says nothing'

type AwayShop = TestShop & {
  provider: Provider
  /** Calls that came to nothing. */
  readonly inVain: string[]
}

async function anAwayShop(provider: Provider): Promise<AwayShop> {
  const network = systemNetwork(['127.0.0.1'])
  const inVain: string[] = []
  let away: AwayShop | null = null
  const shop = await aShop({
    settings: {
      languages: [{ tag: 'de-DE' }],
      currencies: [{ code: 'EUR', rate: '0.9' }],
      exchange: { checkoutInShown: true },
    },
    environment: {
      network: {
        fetch(url, init) {
          const base = away?.emulator?.url ?? nothingListens
          if (away?.provider === 'answers' || !String(url).startsWith(base)) return network.fetch(url, init)
          inVain.push(String(url))
          if (away?.provider === 'refuses') return network.fetch(String(url).replace(base, nothingListens), init)
          return new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(new Error('aborted'))))
        },
      },
    },
  })
  await shop.db.sql`insert into coupons (code, type, amount_minor, settings) values ('five', 'fixed_cart', 500, '{}')`
  away = { ...shop, provider, inVain }
  return away
}

/** Gives what a shopper does, as long as it takes no longer than one would wait. */
async function soon<Result>(what: string, doing: Promise<Result>): Promise<Result> {
  const began = performance.now()
  const result = await doing
  expect(performance.now() - began, what).toBeLessThan(patienceMs)
  return result
}

/** Reads the shop in German and euros, fills and changes the cart, and has it delivered. @returns the order's id */
async function buyOnDelivery(shopper: Shopper): Promise<number> {
  await soon('choosing euros', chooseCurrency(shopper, 'EUR'))
  const product = await soon('a product', shopper.page(`/de${urls.product('plain-mug')}`))
  expect(product).toContain('lang="de')
  expect(amountsIn(product)[0]).toBe('10,80\u00a0€')
  expect(await soon('the shop', shopper.page(`/de${urls.shop()}`))).toContain('Plain mug')
  expect(await soon('the search', shopper.page('/de/?s=mug&post_type=product'))).toContain('Plain mug')

  await soon('adding', shopper.add('MUG'))
  const [key = ''] = keysIn((await viewCart(shopper)).html)
  const fuller = await soon('a quantity', submitCart(shopper, { update_cart: '1', [`cart[${key}][qty]`]: '2' }))
  expect(fuller.lines).toEqual(['Plain mug × 2'])
  const cheaper = await soon('a coupon', submitCart(shopper, { apply_coupon: '1', coupon_code: 'five' }))
  expect(cheaper.coupons).toEqual(['five'])
  // 24.00 − 5.00, tax 1.38, shipping 6.90, of which nine tenths.
  const total = '24,55\u00a0€'
  expect(totalIn((await soon('the cart', viewCart(shopper, '/de/cart/'))).html)).toBe(total)

  expect(totalIn(await soon('the checkout', shopper.page(`/de${urls.checkout()}`)))).toBe(total)
  await soon('the checkout in its own language', shopper.openCheckout())
  const placed = await soon('the order', shopper.placeOrder('cod'))
  expect(placed).toMatchObject({ result: 'success' })
  expect(await soon('the confirmation', shopper.page(placed.redirect ?? ''))).toContain('Plain mug')
  return placed.order_id ?? 0
}

const ways = ['refuses', 'says nothing'] as const

// A shop for each: one that has met such a provider leaves it in peace for a while.
describe.each(ways)('a shop whose payment provider cannot be reached: it %s', (how) => {
  let shop: AwayShop
  beforeAll(async () => {
    shop = await anAwayShop(how)
  })
  afterAll(() => shop?.close())

  it('P6 is read in another language and currency, fills carts and sells on delivery without a word to it', async () => {
    const orderId = await buyOnDelivery(new Shopper(shop, 'reader'))
    expect(shop.inVain).toEqual([])
    const ordered = { status: 'processing', payment_method: 'cod', currency: 'EUR', total: 2455 }
    expect(await orderOf(shop, orderId)).toMatchObject(ordered)
    await theSale({ ...shop, paypal: null }, orderId)
  })

  it('P6 holds up nobody who was on the way to it and has it delivered instead', async () => {
    shop.provider = 'answers'
    const shopper = new Shopper(shop, 'undecided')
    const { walletOrderId } = await shopper.startToPay('MUG')
    await shopper.approve(walletOrderId)
    shop.provider = how
    await soon('adding', shopper.add('BOWL'))
    const [mug = '', bowl = ''] = keysIn((await soon('the cart', viewCart(shopper))).html)
    const changed = { [`cart[${mug}][qty]`]: '2', [`cart[${bowl}][qty]`]: '0' }
    const cart = await soon('a quantity', submitCart(shopper, { update_cart: '1', ...changed }))
    expect(cart.lines).toEqual(['Plain mug × 2'])
    await soon('the checkout', shopper.openCheckout())
    const placed = await soon('the order', shopper.placeOrder('cod'))
    expect(placed).toMatchObject({ result: 'success' })
    await theSale({ ...shop, paypal: null }, placed.order_id ?? 0)
  })
})
