import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { V3Product } from '#contract/catalog/v3-products.ts'
import { systemEnvironment, systemLog } from '#server/operations/startup/environment.ts'
import { exportProducts } from '#shop/import/export-products.ts'
import { importProducts } from '#shop/import/import-products.ts'
import { type V3Client, v3Client } from '#tests/support/rest/v3-client.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

type Fault = { code: string; message: string; data: { params?: Record<string, string> } }

const fixture = (name: string) => join(import.meta.dirname, '../../fixtures/images', name)
// An address instead of a name: nothing is resolved.
const remote = (file: string) => `https://93.184.215.14/${file}`

let shop: TestShop
let api: V3Client
beforeAll(async () => {
  const { fetch: send } = systemEnvironment(systemLog('silent')).network
  shop = await aShop({
    environment: {
      network: {
        fetch: async (url, init) => {
          const { hostname, pathname } = new URL(url)
          if (hostname !== '93.184.215.14') return send(url, init)
          if (pathname === '/page.html') return new Response('<p>', { headers: { 'content-type': 'text/html' } })
          return new Response(await readFile(fixture('mug.png')), { headers: { 'content-type': 'image/png' } })
        },
      },
    },
  })
  api = await v3Client(shop)
})
afterAll(() => shop.close())

describe('images of products in REST v3', () => {
  it('are fetched by address, taken by id, described and shown', async () => {
    const { status, body } = await api<V3Product>('POST', 'products', {
      name: 'Pictured mug',
      regular_price: '9',
      images: [{ src: remote('mug.png'), alt: 'A mug from the side' }],
    })
    expect(status, JSON.stringify(body)).toBe(201)
    const [image] = body.images
    expect(image).toMatchObject({
      alt: 'A mug from the side',
      src: expect.stringMatching(/\/media\/[0-9a-f]+-\d+\.webp$/),
    })
    expect((await fetch(image?.src ?? '')).status).toBe(200)
    expect(await (await fetch(`${shop.url}/product/pictured-mug/`)).text()).toContain('A mug from the side')
    // The shop's own address is not fetched.
    const again = await api<V3Product>('POST', 'products', { name: 'Same picture', images: [{ src: image?.src }] })
    expect(again.body.images).toMatchObject([{ id: image?.id }])
    const changed = await api<V3Product>('PUT', `products/${body.id}`, {
      images: [{ id: image?.id, alt: 'Handle left' }],
    })
    expect(changed.body.images).toMatchObject([{ id: image?.id, alt: 'Handle left' }])
    await expect.poll(async () => (await fetch(`${shop.url}/product/pictured-mug/`)).text()).toContain('Handle left')
    const none = await api<V3Product>('PUT', `products/${body.id}`, { images: [] })
    expect(none.body.images).toEqual([])
  })

  it('are refused where they are private, no images, or paths of the server', async () => {
    for (const src of ['http://127.0.0.1/mug.png', remote('page.html'), '/etc/passwd', 'images/mug.png']) {
      const { status, body } = await api<Fault>('POST', 'products', { name: 'Refused', images: [{ src }] })
      expect([status, body.code], src).toEqual([400, 'woocommerce_product_image_upload_error'])
      expect(body.message).toContain(src)
    }
    const category = await api<Fault>('POST', 'products/categories', { name: 'Refused', image: { src: '/etc/passwd' } })
    expect(category.body.data.params).toHaveProperty('image')
  })

  it('belong to categories and variations as well', async () => {
    const { body: category } = await api<{ image: { id: number; src: string } }>('POST', 'products/categories', {
      name: 'Pictured',
      image: { src: remote('mug.png') },
    })
    expect(category.image.src).toMatch(/\.webp$/)
    const shirt = await shop.idOf('SHIRT')
    const sand = await shop.idOf('SHIRT-SAND')
    const path = `products/${shirt}/variations/${sand}`
    expect((await api('PUT', path, { image: { id: category.image.id } })).body).toMatchObject({
      image: { id: category.image.id },
    })
    expect((await api('PUT', path, { image: null })).body).toMatchObject({ image: null })
  })
})

describe('downloads of products in REST v3', () => {
  it('are files that the shop has; others are refused', async () => {
    const folder = join(shop.dataDir, 'downloads')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'pattern.pdf'), 'pattern')
    const input = { name: 'Pattern', regular_price: '3', virtual: true, downloadable: true, download_limit: 2 }
    const { status, body } = await api<V3Product>('POST', 'products', {
      ...input,
      downloads: [{ name: 'Pattern', file: 'pattern.pdf' }],
    })
    expect(status, JSON.stringify(body)).toBe(201)
    expect(body).toMatchObject({
      downloadable: true,
      download_limit: 2,
      download_expiry: -1,
      shipping_required: false,
      downloads: [{ id: expect.stringMatching(/./), name: 'Pattern', file: 'pattern.pdf' }],
    })
    for (const file of ['/etc/passwd', '../secret', 'https://93.184.215.14/x.pdf']) {
      const refused = await api<Fault>('POST', 'products', { ...input, downloads: [{ name: 'X', file }] })
      expect(refused.body.data.params, file).toHaveProperty('downloads')
    }
  })
})

describe('a product of REST v3 and the product file', () => {
  it('changes nothing by export and import', async () => {
    const { body: attribute } = await api<{ id: number }>('POST', 'products/attributes', { name: 'Tone' })
    const { status, body: product } = await api<V3Product>('POST', 'products', {
      name: 'Tea & "coffee" set <small>',
      type: 'variable',
      sku: 'TEA',
      description: '  <p>Two\nlines</p> ',
      attributes: [{ id: attribute.id, options: ['Light', 'Dark'], variation: true }],
      meta_data: [{ key: 'maker', value: 'Ada' }],
    })
    expect(status, JSON.stringify(product)).toBe(201)
    await api('POST', `products/${product.id}/variations/batch`, {
      create: [
        { sku: 'TEA-L', regular_price: '20', sale_price: '15', attributes: [{ id: attribute.id, option: 'Light' }] },
        { regular_price: '22', attributes: [{ id: attribute.id, option: 'Dark' }] },
      ],
    })
    await api('POST', 'products', { name: 'No price yet', status: 'draft' })
    const { tools } = shop.shop.application
    const lines: string[] = []
    for await (const line of exportProducts(tools)) lines.push(line)
    const file = join(shop.dataDir, 'export.csv')
    await writeFile(file, lines.join('\n'))
    const before = await shop.db.sql`select md5(string_agg(p::text, '|' order by p.id)) as all from products p`
    const report = await importProducts(tools, {
      file,
      delimiter: ',',
      existing: 'update',
      dryRun: false,
      imagesDir: shop.dataDir,
      mediaDir: join(shop.dataDir, 'media'),
      downloadsDir: join(shop.dataDir, 'downloads'),
      lookup: async () => [],
    })
    expect(report).toMatchObject({ ok: true, faults: [], created: 0, updated: 0 })
    expect(report.unchanged).toBeGreaterThan(3)
    const after = await shop.db.sql`select md5(string_agg(p::text, '|' order by p.id)) as all from products p`
    expect(after).toEqual(before)
  })
})
