import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { customersCommand } from '#cli/customers/customers.ts'
import { writeSettings } from '#database/operations/configuration.ts'
import { setRole } from '#shop/customers/manage-customers.ts'
import { aCustomer, type Customer, goodPassword } from '#tests/support/customers/customer.ts'
import { runCommand } from '#tests/support/process/command.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

let shop: TestShop
let offsetMs = 0
beforeAll(async () => {
  const clock = {
    now: () => new Date(Date.now() + offsetMs),
    sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
  }
  shop = await aShop({ wallet: false, environment: { clock } })
})
afterAll(() => shop?.close())
beforeEach(async () => {
  offsetMs = 0
  await shop.db.sql`delete from rate_limits`
})

let count = 0
async function anAccount(): Promise<Customer & { id: number }> {
  count += 1
  const customer = aCustomer(shop, `login${count}@example.test`)
  await customer.register()
  const [row] = await shop.db.sql`select id from customers where email = ${customer.email}`
  return Object.assign(customer, { id: Number(row?.id) })
}

const isIn = async (customer: Customer) => !(await customer.page('/my-account/')).includes('id="customer_login"')

/** Comes again and again, at the times given. @returns those at which the login was over */
async function over(customer: Customer, times: readonly number[]): Promise<number[]> {
  const found: number[] = []
  for (const time of times) {
    offsetMs = time
    if (!(await isIn(customer))) found.push(time)
  }
  return found
}

it('T31 whoever looks after the shop ends every login of an account, or of all, at once', async () => {
  const [ada, bea] = [await anAccount(), await anAccount()]
  await bea.add('MUG')
  const phone = aCustomer(shop, ada.email)
  await phone.logIn()
  const desk = (...args: string[]) => runCommand(customersCommand, shop.db, 'log-out', ...args)
  await desk(ada.email)
  expect([await isIn(ada), await isIn(phone), await isIn(bea)]).toEqual([false, false, true])
  await desk('--all', '--yes')
  expect(await isIn(bea)).toBe(false)
  const again = aCustomer(shop, bea.email)
  await again.logIn()
  expect(await again.cart()).toEqual(['1 Plain mug'])
})

describe('T31 a customer ends logins of their own', () => {
  const act = (customer: Customer, fields: Record<string, string>) =>
    customer.post('/my-account/privacy/', {
      'account-privacy-nonce': customer.nonce('account-privacy'),
      action: 'log_out_ticked',
      password_current: goodPassword,
      ...fields,
    })
  const boxes = async (customer: Customer) =>
    [...(await customer.page('/my-account/privacy/')).matchAll(/<input type="checkbox" id="(end_login_\w+)"/g)].map(
      ([, id = '']) => id,
    )

  /** An account on three devices, the last one logged in first in the list of the others. */
  async function onThree() {
    const ada = await anAccount()
    const [phone, tablet] = [aCustomer(shop, ada.email), aCustomer(shop, ada.email)]
    await phone.logIn()
    offsetMs += 1000
    await tablet.logIn()
    const [ofTablet = '', ofPhone = ''] = await boxes(ada)
    return { ada, phone, tablet, ofTablet, ofPhone }
  }

  it('one by one: the others stay, and this one', async () => {
    const { ada, phone, tablet, ofPhone, ofTablet } = await onThree()
    const answer = await act(ada, { [ofPhone]: '1' })
    expect(answer.headers.get('location')).toBe('/my-account/privacy/')
    expect(await ada.page('/my-account/privacy/')).toContain('The selected devices have been logged out.')
    expect([await isIn(ada), await isIn(phone), await isIn(tablet)]).toEqual([true, false, true])
    expect(await boxes(ada)).toEqual([ofTablet])
  })

  it.each(['log_out_ticked', 'log_out_elsewhere'])(
    '%s only with the password, and with the own nonce',
    async (action) => {
      const { ada, phone, tablet, ofPhone } = await onThree()
      for (const [fields, words] of [
        [{ password_current: '' }, 'enter your current password'],
        [{ password_current: 'wrong' }, 'password is incorrect'],
        [{ 'account-privacy-nonce': phone.nonce('account-privacy') }, 'open for too long'],
      ] as const) {
        const html = await (await act(ada, { action, [ofPhone]: '1', ...fields })).text()
        expect(html).toContain(words)
        if (!('account-privacy-nonce' in fields)) {
          expect(/<input[^>]*id="logins_password"[^>]*>/.exec(html)?.[0]).toContain('aria-invalid="true"')
        }
        const box = new RegExp(`<input[^>]*id="${ofPhone}"[^>]*>`).exec(html)?.[0]
        // What was ticked need not be ticked again.
        if (action === 'log_out_ticked' && 'password_current' in fields) expect(box).toContain('checked')
      }
      expect([await isIn(ada), await isIn(phone), await isIn(tablet)]).toEqual([true, true, true])
      await act(ada, { action, [ofPhone]: '1' })
      expect(await isIn(phone)).toBe(false)
    },
  )

  it('none where nothing is ticked, said at the first of them', async () => {
    const { ada, phone, tablet, ofTablet } = await onThree()
    const html = await (await act(ada, {})).text()
    expect(html).toContain('Please select the devices')
    const box = new RegExp(`<input[^>]*id="${ofTablet}"[^>]*>`).exec(html)?.[0] ?? ''
    expect(box).toContain('aria-invalid="true"')
    for (const id of /aria-describedby="([^"]+)"/.exec(box)?.[1]?.split(' ') ?? ['none']) {
      expect(html).toContain(`id="${id}"`)
    }
    expect([await isIn(phone), await isIn(tablet)]).toEqual([true, true])
  })

  it('T10 none of somebody else’s, whatever the form names', async () => {
    const { ada, phone, ofPhone } = await onThree()
    const eve = await onThree()
    await act(eve.ada, { [ofPhone]: '1', [eve.ofPhone]: '1' })
    expect([await isIn(eve.phone), await isIn(ada), await isIn(phone)]).toEqual([false, true, true])
  })
})

