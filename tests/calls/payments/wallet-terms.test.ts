import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ordersCommand } from '#cli/orders/orders.ts'
import { termsVersionField } from '#contract/checkout/hooks.ts'
import { urls } from '#contract/shared/urls.ts'
import { findOrder } from '#database/orders/orders.ts'
import { findOrderParts } from '#database/orders/rest-orders.ts'
import { exportGuest } from '#shop/customers/export-customer.ts'
import { restOrder } from '#shop/orders/rest-order.ts'
import { runCommand } from '#tests/support/process/command.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

const terms = (text: string, head = 'title: Terms') => `---\n${head}\n---\n${text}\n`
let shop: TestShop
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'terms-'))
  await writeFile(join(folder, 'terms.md'), terms('Goods travel at our risk.'))
  await writeFile(join(folder, 'terms.de.md'), terms('Die Ware reist auf unsere Gefahr.', 'title: AGB'))
  const everywhere = ['product', 'cart', 'minicart', 'checkout', 'express']
  shop = await aShop({
    contentFolder: folder,
    settings: { languages: [{ tag: 'de-DE' }], paypal: { sections: everywhere } },
  })
})
afterAll(async () => {
  await shop?.close()
  await rm(folder, { recursive: true, force: true })
})

type Agreed = { version: string; language: string; at: string }

async function agreedIn(orderId: number): Promise<Agreed | null> {
  const [row] = await shop.db.sql<{ terms: Agreed | null }[]>`select terms from orders where id = ${orderId}`
  if (!row) throw new Error(`no order ${orderId}`)
  return row.terms
}

async function orderOfWallet(walletOrderId: string): Promise<number> {
  const [row] = await shop.db.sql<{ order_id: number }[]>`
    select order_id from wallet_orders where id = ${walletOrderId}`
  if (!row) throw new Error(`nothing was begun by ${walletOrderId}`)
  return row.order_id
}

/** Every sentence beside a wallet's buttons, as text, with where its link leads. */
const notesIn = (html: string) =>
  [...html.matchAll(/<small class="wallet-terms"[^>]*>(.*?)<\/small>/gs)].map(([, inner = '']) => ({
    text: inner.replace(/<[^>]*>/g, ''),
    link: /href="([^"]*)"/.exec(inner)?.[1],
  }))

const versionIn = (html: string) => /data-terms-version="([0-9a-f]{64})"/.exec(html)?.[1] ?? ''

/** Changes the terms and waits until pages show them. */
async function rewrite(name: string, text: string, head?: string): Promise<void> {
  const before = versionIn(await new Shopper(shop, 'looker').page(urls.product('plain-mug')))
  await writeFile(join(folder, name), terms(text, head))
  await expect
    .poll(async () => versionIn(await new Shopper(shop, 'looker').page(urls.product('plain-mug'))), { timeout: 10_000 })
    .not.toBe(before)
}

describe('the terms beside a button that buys', () => {
  it('BTN-02 BTN-09 stand on product, cart, mini cart and express checkout, with their link', async () => {
    const ada = new Shopper(shop, 'ada')
    await ada.add('MUG')
    const note = { text: 'By paying you agree to the terms and conditions.', link: '/terms/' }
    // The mini cart's template comes with every page but the checkout.
    expect(notesIn(await ada.page(urls.product('plain-mug')))).toEqual([note, note])
    expect(notesIn(await ada.page(urls.cart()))).toContainEqual(note)
    const checkout = await ada.page(urls.checkout())
    const express = /<section class="express-checkout".*?<\/section>/s.exec(checkout)?.[0] ?? ''
    expect(notesIn(express)).toEqual([note])
  })

  it('stand in the language of the visitor and lead to the page in it', async () => {
    const html = await new Shopper(shop, 'udo').page('/de/product/plain-mug/')
    expect(notesIn(html)[0]).toEqual({
      text: 'Mit der Zahlung stimmen Sie den Allgemeinen Geschäftsbedingungen zu.',
      link: '/de/terms/',
    })
  })
})

