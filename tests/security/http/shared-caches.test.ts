import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeSettings } from '#database/operations/configuration.ts'
import { sharedCacheHeaders } from '#server/cache/shared-cache-headers.ts'
import { aGuest } from '#tests/security/support/guest.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

const publicPages = ['/', '/shop/', '/product-category/kitchen/', '/?s=mug', '/product/plain-mug/', '/terms/']
const accept = { accept: 'text/html' }

/** What a cache in front is told of keeping an answer. */
const told = ({ headers }: Response) => ({
  keep: headers.get('cache-control'),
  shared: sharedCacheHeaders.map((name) => headers.get(name)),
  vary: headers.get('vary'),
  cookies: headers.getSetCookie().length,
})
const nothingShared = sharedCacheHeaders.map(() => null)

describe('T29 a shop whose pages a cache in front may keep', () => {
  let shop: TestShop
  beforeAll(async () => {
    shop = await aShop({ cdnSeconds: 300, settings: { statistics: { enabled: false } } })
  })
  afterAll(() => shop.close())

  it.each(publicPages)('says so of %s, and gives the same to whoever has a cart as to a stranger', async (path) => {
    const withCart = aGuest(shop)
    await withCart.add('MUG')
    const answers = [await withCart.send(path, { headers: accept }), await aGuest(shop).send(path, { headers: accept })]
    const [first, second] = await Promise.all(answers.map((answer) => answer.text()))
    expect(second).toBe(first)
    for (const answer of answers) {
      const { headers } = answer
      expect(told(answer)).toMatchObject({
        keep: 'public, max-age=0, s-maxage=300',
        vary: 'Accept-Encoding',
        cookies: 0,
      })
      expect(headers.get('cdn-cache-control')).toBe('max-age=300, stale-while-revalidate=600, stale-if-error=600')
      expect(headers.get('cdn-cache-control')).toBe(headers.get('surrogate-control'))
      expect(headers.get('cache-tag')?.split(',')).toEqual(headers.get('surrogate-key')?.split(' '))
      expect(headers.get('surrogate-key')).toMatch(/(^| )language-en-US$/)
    }
  })

  it('names what each page shows', async () => {
    const [mug] = await shop.db.sql<{ id: number }[]>`select id from products where sku = 'MUG'`
    const keys = async (path: string) => (await aGuest(shop).send(path)).headers.get('surrogate-key')?.split(' ') ?? []
    expect(await keys('/product/plain-mug/')).toEqual(expect.arrayContaining([`product-${mug?.id}`, 'category-cups']))
    expect(await keys('/product-category/kitchen/')).toEqual(
      expect.arrayContaining([`product-${mug?.id}`, 'category-kitchen']),
    )
    expect(await keys('/shop/')).toEqual(expect.arrayContaining(['catalog', `product-${mug?.id}`]))
  })

  it('P5 has a page asked for again in which something may be missing that was changed while it was made', async () => {
    const path = '/product/soup-bowl/'
    const { pageCache } = shop.shop.application
    const answer = await shop.db.sql.begin(async (tx) => {
      await tx`lock table products in access exclusive mode`
      const { generation } = pageCache
      const begun = aGuest(shop).send(path)
      const waits = () => tx`select from pg_locks where relation = 'products'::regclass and not granted`
      await expect.poll(async () => (await waits()).length, { timeout: 4_000 }).toBeGreaterThan(0)
      await writeSettings(shop.db, { storeNotice: { enabled: true, text: 'Closed on Monday.' } })
      await expect.poll(() => pageCache.generation, { timeout: 4_000 }).toBeGreaterThan(generation)
      return { begun }
    })
    expect(told(await answer.begun)).toMatchObject({
      keep: 'public, max-age=0, must-revalidate',
      shared: nothingShared,
    })
    expect(told(await aGuest(shop).send(path)).keep).toBe('public, max-age=0, s-maxage=300')
  })

  it.each(['/cart/', '/checkout/', '/my-account/', '/none/', '/?wc-ajax=get_refreshed_fragments'])(
    'says nothing of the kind of %s',
    async (path) => {
      const guest = aGuest(shop)
      await guest.add('MUG')
      const { keep, shared } = told(await guest.send(path, { headers: accept }))
      expect(keep).toMatch(/no-store/)
      expect(shared).toEqual(nothingShared)
    },
  )

  it.each([
    ['waits for a notice', 'vitrine_notices=1'],
    ['has a currency to be taken back', 'currency=XXX'],
  ])('makes the page for one visitor alone who %s', async (_, cookie) => {
    await aGuest(shop).send('/shop/')
    const answer = await aGuest(shop).send('/shop/', { headers: { ...accept, cookie } })
    expect(told(answer)).toMatchObject({ keep: 'private, no-store', shared: nothingShared, cookies: 1 })
    expect(told(await aGuest(shop).send('/shop/'))).toMatchObject({
      keep: 'public, max-age=0, s-maxage=300',
      cookies: 0,
    })
  })
})

describe('T29 a shop whose pages differ by more than their address', () => {
  let shop: TestShop
  beforeAll(async () => {
    shop = await aShop({
      cdnSeconds: 300,
      settings: {
        statistics: { enabled: false },
        currencies: [{ code: 'EUR', rate: '0.9' }],
      },
    })
  })
  afterAll(() => shop.close())

  it.each([...publicPages, '/search-suggestions/?term=mug'])('has %s asked for each time', async (path) => {
    const stranger = await aGuest(shop).send(path, { headers: accept })
    const chooser = await aGuest(shop).send(path, { headers: { ...accept, cookie: 'currency=EUR' } })
    for (const answer of [stranger, chooser]) {
      expect(told(answer).shared).toEqual(nothingShared)
      expect(told(answer).keep).toMatch(/must-revalidate|private, no-cache/)
    }
    expect(told(chooser).keep).toBe('private, no-cache')
    if (path.includes('mug')) expect(await chooser.text()).not.toBe(await stranger.text())
  })
})