describe('T31 a login ends at last', () => {
  it('of a customer after ninety days, however often they come; the cart is there at the next', async () => {
    const ada = await anAccount()
    await ada.logOut()
    await ada.logIn({ rememberme: 'forever' })
    await ada.add('MUG')
    const days = [10, 20, 30, 40, 50, 60, 70, 80, 89, 91]
    expect(
      await over(
        ada,
        days.map((day) => day * dayMs),
      ),
    ).toEqual([91 * dayMs])
    // The forms that a test sends are made by the machine's clock.
    offsetMs = 0
    const again = aCustomer(shop, ada.email)
    expect((await again.logIn()).status).toBe(303)
    expect(await again.cart()).toEqual(['1 Plain mug'])
  })

  it('and its cookie is not told to live longer', async () => {
    const ada = await anAccount()
    await ada.logOut()
    const began = Date.now()
    await ada.logIn({ rememberme: 'forever' })
    for (const day of [12, 24, 36, 48, 60, 72]) {
      offsetMs = day * dayMs
      await isIn(ada)
    }
    offsetMs = 80 * dayMs
    const answer = await ada.send('/my-account/')
    const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('sid='))
    const expires = Date.parse(/Expires=(.*)$/.exec(cookie ?? '')?.[1] ?? '')
    expect(Math.round((expires - began) / dayMs)).toBe(90)
  })

  it('as soon as the merchant asks for less, also where it began before', async () => {
    const ada = await anAccount()
    await ada.logOut()
    await ada.logIn({ rememberme: 'forever' })
    expect(await over(ada, [10 * dayMs])).toEqual([])
    await writeSettings(shop.db, { accounts: { loginDays: 7 } })
    try {
      await expect.poll(() => shop.shop.application.tools.settings.accounts.loginDays).toBe(7)
      expect(await isIn(ada)).toBe(false)
    } finally {
      await writeSettings(shop.db, { accounts: {} })
      await expect.poll(() => shop.shop.application.tools.settings.accounts.loginDays).toBe(90)
    }
  })

  it('of staff after twelve hours, however busy', async () => {
    const ada = await anAccount()
    await setRole(shop.shop.application.tools, ada.id, 'shop_manager')
    const manager = aCustomer(shop, ada.email)
    await manager.logIn()
    const times = Array.from({ length: 49 }, (_, index) => ((index + 1) * hourMs) / 4)
    expect((await over(manager, times)).map((time) => time / hourMs)).toEqual([12, 12.25])
  })
})
