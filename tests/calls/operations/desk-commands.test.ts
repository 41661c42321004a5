import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadCommand } from '#cli/commands.ts'
import { mailTo } from '#tests/support/customers/customer.ts'
import { runCommandWith } from '#tests/support/process/command.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop()
})
afterAll(() => shop?.close())

/** A command in a process beside the shop that has its database and provider, and nothing else of it. */
async function run(name: string, ...args: string[]) {
  const command = await loadCommand(name)
  if (!command) throw new Error(`there is no command ${name}`)
  const { paypal, instance } = shop.shop.application.tools
  return runCommandWith({ paypal, instance, publicUrl: shop.url }, command, shop.db, ...args)
}

/** What everybody sees, kept pages and all. */
async function seen(path: string): Promise<{ status: number; text: string }> {
  const response = await fetch(shop.url + path, { headers: { accept: 'text/html' } })
  return { status: response.status, text: (await response.text()).replace(/<[^>]*>/g, '') }
}

async function until(path: string, fits: (page: { status: number; text: string }) => boolean): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (fits(await seen(path))) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`${path} has not followed`)
}

describe('commands beside a running shop', () => {
  it('change what is on kept pages at once: price, stock, and whether there is a page', async () => {
    const [{ slug = '' } = {}] = await shop.db.sql<{ slug: string }[]>`select slug from products where sku = 'MUG'`
    const page = `/product/${slug}/`
    for (const path of [page, '/shop/']) expect((await seen(path)).text).not.toContain('$97.53')
    expect((await run('products', 'edit', 'MUG', '--price', '97.53', '--sale-price', '')).code).toBe(0)
    for (const path of [page, '/shop/']) await until(path, ({ text }) => text.includes('$97.53'))
    await run('products', 'stock', 'MUG', '--count', '0')
    await until(page, ({ text }) => text.includes('Out of stock'))
    await run('products', 'trash', 'MUG')
    await until(page, ({ status }) => status === 404)
    await until('/shop/', ({ text }) => !text.includes('$97.53'))
    await run('products', 'publish', 'MUG')
    await run('products', 'stock', 'MUG', '--count', '50')
    await until(page, ({ status, text }) => status === 200 && !text.includes('Out of stock'))
  })

  it('give money back through the provider, once for one wish', async () => {
    const shopper = new Shopper(shop, 'desk-refund')
    const { orderId, walletOrderId } = await shopper.startToPay('MUG', 1)
    await shopper.approve(walletOrderId)
    await shopper.returnFromWallet(walletOrderId)
    const refund = ['refund', String(orderId), '--amount', '12.34', '--yes', '--json']
    const [one, other] = await Promise.all([run('orders', ...refund), run('orders', ...refund)])
    for (const { code, out } of [one, other]) {
      expect(code).toBe(0)
      expect(JSON.parse(out)).toMatchObject({ amount: '12.34', payment: 'partly-refunded' })
    }
    const { refunds } = (await shop.emulate('/ledger')) as { refunds: { amount: { value: string } }[] }
    expect(refunds.map(({ amount }) => amount.value)).toEqual(['12.34'])
    expect((await run('doctor')).code).toBe(0)
  })

  it('invite a customer by a message that the shop sends', async () => {
    await run('customers', 'create', 'sol@example.test', '--first-name', 'Sol')
    expect(await mailTo(shop, 'sol@example.test', /password/i)).toContain('/my-account/lost-password/')
  })
})
