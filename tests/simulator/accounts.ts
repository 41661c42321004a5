import { goodPassword } from '#tests/support/customers/customer.ts'
import { Shopper } from '../support/shopper.ts'
import { again, type Visit } from './visit.ts'

const account = '/my-account/'

/** Somebody with a full cart logs in, or opens an account where there is none under this address: the cart comes along. */
export async function logIn(visit: Visit): Promise<void> {
  const { street, shopper } = visit
  const before = await again(street, () => shopper.pieces())
  visit.hasAccount = await entersAccount(visit)
  if (!visit.hasAccount) return
  const after = await again(street, () => shopper.pieces())
  if (before > 0 && after === 0) street.tally.violated('F23', null, `${shopper.email} logged in and lost the cart`)
}

/** The same customer goes on in another browser, which the cart follows. */
export async function sitsDownElsewhere(visit: Visit, name: string, from: string): Promise<void> {
  const { street } = visit
  const before = visit.shopper
  visit.shopper = new Shopper(street.world, name, from)
  if (!(await entersAccount(visit)) || (await again(street, () => visit.shopper.pieces())) === 0) {
    visit.shopper = before
    return
  }
  // Both have the cart before them: what the other one shows is not what this visit ends with.
  visit.strayed = true
  street.tally.count('move: goes on in another browser')
}

/** @returns whether the shopper is logged in now */
async function entersAccount({ street, shopper }: Visit): Promise<boolean> {
  const { tally } = street
  const fields = { username: shopper.email, password: goodPassword, login: 'Log in' }
  if (await send(fields, 'login')) {
    tally.count('move: logs in')
    return true
  }
  const opened = await send({ email: shopper.email, password: goodPassword, register: 'Register' }, 'register')
  if (opened) tally.count('move: opens an account')
  return opened

  async function send(form: Readonly<Record<string, string>>, which: 'login' | 'register'): Promise<boolean> {
    return again(street, async () => {
      const field = `woocommerce-${which}-nonce`
      const html = await pageOf(shopper)
      if (isLoggedIn(html)) return true
      const nonce = new RegExp(`name="${field}" value="([0-9a-f]{10})"`).exec(html)?.[1] ?? ''
      const response = await shopper.post(account, { ...form, [field]: nonce })
      if (response.status >= 500) throw new Error(`the shop answered ${response.status}`)
      return isLoggedIn(await pageOf(shopper))
    })
  }
}

async function pageOf(shopper: Shopper): Promise<string> {
  const response = await shopper.request(account)
  if (response.status >= 500) throw new Error(`the shop answered ${response.status}`)
  return response.text()
}

const isLoggedIn = (html: string) => html.includes('customer-logout')
