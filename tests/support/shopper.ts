import { walletMethodId, walletOrderField } from '#contract/payments/constants.ts'
import { urls } from '#contract/shared/urls.ts'
import type { TestWorld } from './process/process.ts'

export type CheckoutAnswer = {
  result: 'success' | 'failure'
  redirect?: string
  order_id?: number
  messages?: string
  code?: string
}

const address = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  company: '',
  country: 'US',
  address_1: '1 Main Street',
  address_2: '',
  city: 'San Jose',
  state: 'CA',
  postcode: '95131',
  phone: '4085550100',
}

/** What a shopper needs of a shop: how to reach it, where that is not by the network, and who knows its products and its provider. */
export type VisitedWorld = Pick<TestWorld, 'url' | 'idOf' | 'emulate'> & { readonly fetch?: typeof fetch }

/** Somebody who buys, by the requests that their browser would send. Not in step with it: what is sent twice is sent twice. */
export class Shopper {
  readonly email: string
  readonly #world: VisitedWorld
  readonly #cookies = new Map<string, string>()
  /** Every nonce that a page has shown, by its field's name. */
  #nonces: Record<string, string> = {}
  /** The press that the checkout's page was made for. */
  #intention = ''

  readonly #from: string | undefined

  /** @param from the address of the visitor's network, for a shop behind a proxy that names it */
  constructor(world: VisitedWorld, name = 'ada', from?: string) {
    this.#world = world
    this.#from = from
    this.email = `${name}@example.test`
  }

