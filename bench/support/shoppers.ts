import type { BenchShop } from './bench-shop.ts'
import { leanClient } from './lean-client.ts'

type Cart = {
  readonly cookie: string
  readonly restNonce: string
  readonly checkoutNonce: string
}

/** Where everybody lives. */
export const billing = {
  billing_first_name: 'Ada',
  billing_last_name: 'Byron',
  billing_country: 'US',
  billing_address_1: '1 Main Street',
  billing_city: 'San Jose',
  billing_state: 'CA',
  billing_postcode: '95131',
  billing_phone: '4085551234',
}
const form = { ...billing, billing_email: 'ada@example.test' }

const client = leanClient()
const formType = { 'content-type': 'application/x-www-form-urlencoded' }

/** A visitor with one product in the cart who has opened the checkout. */
export async function atCheckout({ url }: Pick<BenchShop, 'url'>, productId: number): Promise<Cart> {
  const added = await client.ask(new URL(`${url}/?wc-ajax=add_to_cart`), {
    method: 'POST',
    headers: formType,
    body: String(new URLSearchParams({ product_id: String(productId), quantity: '1' })),
  })
  const cookie = (added.headers['set-cookie'] ?? []).map((it) => it.split(';')[0]).join('; ')
  const { body: page } = await client.ask(new URL(`${url}/checkout/`), { headers: { cookie } })
  return {
    cookie,
    restNonce: found(page, /"restNonce":"(\w+)"/),
    checkoutNonce: found(page, /name="woocommerce-process-checkout-nonce"[^>]* value="(\w+)"/),
  }
}

/** Pays with the wallet as the button does: opens the wallet order, the buyer approves, the shop takes the money. */
export async function payByWallet(shop: Pick<BenchShop, 'url' | 'emulatorUrl'>, cart: Cart): Promise<void> {
  const send = async (path: string, fields: object): Promise<unknown> => {
    const { status, body } = await client.ask(new URL(`${shop.url}/wp-json/wc-ppcp/v1/${path}`), {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: cart.cookie, 'x-wp-nonce': cart.restNonce },
      body: JSON.stringify({
        ...form,
        payment_method: 'ppcp',
        'woocommerce-process-checkout-nonce': cart.checkoutNonce,
        context: 'checkout',
        ...fields,
      }),
    })
    if (status !== 200) throw new Error(`${path} answered ${status}: ${body.slice(0, 300)}`)
    return JSON.parse(body)
  }
  const walletOrderId = String(await send('cart/order', {}))
  const approved = await client.ask(new URL(`${shop.emulatorUrl}/__emulator/orders/${walletOrderId}/approve`), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  if (approved.status >= 300) throw new Error(`the approval answered ${approved.status}: ${approved.body}`)
  const done = await send('cart/checkout', { ppcp_paypal_order_id: walletOrderId })
  if (!JSON.stringify(done).includes('order-received')) throw new Error(`not paid: ${JSON.stringify(done)}`)
}

/** Orders with cash on delivery, by the checkout's own call. */
export async function orderOnDelivery({ url }: Pick<BenchShop, 'url'>, cart: Cart): Promise<void> {
  const { body: text } = await client.ask(new URL(`${url}/?wc-ajax=checkout`), {
    method: 'POST',
    headers: { ...formType, cookie: cart.cookie },
    body: String(
      new URLSearchParams({
        ...form,
        payment_method: 'cod',
        'woocommerce-process-checkout-nonce': cart.checkoutNonce,
      }),
    ),
  })
  if (!text.includes('order-received')) throw new Error(`not ordered: ${text.slice(0, 300)}`)
}

/** Runs `count` tasks, `atOnce` of them at a time. @returns how long all took, in seconds */
export async function inParallel(count: number, atOnce: number, task: (nr: number) => Promise<void>): Promise<number> {
  let next = 0
  const began = performance.now()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < count) await task(next++)
    }),
  )
  return (performance.now() - began) / 1000
}

function found(page: string, pattern: RegExp): string {
  const match = pattern.exec(page)?.[1]
  if (!match) throw new Error(`the page has no ${pattern}`)
  return match
}
