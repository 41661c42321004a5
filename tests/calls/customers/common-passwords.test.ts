import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aGuest } from '#tests/security/support/guest.ts'
import { aCustomer, goodPassword, mailedLink } from '#tests/support/customers/customer.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

const stolen = 'violin-glacier-93'
const common = 'Corvette'
const folder = mkdtempSync(join(tmpdir(), 'vitrine-breached-'))
const breachedPasswords = join(folder, 'pwned.txt')

let shop: TestShop
beforeAll(async () => {
  const digests = [stolen, 'one other', 'a third'].map((word) => createHash('sha1').update(word).digest('hex'))
  writeFileSync(
    breachedPasswords,
    digests
      .map((digest) => `${digest.toUpperCase()}:7\r\n`)
      .toSorted()
      .join(''),
  )
  shop = await aShop({ wallet: false, breachedPasswords })
})
afterAll(async () => {
  await shop?.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => shop.db.sql`delete from rate_limits`)

let count = 0
const nextAddress = () => `ada${++count}@example.test`

const words = 'on lists that attackers try first'

const known = [
  ['a common password', common],
  ['one out of a breach', stolen],
] as const

describe.each(known)('T32 %s is refused in words', (_, password) => {
  it('where an account is opened', async () => {
    const guest = aGuest(shop)
    const answer = await guest.post('/my-account/', {
      email: 'new@example.test',
      password,
      register: '1',
      'woocommerce-register-nonce': guest.nonce('woocommerce-register'),
    })
    expect(await answer.text()).toContain(words)
    expect(await shop.db.sql`select 1 from customers where email = 'new@example.test'`).toHaveLength(0)
  })

  it('where it comes with an order', async () => {
    const shopper = new Shopper(shop, 'ida')
    await shopper.add('MUG')
    await shopper.openCheckout()
    const answer = await shopper.post('/?wc-ajax=checkout', {
      ...shopper.form('cod'),
      createaccount: '1',
      account_password: password,
    })
    expect(((await answer.json()) as { messages: string }).messages).toContain(words)
  })

  it('where it is chosen anew by a mailed link', async () => {
    const ada = aCustomer(shop, nextAddress())
    await ada.register()
    const guest = aGuest(shop)
    await guest.post('/my-account/lost-password/', {
      user_login: ada.email,
      wc_reset_password: 'true',
      'woocommerce-lost-password-nonce': guest.nonce('lost_password'),
    })
    await guest.send(await mailedLink(shop, ada.email, /new password/))
    const answer = await guest.post('/my-account/lost-password/', {
      password_1: password,
      password_2: password,
      wc_reset_password: 'true',
      'woocommerce-reset-password-nonce': guest.nonce('reset_password'),
    })
    expect(await answer.text()).toContain(words)
    expect((await ada.logIn()).status).toBe(303)
  })

  it('where it is changed in the account', async () => {
    const ada = aCustomer(shop, nextAddress())
    await ada.register()
    const answer = await ada.post('/my-account/edit-account/', {
      account_first_name: 'Ada',
      account_last_name: 'Lovelace',
      account_display_name: 'Ada',
      account_email: ada.email,
      password_current: goodPassword,
      password_1: password,
      password_2: password,
      action: 'save_account_details',
      'save-account-details-nonce': ada.nonce('save_account_details'),
    })
    expect(await answer.text()).toContain(words)
    expect((await aCustomer(shop, ada.email).logIn()).status).toBe(303)
  })
})
