import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { aGuest, type Guest } from '#tests/security/support/guest.ts'
import type { TestShop } from '#tests/support/shop.ts'

export const goodPassword = 'tangerine-otter-41'

/** A visitor by plain requests who can open an account and log in, as the forms of the shop would. */
export type Customer = Guest & {
  readonly email: string
  register(): Promise<Response>
  logIn(fields?: Record<string, string>): Promise<Response>
  logOut(): Promise<Response>
  /** Product names in the cart, with their pieces. */
  cart(): Promise<string[]>
  page(path: string): Promise<string>
}

export function aCustomer(shop: TestShop, email = 'ada@example.test'): Customer {
  const guest = aGuest(shop)
  const page = async (path: string) => (await guest.send(path, { headers: { accept: 'text/html' } })).text()
  return Object.defineProperties(
    {
      ...guest,
      email,
      page,
      register: () =>
        guest.post('/my-account/', {
          email,
          password: goodPassword,
          register: 'Register',
          'woocommerce-register-nonce': guest.nonce('woocommerce-register'),
        }),
      logIn: (fields: Record<string, string> = {}) =>
        guest.post('/my-account/', {
          username: email,
          password: goodPassword,
          login: 'Log in',
          'woocommerce-login-nonce': guest.nonce('woocommerce-login'),
          ...fields,
        }),
      logOut: () => guest.send(`/my-account/customer-logout/?_wpnonce=${guest.nonce('customer-logout')}`),
      async cart() {
        const html = await page('/cart/')
        const rows = html.match(/<tr[^>]*\bcart_item\b.*?<\/tr>/gs) ?? []
        return rows.map((row) => {
          const name = /<td[^>]*product-name.*?<a[^>]*>([^<]+)</s.exec(row)?.[1]
          const field = /<input[^>]*name="cart\[[^>]*>/.exec(row)?.[0] ?? ''
          const pieces = / value="(\d+)"/.exec(field)?.[1] ?? '1'
          return `${pieces} ${name}`
        })
      },
    } as Customer,
    { sessionId: { get: () => guest.sessionId }, cookies: { get: () => guest.cookies } },
  )
}

/** The link in the message that the shop has written last to an address; waits until there is one. */
export async function mailedLink(shop: TestShop, email: string, subject: RegExp): Promise<string> {
  const message = await mailTo(shop, email, subject)
  const link = /https?:\/\/[^\s"<]*\/my-account\/[^\s"<]*/.exec(message)?.[0]
  if (!link) throw new Error(`there is no link in: ${message}`)
  return link.replaceAll('&amp;', '&').slice(shop.url.length)
}

export async function mailTo(shop: TestShop, email: string, subject: RegExp): Promise<string> {
  const outbox = join(shop.dataDir, 'outbox')
  for (let tries = 0; tries < 150; tries += 1) {
    const files = await readdir(outbox).catch(() => [])
    for (const file of files.filter((name) => name.endsWith('.eml'))) {
      const text = (await readFile(join(outbox, file), 'utf8')).replace(/=\n/g, '').replace(/=3D/g, '=')
      if (text.includes(`To: ${email}`) && subject.test(text)) return text
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`no message to ${email} about ${subject}`)
}