  async request(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    headers.set('cookie', [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    headers.set('origin', this.#world.url)
    if (this.#from) headers.set('x-forwarded-for', this.#from)
    const send = this.#world.fetch ?? fetch
    const response = await send(new URL(path, this.#world.url), { redirect: 'manual', ...init, headers })
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      const at = pair.indexOf('=')
      this.#cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return response
  }

  /** Takes cookies that a page's script would have set. */
  takeCookies(cookies: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(cookies)) this.#cookies.set(name, value)
  }

  cookie(name: string): string | undefined {
    return this.#cookies.get(name)
  }

  post(path: string, fields: Readonly<Record<string, string>>, headers: Record<string, string> = {}) {
    return this.request(path, { method: 'POST', body: new URLSearchParams(fields), headers })
  }

  /** A payment route, called as the page's script calls it: with a nonce that it has fetched before. */
  async rest(
    route: string,
    body: object = {},
    method: 'GET' | 'POST' = 'POST',
    signal: AbortSignal | null = null,
  ): Promise<Response> {
    const headers = { 'content-type': 'application/json' }
    const refreshed = await this.request(urls.paypalRest('cart/refresh'), {
      method: 'POST',
      headers,
      body: JSON.stringify({ page: 'cart' }),
    })
    const { nonce } = (await refreshed.json()) as { nonce: string }
    return this.request(urls.paypalRest(route), {
      method,
      signal,
      headers: { ...headers, 'x-wp-nonce': nonce },
      ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
    })
  }

  /** The same visitor in another tab, at another process of the shop too: one cookie jar as it is now. */
  anotherTab(world: VisitedWorld = this.#world): Shopper {
    const tab = new Shopper(world, this.email.split('@')[0], this.#from)
    for (const [name, value] of this.#cookies) tab.#cookies.set(name, value)
    tab.#nonces = this.#nonces
    return tab
  }

  async add(sku: string, quantity = 1): Promise<void> {
    const product = String(await this.#world.idOf(sku))
    const response = await this.post(urls.wcAjax('add_to_cart'), { product_id: product, quantity: String(quantity) })
    const answer = (await response.json()) as { error?: boolean }
    if (answer.error) throw new Error(`the shop does not sell ${quantity} of ${sku}`)
  }

  /** Looks at the checkout, which gives the nonces. */
  async openCheckout(): Promise<string> {
    const html = await (await this.request(urls.checkout())).text()
    for (const [, name = '', value = ''] of html.matchAll(/name="([\w-]+nonce)" value="([0-9a-f]{10})"/g)) {
      this.#nonces[name] = value
    }
    this.#intention = /name="intention" value="([^"]*)"/.exec(html)?.[1] ?? this.#intention
    return html
  }

  /** Presses "place order" on the page as it stands, for the first time or again after no answer: one press, one order. */
  placeNamed(method: string): Promise<CheckoutAnswer> {
    return this.#place({ ...this.form(method), intention: this.#intention })
  }

  form(method: string): Record<string, string> {
    const billing = Object.entries(address).map(([key, value]) => [`billing_${key}`, value])
    return {
      ...Object.fromEntries(billing),
      billing_email: this.email,
      payment_method: method,
      terms: '1',
      'terms-field': '1',
      ...this.#nonces,
    }
  }

  /** Presses "place order": by wallet it gives the way to the provider, or to the confirmation once it was approved. */
  async placeOrder(method: string = walletMethodId, approvedId?: string): Promise<CheckoutAnswer> {
    const approved = approvedId ? { [walletOrderField]: approvedId } : {}
    return this.#place({ ...this.form(method), ...approved })
  }

  async #place(form: Readonly<Record<string, string>>): Promise<CheckoutAnswer> {
    const response = await this.post(urls.wcAjax('checkout'), form)
    if (response.status >= 500) throw new Error(`the checkout answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as CheckoutAnswer
  }

  /** Fills the cart, orders and is sent to the wallet. */
  async startToPay(sku = 'MUG', quantity = 1): Promise<{ orderId: number; walletOrderId: string }> {
    await this.add(sku, quantity)
    await this.openCheckout()
    return startedOf(await this.placeOrder())
  }

  /** Pays from the cart, by form and redirect: the wallet is asked for the address. */
  async startExpress(sku = 'MUG', quantity = 1): Promise<{ walletOrderId: string }> {
    await this.add(sku, quantity)
    const response = await this.post(urls.walletStart(), {})
    const place = response.headers.get('location') ?? ''
    const walletOrderId = new URL(place, 'http://nowhere.test').searchParams.get('token')
    if (!walletOrderId) throw new Error(`the shop sent the shopper to ${place} instead of the wallet`)
    return { walletOrderId }
  }

  async approve(walletOrderId: string, buyer = 'buyer'): Promise<void> {
    const answer = (await this.#world.emulate(`/orders/${walletOrderId}/approve`, { buyer })) as { error?: string }
    if (answer.error) throw new Error(`the wallet order ${walletOrderId} is not approved: ${answer.error}`)
  }

  /** Comes back from the provider. @returns where the shop sends the shopper */
  async returnFromWallet(walletOrderId: string): Promise<string> {
    const response = await this.request(`${urls.walletReturn()}?token=${walletOrderId}&PayerID=X`)
    if (response.status !== 303) throw new Error(`the return answered ${response.status}: ${await response.text()}`)
    return response.headers.get('location') ?? ''
  }

  async page(path: string): Promise<string> {
    return (await this.request(path)).text()
  }

  /** What the cart holds, as the shop's own script would learn it. */
  async pieces(): Promise<number> {
    const page = await this.page(urls.cart())
    return page.match(/class="[^"]*\bcart_item\b/g)?.length ?? 0
  }
}

export function startedOf(answer: CheckoutAnswer): { orderId: number; walletOrderId: string } {
  const walletOrderId = new URL(answer.redirect ?? '', 'http://nowhere.test').searchParams.get('token')
  if (answer.result !== 'success' || !answer.order_id || !walletOrderId) {
    throw new Error(`the shop did not send the shopper to the wallet: ${JSON.stringify(answer)}`)
  }
  return { orderId: answer.order_id, walletOrderId }
}

/** What the checkout says beside its button, in minor units of two places; null where it says nothing. */
export function checkoutTotal(html: string): number | null {
  const row = /class="order-total".*?<\/tr>/s.exec(html)?.[0] ?? ''
  const digits = /([\d,]+\.\d\d)/.exec(row.replace(/<[^>]*>/g, ''))?.[1]
  return digits ? Math.round(Number(digits.replace(/,/g, '')) * 100) : null
}