describe('an order', () => {
  it('records which terms an express button showed, however they change while the wallet is open', async () => {
    const ida = new Shopper(shop, 'ida')
    const shown = versionIn(await ida.page(urls.product('plain-mug')))
    const { walletOrderId } = await ida.startExpress()
    const id = await orderOfWallet(walletOrderId)
    expect(await agreedIn(id)).toEqual({ version: shown, language: 'en-US', at: expect.stringMatching(/^\d{4}-.*Z$/) })
    await rewrite('terms.md', 'Goods travel at your risk.')
    await ida.approve(walletOrderId)
    await ida.returnFromWallet(walletOrderId)
    expect(await agreedIn(id)).toMatchObject({ version: shown })
    const { out } = await runCommand(ordersCommand, shop.db, 'terms', String(id))
    expect(out).toContain('Goods travel at our risk.')
    expect(out).not.toContain('your risk')
  })

  it('records the version that the page showed, not one that replaced it before the press', async () => {
    const may = new Shopper(shop, 'may')
    await may.add('MUG')
    const shown = versionIn(await may.page(urls.cart()))
    await rewrite('terms.md', 'Everything is different now.')
    const answer = await may.rest('cart/order', { payment_method: 'ppcp', context: 'cart', [termsVersionField]: shown })
    const walletOrderId = (await answer.json()) as string
    expect((await agreedIn(await orderOfWallet(walletOrderId)))?.version).toBe(shown)
    const forged = { payment_method: 'ppcp', context: 'cart', [termsVersionField]: 'f'.repeat(64) }
    const now = versionIn(await may.page(urls.cart()))
    const other = (await (await may.rest('cart/order', forged)).json()) as string
    expect((await agreedIn(await orderOfWallet(other)))?.version).toBe(now)
  })

  it('records the ticked terms of an ordinary checkout, which staff, programs and the customer can read', async () => {
    const bob = new Shopper(shop, 'bob')
    await bob.add('MUG')
    const html = await bob.openCheckout()
    expect(html).toMatch(/<input type="hidden" name="terms_version" value="[0-9a-f]{64}"/)
    const { order_id: id = 0 } = await bob.placeOrder('cod')
    const agreed = await agreedIn(id)
    expect(agreed?.version).toBe(versionIn(await bob.page(urls.product('plain-mug'))))
    const { out } = await runCommand(ordersCommand, shop.db, 'show', String(id))
    expect(out).toMatch(/Terms +version [0-9a-f]{12}, shown \d{4}-\d\d-\d\d \d\d:\d\d UTC, en-US: orders terms \d+/)
    const exported = await exportGuest(shop.shop.application.tools, bob.email)
    expect(exported.orders).toMatchObject([{ number: id, agreedTo: agreed }])
    expect(exported.terms).toMatchObject([{ version: agreed?.version, text: expect.stringContaining('different now') }])
    const { tools } = shop.shop.application
    const row = await findOrder(tools.db.kysely, id)
    if (!row) throw new Error('the order is gone')
    expect(restOrder(tools, row, await findOrderParts(tools.db.kysely, [id])).meta_data).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ key: '_vitrine_terms_version', value: agreed?.version }),
        expect.objectContaining({ key: '_vitrine_terms_language', value: 'en-US' }),
        expect.objectContaining({ key: '_vitrine_terms_shown_at', value: agreed?.at }),
      ]),
    )
    const [placed] = await shop.db.sql<{ data: { terms?: string } }[]>`
      select data from ledger where order_id = ${id} and kind = 'placed'`
    expect(placed?.data.terms).toBe(agreed?.version)
  })

  it('records the terms in the language in which they were shown', async () => {
    const eva = new Shopper(shop, 'eva')
    await eva.add('MUG')
    const page = await eva.page('/de/checkout/')
    const version = /name="terms_version" value="([0-9a-f]{64})"/.exec(page)?.[1]
    const nonces = Object.fromEntries(
      [...page.matchAll(/name="([\w-]+nonce)" value="([0-9a-f]{10})"/g)].map(([, name, value]) => [name, value ?? '']),
    )
    const form = { ...eva.form('cod'), ...nonces, [termsVersionField]: version ?? '' }
    const answer = (await (await eva.post(`/de/?wc-ajax=checkout`, form)).json()) as { order_id: number }
    expect(await agreedIn(answer.order_id)).toMatchObject({ version, language: 'de' })
    const { out } = await runCommand(ordersCommand, shop.db, 'terms', String(answer.order_id))
    expect(out).toContain('Die Ware reist auf unsere Gefahr.')
  })

  it('records the terms that the page for paying it later showed', async () => {
    const kim = new Shopper(shop, 'kim')
    const { orderId } = await kim.startToPay()
    const first = await agreedIn(orderId)
    await rewrite('terms.md', 'Once more different.')
    const [{ key = '' } = {}] = await shop.db.sql<{ key: string }[]>`select key from orders where id = ${orderId}`
    const path = urls.orderPay(orderId, key)
    const html = await kim.page(path)
    const fields = Object.fromEntries(
      [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
        name,
        value,
      ]),
    ) as Record<string, string>
    const paid = await kim.post(path, { ...fields, payment_method: 'ppcp', terms: '1' })
    expect(paid.status).toBe(303)
    const second = await agreedIn(orderId)
    expect(second?.version).not.toBe(first?.version)
    expect((await runCommand(ordersCommand, shop.db, 'terms', String(orderId))).out).toContain('Once more different.')
  })

  it('keeps every version as it was: nobody can change one afterwards', async () => {
    const { sql } = shop.db
    expect((await sql`select version from terms_versions`).length).toBeGreaterThan(3)
    await expect(sql`update terms_versions set text = 'other'`).rejects.toThrow('append-only')
    await expect(sql`delete from terms_versions`).rejects.toThrow('append-only')
  })
})

describe('a shop that has published no terms', () => {
  it('asks for no agreement, links to no missing page, and records none', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'no-terms-'))
    await writeFile(join(empty, 'about.md'), terms('Us.', 'title: About'))
    await using bare = await aShop({ contentFolder: empty })
    const ada = new Shopper(bare, 'ada')
    await ada.add('MUG')
    const pages = [await ada.page(urls.cart()), await ada.openCheckout()].join('')
    expect(pages).not.toMatch(/href="\/terms\/|href="\/privacy-policy\/|id="terms"|wallet-terms/)
    const answer = (await (
      await ada.post(urls.wcAjax('checkout'), { ...ada.form('cod'), terms: '', 'terms-field': '' })
    ).json()) as { result: string; order_id: number }
    expect(answer.result).toBe('success')
    const [row] = await bare.db.sql<{ terms: unknown }[]>`select terms from orders where id = ${answer.order_id}`
    expect(row?.terms).toBeNull()
    await rm(empty, { recursive: true, force: true })
  })
})
