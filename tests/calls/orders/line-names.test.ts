import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ordersCommand } from '#cli/orders/orders.ts'
import { urls } from '#contract/shared/urls.ts'
import { findOrder } from '#database/orders/orders.ts'
import { findOrderParts } from '#database/orders/rest-orders.ts'
import { exportGuest } from '#shop/customers/export-customer.ts'
import { restOrder } from '#shop/orders/rest-order.ts'
import { mailTo } from '#tests/support/customers/customer.ts'
import { runCommand } from '#tests/support/process/command.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
let ada: Shopper
let id: number
let walletOrderId: string

/** Two variations of one shirt, paid by the wallet's own button. */
beforeAll(async () => {
  shop = await aShop()
  ada = new Shopper(shop, 'ada')
  await addShirt('SHIRT-SAND', { attribute_colour: 'Sand', attribute_size: 'S' })
  await addShirt('SHIRT-SEA-M', { attribute_colour: 'Sea', attribute_size: 'M' })
  const opened = await ada.post(urls.walletStart(), {})
  walletOrderId = new URL(opened.headers.get('location') ?? '').searchParams.get('token') ?? ''
  await ada.approve(walletOrderId)
  await ada.returnFromWallet(walletOrderId)
  const [row] = await shop.db.sql<{ order_id: number }[]>`
    select order_id from wallet_orders where id = ${walletOrderId}`
  id = row?.order_id ?? 0
})
afterAll(() => shop?.close())

async function addShirt(sku: string, choice: Record<string, string>): Promise<void> {
  const parent = await shop.idOf('SHIRT')
  const attributes = await shop.db.sql<{ slug: string; name: string }[]>`
    select a.slug, a.name from product_attributes p join attributes a on a.id = p.attribute_id
    where p.product_id = ${parent}`
  const chosen = Object.fromEntries(
    attributes.flatMap(({ slug, name }) => {
      const value = choice[`attribute_${name.toLowerCase()}`]
      return value ? [[`attribute_pa_${slug}`, value.toLowerCase()]] : []
    }),
  )
  const fields = { 'add-to-cart': String(parent), variation_id: String(await shop.idOf(sku)), quantity: '1' }
  await ada.post(urls.product('linen-shirt'), { ...choice, ...chosen, ...fields })
}

/** What the provider itself answers when it is asked for the order. */
async function itemsAtProvider(order: string): Promise<{ name: string }[]> {
  const { apiBase = '', clientId = '', clientSecret = '' } = shop.paypal ?? {}
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  const given = await fetch(`${apiBase}/v1/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  const { access_token: token } = (await given.json()) as { access_token: string }
  const answer = await fetch(`${apiBase}/v2/checkout/orders/${order}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { purchase_units: units } = (await answer.json()) as { purchase_units: { items: { name: string }[] }[] }
  return units.flatMap(({ items }) => items)
}

const names = ['Linen shirt – Sand, S', 'Linen shirt – Sea, M']

describe('two variations of one product in an order', () => {
  it('are told apart at the provider', async () => {
    const items = await itemsAtProvider(walletOrderId)
    expect(items.map(({ name }) => name)).toEqual(names)
  })

  it('are told apart in the ledger, in orders show and in what programs read', async () => {
    const [placed] = await shop.db.sql<{ data: { lines?: string } }[]>`
      select data from ledger where order_id = ${id} and kind = 'placed'`
    expect(placed?.data.lines).toBe(names.map((name) => `${name} × 1`).join('; '))
    const { out } = await runCommand(ordersCommand, shop.db, 'show', String(id))
    for (const name of names) expect(out).toContain(`${name} `)
    const { tools } = shop.shop.application
    const row = await findOrder(tools.db.kysely, id)
    if (!row) throw new Error('the order is gone')
    const { line_items } = restOrder(tools, row, await findOrderParts(tools.db.kysely, [id]))
    expect(line_items).toMatchObject(names.map((name) => ({ name, parent_name: 'Linen shirt' })))
    const exported = await exportGuest(tools, String(row.billing.email))
    expect(exported.orders).toMatchObject([
      { items: expect.arrayContaining(names.map((name) => expect.objectContaining({ name }))) },
    ])
  })

  it('are told apart in messages to the customer and to the shop', async () => {
    const [row] = await shop.db.sql<
      { email: string }[]
    >`select billing ->> 'email' as email from orders where id = ${id}`
    for (const [to, subject] of [
      [row?.email ?? '', /order/i],
      ['owner@example.test', /order/i],
    ] as const) {
      const mail = (await mailTo(shop, to, subject)).replaceAll('=E2=80=93', '–')
      for (const name of names) expect(mail).toContain(name)
    }
  })

  it('are told apart by screen readers in the cart, and in what is said of a line', async () => {
    const bob = ada
    await addShirt('SHIRT-SAND', { attribute_colour: 'Sand', attribute_size: 'S' })
    await addShirt('SHIRT-SEA-M', { attribute_colour: 'Sea', attribute_size: 'M' })
    const cart = await bob.page(urls.cart())
    for (const name of names) {
      expect(cart).toContain(`aria-label="Remove ${name} from cart"`)
      expect(cart).toContain(`Increase quantity of ${name}"`)
    }
    const remove = /href="([^"]*remove_item=[^"]*)"/.exec(cart)?.[1]?.replaceAll('&amp;', '&') ?? ''
    await bob.request(remove)
    expect(await bob.page(urls.cart())).toContain(`“${names[0]}” removed.`)
  })
})
