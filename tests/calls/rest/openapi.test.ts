import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { calls } from '#server/calls/shared/call-routes.ts'
import { type OpenApiDocument, openApiDocument } from '#server/rest/openapi/openapi-document.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ wallet: false, settings: { name: 'Clay & Linen' } })
})
afterAll(() => shop.close())

describe('the description of the API', () => {
  it('is served to everybody as one cacheable file, with the shop’s name and address', async () => {
    const answer = await fetch(`${shop.url}/wp-json/openapi.json`)
    const { headers } = answer
    expect([answer.status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'application/json',
      'public, max-age=300',
    ])
    expect([headers.get('set-cookie'), headers.get('vary')]).toEqual([null, 'Accept-Encoding'])
    const document = (await answer.json()) as OpenApiDocument
    const expected = openApiDocument(calls, { name: 'Clay & Linen', publicUrl: shop.url })
    expect(document).toEqual(JSON.parse(JSON.stringify(expected)))
    expect(document.info.title).toBe('Clay & Linen')
    expect(document.servers).toEqual([{ url: shop.url }])
  })

  it('is compressed for who can read it', async () => {
    const { app } = shop.shop
    const ask = (encoding: string) =>
      app(new Request(`${shop.url}/wp-json/openapi.json`, { headers: { 'accept-encoding': encoding } }), {
        ip: '127.0.0.1',
      })
    const plain = await (await ask('identity')).text()
    for (let again = 0; again < 2; again += 1) {
      const packed = await ask('br')
      expect(packed.headers.get('content-encoding')).toBe('br')
      expect(brotliDecompressSync(Buffer.from(await packed.arrayBuffer())).toString()).toBe(plain)
    }
  })

  it('names no provider’s route, and none of the shop’s own pages', async () => {
    const text = await (await fetch(`${shop.url}/wp-json/openapi.json`)).text()
    for (const secret of ['webhook/', 'shipping-callback', 'wc-ppcp', 'owner@', 'csp-report']) {
      expect(text).not.toContain(secret)
    }
  })

  it('is shown on a page that runs scripts of the shop alone', async () => {
    const page = await fetch(`${shop.url}/wp-json/docs`)
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(page.headers.get('content-type')).toBe('text/html; charset=UTF-8')
    expect(policy).toContain("default-src 'none'; script-src 'self';")
    expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe|https?:/)
    const html = await page.text()
    expect(html).toContain('<title>Clay &amp; Linen: REST API</title>')
    const [, script = ''] = /<script type="module" src="([^"]+)"/.exec(html) ?? []
    expect((await fetch(shop.url + script)).status).toBe(200)
    expect((await fetch(`${shop.url}/wp-json/docs`, { method: 'POST' })).status).toBe(405)
  })
})
