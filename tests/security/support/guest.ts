import { nonceFor } from '#server/http/security/nonce.ts'
import { sha256 } from '#shop/shared/digest.ts'
import type { TestShop } from '#tests/support/shop.ts'

export type Sent = { method?: string; headers?: Record<string, string>; body?: BodyInit | null }

/** A visitor by plain requests: keeps cookies, follows nothing. */
export type Guest = {
  send(path: string, sent?: Sent): Promise<Response>
  /** Posts a form as the shop's own scripts do. */
  post(path: string, fields?: Record<string, string>): Promise<Response>
  /** Puts a product into the cart by its SKU. */
  add(sku: string): Promise<void>
  readonly cookies: ReadonlyMap<string, string>
  /** As the database knows it; '' without a session. */
  readonly sessionId: string
  nonce(action: string): string
}

export function aGuest(shop: TestShop): Guest {
  const jar = new Map<string, string>()
  const { application } = shop.shop
  const sessionId = () => {
    const token = jar.get(application.sessionCookie)
    return token ? sha256(token) : ''
  }
  const guest: Guest = {
    cookies: jar,
    get sessionId() {
      return sessionId()
    },
    nonce: (action) => nonceFor(application.secret, action, sessionId(), application.tools.clock.now()),
    async send(path, { method = 'GET', headers = {}, body = null } = {}) {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await fetch(shop.url + path, {
        method,
        redirect: 'manual',
        body,
        headers: { ...(cookie ? { cookie } : {}), ...headers },
      })
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (value === '') jar.delete(name)
        else jar.set(name, value)
      }
      return response
    },
    post: (path, fields = {}) => guest.send(path, { method: 'POST', body: new URLSearchParams(fields) }),
    async add(sku) {
      const response = await guest.post('/?wc-ajax=add_to_cart', { product_id: String(await shop.idOf(sku)) })
      const answer = (await response.json()) as { error?: boolean }
      if (answer.error) throw new Error(`${sku} could not be added`)
    },
  }
  return guest
}
