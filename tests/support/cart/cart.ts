import type { Shopper } from '#tests/support/shopper.ts'

/** A cart page as a shopper reads it. */
export type CartView = {
  readonly html: string
  /** Product name and quantity of each line. */
  readonly lines: readonly string[]
  readonly total: string | null
  readonly errors: readonly string[]
  readonly done: readonly string[]
  readonly infos: readonly string[]
  /** Codes of the coupons on the cart. */
  readonly coupons: readonly string[]
  readonly isEmpty: boolean
}

export async function viewCart(shopper: Shopper, path = '/cart/'): Promise<CartView> {
  const response = await shopper.request(path)
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}`)
  return cartIn(await response.text())
}

export function cartIn(html: string): CartView {
  const all = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, text = '']) => plain(text))
  const rows = [...html.matchAll(/<tr class="[^"]*\bcart_item\b.*?<\/tr>/gs)].map(([row]) => {
    const name = /class="product-name".*?<a[^>]*>(.*?)<\/a>/s.exec(row)?.[1] ?? ''
    const quantity = /name="cart\[\w+\]\[qty\]" value="(\d+)"|value="(\d+)"[^>]*name="cart/.exec(row)
    return `${plain(name)} × ${quantity?.[1] ?? quantity?.[2] ?? '?'}`
  })
  const errors = all(/<ul class="woocommerce-error"[^>]*>(.*?)<\/ul>/gs)
  return {
    html,
    lines: rows,
    total: all(/class="order-total".*?<strong>(.*?)<\/strong>/gs)[0] ?? null,
    errors: errors.length > 0 ? all(/<li[^>]*>(.*?)<\/li>/gs).filter((text) => errors.join('\n').includes(text)) : [],
    done: all(/<div class="woocommerce-message"[^>]*>(.*?)<\/div>/gs),
    infos: all(/<div class="woocommerce-info"[^>]*>(.*?)<\/div>/gs),
    coupons: all(/data-coupon="([^"]*)"/g),
    isEmpty: html.includes('wc-empty-cart-message'),
  }
}

/** Key of each line, in the order of the cart. */
export function keysIn(html: string): string[] {
  return [...html.matchAll(/name="cart\[(\w+)\]\[qty\]"/g)].map(([, key = '']) => key)
}

/** Posts the cart's form as the page that was looked at holds it, with changes, and gives the page that follows. */
export async function submitCart(shopper: Shopper, fields: Readonly<Record<string, string>>): Promise<CartView> {
  const { html } = await viewCart(shopper)
  const nonce = (name: string) => new RegExp(`name="${name}" value="([0-9a-f]{10})"`).exec(html)?.[1] ?? ''
  const names = ['woocommerce-cart-nonce', 'woocommerce-shipping-calculator-nonce']
  const nonces = Object.fromEntries(names.map((name) => [name, nonce(name)]))
  const response = await shopper.post('/cart/', { ...nonces, _wp_http_referer: '/cart/', ...fields })
  if (response.status !== 303) throw new Error(`the cart answered ${response.status}: ${await response.text()}`)
  return viewCart(shopper, response.headers.get('location') ?? '')
}

/** Presses the cross of a line. */
export function removeLink(html: string, name: string): string {
  const link = new RegExp(`<a href="([^"]*remove_item=[^"]*)"[^>]*aria-label="Remove ${name} from cart"`).exec(html)
  if (!link) throw new Error(`no cross for ${name}`)
  return decoded(link[1] ?? '')
}

export function undoLink(html: string): string | null {
  const link = /<a href="([^"]*undo_item=[^"]*)"/.exec(html)
  return link ? decoded(link[1] ?? '') : null
}

/** Follows a link that changes the cart, to the page that comes after it. */
export async function follow(shopper: Shopper, link: string): Promise<CartView> {
  const response = await shopper.request(link)
  return viewCart(shopper, response.headers.get('location') ?? link)
}

function plain(html: string): string {
  return decoded(html.replace(/<[^>]*>/g, '')).trim()
}

const entities = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'", '&#039;': "'", '&amp;': '&' } as const

/** Text of markup without elements. */
export function decoded(text: string): string {
  return Object.entries(entities).reduce((so, [entity, character]) => so.replaceAll(entity, character), text)
}
