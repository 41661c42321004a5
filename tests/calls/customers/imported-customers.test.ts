import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { importCustomers } from '#shop/customers/import-customers.ts'
import { importOrders } from '#shop/orders/import-orders.ts'
import { aGuest } from '#tests/security/support/guest.ts'
import { aCustomer, mailedLink } from '#tests/support/customers/customer.ts'
import { textRows } from '#tests/support/import/text-rows.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ wallet: false })
})
afterAll(() => shop?.close())
beforeEach(() => shop.db.sql`delete from rate_limits`)

const options = { existing: 'skip', skipFaulty: false, dryRun: false } as const
const mails = async () =>
  (await shop.db.sql<{ n: number }[]>`select count(*)::int as n from graphile_worker._private_jobs`)[0]?.n

describe('a customer of another shop', () => {
  it('gets no email by the import, and a link to choose a password at the first login', async () => {
    const { tools } = shop.shop.application
    const before = await mails()
    const csv = 'email,first_name,last_name\nida@old.test,Ida,Vale\n'
    expect(await importCustomers(tools, textRows(csv), options)).toMatchObject({ created: 1 })
    const orders =
      'order_number,order_date,status,order_total,billing_email\n5512,2022-02-03,completed,12.50,ida@old.test\n'
    expect(await importOrders(tools, textRows(orders), options)).toMatchObject({ created: 1 })
    expect(await mails()).toBe(before)

    const ida = aCustomer(shop, 'ida@old.test')
    const unknown = aCustomer(shop, 'nobody@old.test')
    const [refused, stranger] = [await ida.logIn(), await unknown.logIn()]
    // The answer does not disclose which of the two has an account.
    expect([refused.status, stranger.status]).toEqual([200, 200])
    const text = async (answer: Response) =>
      (await answer.text()).replace(/(nonce"|nonce-|_wpnonce=|value=")[^"]*"?/g, '').replaceAll(/ida|nobody/g, '')
    expect(await text(refused)).toBe(await text(stranger))

    const link = await mailedLink(shop, 'ida@old.test', /password/)
    const guest = aGuest(shop)
    await guest.send(link)
    const chosen = await guest.post('/my-account/lost-password/', {
      password_1: 'violin-glacier-93',
      password_2: 'violin-glacier-93',
      wc_reset_password: 'true',
      'woocommerce-reset-password-nonce': guest.nonce('reset_password'),
    })
    expect(chosen.headers.get('location')).toBe('/my-account/?password-reset=true')
    expect((await ida.logIn({ password: 'violin-glacier-93' })).status).toBe(303)
    expect(await ida.page('/my-account/orders/')).toContain('View order number 5512')
  })

  it('gets no more links than the form for lost passwords would mail', async () => {
    const { tools } = shop.shop.application
    await importCustomers(tools, textRows('email\nbo@old.test\n'), options)
    const bo = aCustomer(shop, 'bo@old.test')
    for (let tries = 0; tries < 12; tries += 1) await bo.logIn()
    await mailedLink(shop, 'bo@old.test', /password/)
    await expect.poll(mails).toBe(0)
    const outbox = join(shop.dataDir, 'outbox')
    const texts = await Promise.all((await readdir(outbox)).map((name) => readFile(join(outbox, name), 'utf8')))
    const links = texts.filter((text) => text.includes('To: bo@old.test')).length
    // As many as the form for lost passwords would mail.
    expect(links).toBeLessThanOrEqual(3)
  })
})
