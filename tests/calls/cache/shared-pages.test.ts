import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ wallet: false })
}, 60_000)
afterAll(() => shop.close())
beforeEach(() => shop.shop.application.pageCache.clear())

const text = async (path: string) => (await fetch(shop.url + path)).text()

/** What a page that its first visitor has asked for in some way tells everybody who comes after. */
async function leftBy(first: string, path: string): Promise<{ path: string; told: Record<string, string> }> {
  await text(first)
  const { pageCache } = shop.shop.application
  expect(pageCache.get(path), `${first} has left ${path}`).toBeDefined()
  return { path, told: toldBy(await text(path)) }
}

/** What a page prints for the statistics. */
function toldBy(html: string): Record<string, string> {
  const [, address = ''] = /(\/api\/stats\/hit\?[^"]*)"/.exec(html) ?? []
  const told = new URL(address.replaceAll('\\u0026', '&').replaceAll('&amp;', '&'), shop.url).searchParams
  return Object.fromEntries([...told].map(([name, value]) => [name, readable(name, value)]))
}

const readable = (name: string, value: string) =>
  name === 'page_uri' || name === 'search_query' ? Buffer.from(value, 'base64url').toString() : value

describe('a page that is kept says nothing of how its first visitor wrote the address', () => {
  it.each([
    ['a search where nothing is searched', '/shop/?s=cheap+pills', '/shop/'],
    ['a search in a category', '/product-category/kitchen/?s=cheap+pills', '/product-category/kitchen/'],
    ['letters written as bytes', '/product/plain%2Dmug/', '/product/plain-mug/'],
    ['letters of a text written as bytes', '/%74erms/', '/terms/'],
  ])('%s', async (_, first, path) => {
    const usual = toldBy(await text(path))
    expect(usual).toMatchObject({ page_uri: path })
    shop.shop.application.pageCache.clear()
    expect(await leftBy(first, path)).toEqual({ path, told: usual })
  })

  it('more of a search than is searched for', async () => {
    const term = 'm'.repeat(200)
    const path = `/?s=${term}&post_type=product`
    const { told } = await leftBy(`/?s=${term}and-more`, path)
    expect(told.search_query).toBe(term)
  })
})

it('a page that is kept is not sent again to a cache that names it among others', async () => {
  const path = '/shop/'
  const etag = (await fetch(shop.url + path)).headers.get('etag') ?? ''
  // The second passes by the pages that are at hand, as with a choice of this visitor's.
  for (const cookie of ['', 'currency=XXX']) {
    const headers = { 'if-none-match': `W/"another", ${etag}`, cookie }
    const answer = await fetch(shop.url + path, { headers })
    expect({ cookie, status: answer.status }).toEqual({ cookie, status: 304 })
    expect(answer.headers.get('etag')).toBe(etag)
    expect(answer.headers.get('vary')).toBe('Accept-Encoding')
    expect(answer.headers.get('content-encoding')).toBeNull()
  }
})
