import type { SetupTokensInput } from '#contract/payments/vault.ts'
import { urls } from '#contract/shared/urls.ts'
import type { Customer } from '#tests/support/customers/customer.ts'
import type { TestShop } from '#tests/support/shop.ts'

/** Customers may keep their wallet and their cards. */
export const keepingSettings = { paypal: { keep: true, cards: { enabled: true, keep: true } } }

/** Calls a payment route as the page's script does. */
export async function callRoute(
  visitor: Pick<Customer, 'send' | 'nonce'>,
  route: string,
  body: object | null,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await visitor.send(urls.paypalRest(route), {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json', 'x-wp-nonce': visitor.nonce('wp_rest') },
    body: body && JSON.stringify(body),
  })
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  return { status: response.status, body: isJson ? ((await response.json()) as Record<string, unknown>) : {} }
}

/** Begins to save a way to pay. @returns the setup token */
export async function startMethodSetup(
  visitor: Pick<Customer, 'send' | 'nonce'>,
  input: SetupTokensInput = { payment_method: 'ppcp', context: 'add_payment_method' },
): Promise<string> {
  const { status, body } = await callRoute(visitor, 'vault/setup-tokens', input)
  if (status !== 200) throw new Error(`nothing is begun: ${JSON.stringify(body)}`)
  return String(body.id)
}

/** The buyer agrees on the wallet's page. @returns where the wallet leads back to */
export async function agree(
  { emulator }: TestShop,
  setupToken: string,
  email = 'buyer@emulator.test',
): Promise<string> {
  let place = ''
  for (const step of ['login', 'agree']) {
    const response = await fetch(`${emulator?.url}/checkoutnow`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ token: setupToken, login_email: email, step, mode: 'redirect' }),
    })
    if (response.status !== 303) throw new Error(`the wallet answered ${response.status} to ${step}`)
    place = response.headers.get('location') ?? ''
  }
  return place
}
