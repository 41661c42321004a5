import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listDownloads } from '#shop/orders/downloads/list-downloads.ts'
import { readOrder } from '#shop/orders/read-order.ts'
import { transitionOrder } from '#shop/orders/transition-by-merchant.ts'
import { refundOrder } from '#shop/payments/refund/refund-order.ts'
import type { Tools } from '#shop/shared/tools.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

const book = 'Once upon a time there was a cup of tea.'
let shop: TestShop
let tools: Tools
beforeAll(async () => {
  shop = await aShop()
  tools = shop.shop.application.tools
  await mkdir(join(shop.dataDir, 'downloads/books'), { recursive: true })
  await writeFile(join(shop.dataDir, 'downloads/books/tea.txt'), book)
  await writeFile(join(shop.dataDir, 'secret.txt'), 'secret')
  const files = [
    { id: 'book', name: 'The book', url: 'books/tea.txt' },
    { id: '', name: '', url: 'https://files.example/tea.mp3' },
    { id: 'evil', name: 'Evil', url: '../secret.txt' },
  ]
  await shop.db.sql`update products set virtual = true, downloadable = true, downloads = ${shop.db.sql.json(files)},
    download_limit = 2, download_expiry_days = 30 where sku = 'CARD'`
})
afterAll(() => shop.close())

let count = 0
/** Two gift cards with files, paid. @returns the order and its links */
const listOrderDownloads = async (orderId: number) => (await readOrder(tools, orderId))?.facts.downloads ?? []

async function bought(quantity = 1) {
  const shopper = new Shopper(shop, `reader-${++count}`)
  const { orderId, walletOrderId } = await shopper.startToPay('CARD', quantity)
  expect(await listOrderDownloads(orderId)).toEqual([])
  await shopper.approve(walletOrderId)
  const received = await shopper.page(await shopper.returnFromWallet(walletOrderId))
  const files = await listOrderDownloads(orderId)
  expect(files).toHaveLength(3)
  const url = (name: string) => files.find(({ fileName }) => fileName === name)?.url ?? ''
  return { orderId, received, files, book: url('The book'), elsewhere: url('Gift card'), evil: url('Evil') }
}
const fetched = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(shop.url + path, { method, headers: { accept: 'text/html', ...headers }, redirect: 'manual' })

describe('downloads', () => {
  it('open when the order is paid, with limit and end, and are completed with it', async () => {
    const { orderId, received, files } = await bought(3)
    for (const { url } of files) expect(received).toContain(`href="${url}"`)
    const [order] = await shop.db.sql`select status from orders where id = ${orderId}`
    expect(order?.status).toBe('completed')
    const days = ((files[0]?.expiresAt?.getTime() ?? 0) - tools.clock.now().getTime()) / 86_400_000
    expect(days).toBeGreaterThan(29.9)
    expect(days).toBeLessThan(30.1)
    // Two for each of three.
    expect(files.map(({ remaining }) => remaining)).toEqual([6, 6, 6])
    expect(new Set(files.map(({ url }) => url)).size).toBe(3)
  })

  it('come under their own name and are kept by nobody in between', async () => {
    const { book: url } = await bought()
    const response = await fetched(url)
    expect(await response.text()).toBe(book)
    expect(response.headers.get('content-disposition')).toContain('attachment; filename="tea.txt"')
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('are counted: twice, then no more; taking one up again and looking count nothing', async () => {
    const { book: url, orderId } = await bought()
    expect((await fetched(url, {}, 'HEAD')).headers.get('content-length')).toBe(String(book.length))
    expect((await fetched(url, { range: 'bytes=0-9' })).status).toBe(206)
    const rest = await fetched(url, { range: 'bytes=10-' })
    expect([rest.status, await rest.text()]).toEqual([206, book.slice(10)])
    expect((await fetched(url)).status).toBe(200)
    const refused = await fetched(url)
    expect(refused.status).toBe(403)
    expect(await refused.text()).toContain('as often as the order allows')
    expect((await listOrderDownloads(orderId)).map(({ fileName }) => fileName)).not.toContain('The book')
    expect((await fetched(url, { range: 'bytes=4000-' })).status).toBe(416)
  })

  it('twenty fetches at once of a file that may be fetched twice: two succeed', async () => {
    const { book: url } = await bought()
    const answers = await Promise.all(Array.from({ length: 20 }, () => fetched(url)))
    const texts = await Promise.all(answers.map((answer) => answer.text()))
    expect(texts.filter((text) => text === book)).toHaveLength(2)
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(18)
  })

  it('end with their time, and with the order', async () => {
    const { book: url, orderId } = await bought()
    await shop.db
      .sql`update download_permissions set expires_at = now() - interval '1 second' where order_id = ${orderId}`
    expect((await fetched(url)).status).toBe(410)
    expect(await listOrderDownloads(orderId)).toEqual([])

    const other = await bought()
    await refundOrder(tools, other.orderId, { key: 'all', ask: { kind: 'full' } })
    expect((await fetched(other.book)).status).toBe(404)
  })

  it('lead to where the merchant keeps them, and count that too', async () => {
    const { elsewhere } = await bought()
    const response = await fetched(elsewhere)
    expect([response.status, response.headers.get('location')]).toEqual([302, 'https://files.example/tea.mp3'])
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    await fetched(elsewhere)
    expect((await fetched(elsewhere)).status).toBe(403)
  })

  it('T10 never leave their folder, and a link that is not known tells nothing', async () => {
    const { evil } = await bought()
    const hostile = [
      evil,
      `/download/${'A'.repeat(32)}/`,
      '/download/../../secret.txt/',
      '/download/%2e%2e%2fsecret.txt/',
      '/download/a/',
    ]
    for (const path of hostile) {
      const response = await fetched(path)
      expect(response.status, path).toBe(404)
      expect(await response.text()).not.toContain('secret')
    }
    // What could not be given is not counted.
    const [row] = await shop.db.sql`select fetched from download_permissions where token = ${evil.split('/')[2] ?? ''}`
    expect(row?.fetched).toBe(0)
  })

  it('T10 are listed for their customer alone, and keep their count when the order is moved about', async () => {
    const { orderId, book: url } = await bought()
    const [owner] = await shop.db.sql<{ id: number }[]>`insert into customers (email, username, created_at, updated_at)
      values ('reader@example.test', 'reader', now(), now()) returning id`
    await shop.db.sql`update orders set customer_id = ${owner?.id ?? 0} where id = ${orderId}`
    expect(await listDownloads(tools, owner?.id ?? 0)).toHaveLength(3)
    expect(await listDownloads(tools, (owner?.id ?? 0) + 1)).toEqual([])
    await fetched(url)
    await transitionOrder(tools, orderId, { to: 'processing' })
    await transitionOrder(tools, orderId, { to: 'completed' })
    expect((await listDownloads(tools, owner?.id ?? 0)).find((file) => file.url === url)?.remaining).toBe(1)
  })
})
