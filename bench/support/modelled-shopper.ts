import type { Answer, Asked, LeanClient } from './lean-client.ts'
import { billing } from './shoppers.ts'

export type ShopToVisit = {
  readonly url: string
  /** Left out: nobody pays by wallet. */
  readonly emulatorUrl?: string
}

/** What can be bought, as a listing shows it. */
export type Shelf = {
  readonly ids: readonly string[]
  readonly products: readonly string[]
  /** Addresses of listings. */
  readonly listings: readonly string[]
}

export type Step =
  | 'home'
  | 'listing'
  | 'product'
  | 'add to cart'
  | 'cart'
  | 'checkout'
  | 'order'
  | 'wallet: open'
  | 'wallet: pay'
  | 'confirmation'

export type StepReport = (step: Step, ms: number) => void

/** The shop has told a visitor to come again. */
export class RequestShed extends Error {
  readonly retryAfterMs: number
  /** How long that took. */
  readonly ms: number
  constructor(step: string, answer: Answer) {
    super(`${step}: the shop is busy`)
    this.ms = answer.ms
    this.retryAfterMs = Number(answer.headers['retry-after'] ?? Number.NaN) * 1000
  }
}

let visitors = 0

/** Somebody with a browser: cookies, an address of their own, and what the last page has told. */
export class ModelledShopper {
  readonly #shop: ShopToVisit
  readonly #client: LeanClient
  readonly #told: StepReport
  readonly #nr = ++visitors
  #cookies = ''
  #restNonce = ''
  #checkoutNonce = ''

  constructor(shop: ShopToVisit, client: LeanClient, told: StepReport = () => {}) {
    this.#shop = shop
    this.#client = client
    this.#told = told
  }

  /** @throws RequestShed, or whatever else kept the page from coming */
  async look(step: Step, path: string): Promise<string> {
    return (await this.#ask(step, path, {}, 200)).body
  }

  async add(id: string): Promise<void> {
    const { body } = await this.#post('add to cart', '/?wc-ajax=add_to_cart', { product_id: id, quantity: '1' })
    if (body.includes('"error":true')) throw new Error(`${id} was not put into the cart`)
  }

  async openCheckout(): Promise<void> {
    const page = await this.look('checkout', '/checkout/')
    this.#restNonce = found(page, /"restNonce":"(\w+)"/)
    this.#checkoutNonce = found(page, /name="woocommerce-process-checkout-nonce"[^>]* value="(\w+)"/)
  }

  /** Orders by cash on delivery. @returns where the confirmation is */
  async order(): Promise<string> {
    const { body } = await this.#post('order', '/?wc-ajax=checkout', this.#form('cod'))
    return confirmationIn(body)
  }

  /** Pays as the wallet's button does. @returns where the confirmation is */
  async payByWallet(): Promise<string> {
    const walletOrder = JSON.parse((await this.#rest('wallet: open', 'cart/order', {})).body)
    const approved = await this.#client.ask(
      new URL(`${this.#shop.emulatorUrl}/__emulator/orders/${walletOrder}/approve`),
      { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' },
    )
    if (approved.status !== 200) throw new Error(`the approval answered ${approved.status}: ${approved.body}`)
    return confirmationIn(
      (await this.#rest('wallet: pay', 'cart/checkout', { ppcp_paypal_order_id: walletOrder })).body,
    )
  }

  #form(method: string): Record<string, string> {
    return {
      ...billing,
      billing_email: `ada-${this.#nr}@example.test`,
      payment_method: method,
      terms: '1',
      'terms-field': '1',
      'woocommerce-process-checkout-nonce': this.#checkoutNonce,
    }
  }

  #post(step: Step, path: string, fields: Record<string, string>): Promise<Answer> {
    const body = new URLSearchParams(fields).toString()
    return this.#ask(
      step,
      path,
      { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body },
      200,
    )
  }

  #rest(step: Step, route: string, fields: object): Promise<Answer> {
    const body = JSON.stringify({ ...this.#form('ppcp'), context: 'checkout', ...fields })
    const headers = { 'content-type': 'application/json', 'x-wp-nonce': this.#restNonce }
    return this.#ask(step, `/wp-json/wc-ppcp/v1/${route}`, { method: 'POST', headers, body }, 200)
  }

  async #ask(step: Step, path: string, asked: Asked, wanted: number): Promise<Answer> {
    const answer = await this.#client.ask(new URL(path, this.#shop.url), {
      ...asked,
      headers: {
        ...asked.headers,
        accept: asked.method === 'POST' ? '*/*' : 'text/html,*/*;q=0.8',
        'x-forwarded-for': `10.${(this.#nr >> 16) & 255}.${(this.#nr >> 8) & 255}.${this.#nr & 255}`,
        ...(this.#cookies ? { cookie: this.#cookies } : {}),
      },
    })
    this.#keep(answer.headers['set-cookie'])
    if (answer.status === 503) throw new RequestShed(step, answer)
    if (answer.status !== wanted)
      throw new Error(
        `${step} answered ${answer.status}: ${answer.body.slice(0, 200)} ${answer.headers.location ?? ''}`,
      )
    this.#told(step, answer.ms)
    return answer
  }

  #keep(fresh: readonly string[] | undefined): void {
    if (!fresh) return
    const jar = new Map(this.#cookies.split('; ').map((pair) => [pair.slice(0, pair.indexOf('=')), pair]))
    for (const cookie of fresh) {
      const pair = cookie.split(';', 1)[0] ?? ''
      jar.set(pair.slice(0, pair.indexOf('=')), pair)
    }
    jar.delete('')
    this.#cookies = [...jar.values()].join('; ')
  }
}

export async function shelfOf({ url }: ShopToVisit, client: LeanClient): Promise<Shelf> {
  const paths = ['/shop/', '/shop/page/2/']
  const answers = await Promise.all(paths.map((path) => client.ask(new URL(path, url))))
  const listings = paths.filter((_, nr) => answers[nr]?.status === 200)
  const all = answers.map(({ body }) => body).join('')
  const ids = [...new Set([...all.matchAll(/ajax_add_to_cart[^>]*data-product_id="(\d+)"/g)].map(([, id = '']) => id))]
  const products = [
    ...new Set([...all.matchAll(/href="(?:http:\/\/[^/"]+)?(\/product\/[^"]+)"/g)].map(([, p = '']) => p)),
  ]
  if (ids.length === 0 || products.length === 0) throw new Error(`${url}/shop/ shows nothing that can be bought`)
  return { ids, products, listings }
}

function confirmationIn(body: string): string {
  const place = /"redirect":\s*"([^"]*order-received[^"]*)"/.exec(body)?.[1]
  if (!place) throw new Error(`not ordered: ${body.slice(0, 300)}`)
  const { pathname, search } = new URL(place.replaceAll('\\/', '/'), 'http://shop.test')
  return pathname + search
}

function found(page: string, pattern: RegExp): string {
  const match = pattern.exec(page)?.[1]
  if (!match) throw new Error(`the page has no ${pattern}`)
  return match
}
