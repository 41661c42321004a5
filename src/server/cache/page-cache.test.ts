import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import { cardsOf } from '#tests/support/http/compression-fixtures.ts'
import { buildTimeoutMs, createPageCache, encodedBody, encodingOf, isKnown, makePage } from './page-cache.ts'

const aPage = (html: string, madeAt = 0) => makePage(200, { 'Content-Type': 'text/html' }, [html], madeAt)
const aCache = ({ maxBytes = 100_000, lifeMs = 1000, staleMs = 0, now = (): number => 0 } = {}) =>
  createPageCache({ maxBytes, lifeMs, staleMs, now })

describe('a finished page', () => {
  it('gives the same text in every encoding, in whatever order they are asked for', async () => {
    const html = '<p>ümlaut & more</p>'.repeat(500)
    const page = aPage(html)
    expect(brotliDecompressSync(await encodedBody(page, 'br')).toString()).toBe(html)
    expect((await encodedBody(page, 'identity')).toString()).toBe(html)
    expect(gunzipSync(await encodedBody(page, 'gzip')).toString()).toBe(html)
    expect(zstdDecompressSync(await encodedBody(page, 'zstd')).toString()).toBe(html)
    expect((await encodedBody(page, 'identity')).toString()).toBe(html)
  })

  it('is the same again from each encoding that it may be left with', async () => {
    const html = '<p>ümlaut & more</p>'.repeat(500)
    for (const encoding of ['zstd', 'br', 'gzip'] as const) {
      const page = aPage(html)
      await encodedBody(page, encoding)
      expect([...page.encoded.keys()]).toEqual([encoding])
      expect((await encodedBody(page, 'identity')).toString()).toBe(html)
    }
  })

  it('is made in what its first visitor takes, and is known by the same tag in whatever that is', async () => {
    const html = cardsOf(100)
    const made = (offers: string | null, text = html) => makePage(200, {}, [text], 0, offers)
    const pages = [made(null), made('gzip'), made('br'), made('gzip, deflate, br, zstd')]
    expect(pages.map(({ encoded }) => [...encoded.keys()])).toEqual([['identity'], ['gzip'], ['br'], ['zstd']])
    expect(new Set(pages.map(({ etag }) => etag)).size).toBe(1)
    for (const page of pages) expect((await encodedBody(page, 'identity')).toString()).toBe(html)
    expect(made('zstd', cardsOf(101)).etag).not.toBe(pages[0]?.etag)
    // Too large to be compressed synchronously.
    const large = made('zstd', 'large '.repeat(30_000))
    expect([...large.encoded.keys()]).toEqual(['identity'])
    expect(large.etag).toBe(made(null, 'large '.repeat(30_000)).etag)
  })

  it('is brought into an encoding once for all who ask for that at the same time, and again after a failure', async () => {
    const page = makePage(200, {}, [cardsOf(100)], 0, 'zstd')
    for (const encoding of ['gzip', 'br', 'identity'] as const) {
      const [first, ...others] = await Promise.all(Array.from({ length: 5 }, () => encodedBody(page, encoding)))
      for (const other of others) expect(other).toBe(first)
    }
    const broken = { ...page, encoded: new Map([['zstd', Buffer.from('no frame of zstd')]] as const) }
    await expect(encodedBody(broken, 'br')).rejects.toThrow()
    broken.encoded.set('zstd', await encodedBody(page, 'zstd'))
    expect(brotliDecompressSync(await encodedBody(broken, 'br')).toString()).toBe(cardsOf(100))
  })

  it('does not hold its plain bytes once it is compressed', async () => {
    const page = aPage('x'.repeat(50_000))
    await encodedBody(page, 'br')
    expect([...page.encoded.keys()]).toEqual(['br'])
  })

  it('is known to whoever names its tag, alone or among others, however strong they take it to be (RFC 9110, 13.1.2)', () => {
    const page = aPage('a')
    const strong = page.etag.replace('W/', '')
    for (const known of [page.etag, strong, `"b", ${page.etag}`, `${strong},W/"b"`, `W/"a,b" ,\t${page.etag} `, '*']) {
      expect({ known, is: isKnown(page, known) }).toEqual({ known, is: true })
    }
    for (const other of [
      undefined,
      null,
      '',
      '"',
      aPage('b').etag,
      strong.slice(1),
      strong.slice(0, -1),
      `"x${strong}`,
    ]) {
      expect({ other, is: isKnown(page, other) }).toEqual({ other, is: false })
    }
  })

  it('has another tag when its text differs', () => {
    expect(aPage('a').etag).not.toBe(aPage('b').etag)
    expect(aPage('a').etag).toBe(aPage('a').etag)
  })
})

describe('the page cache', () => {
  it('lets the page go that was asked for longest ago when there is no room', () => {
    const cache = aCache({ maxBytes: 60_000 })
    for (const key of ['/a', '/b', '/c']) cache.put(key, aPage(key.repeat(5_000)), cache.generation)
    cache.get('/a')
    for (const key of ['/d', '/e']) cache.put(key, aPage(key.repeat(5_000)), cache.generation)
    expect(['/a', '/b', '/c', '/d', '/e'].filter((key) => cache.get(key))).toEqual(['/a', '/c', '/d', '/e'])
  })

  it('forgets a page when its time is over', () => {
    let now = 0
    const cache = aCache({ now: () => now })
    cache.put('/a', aPage('a'), cache.generation)
    now = 1001
    expect(cache.get('/a')).toBeUndefined()
  })

  it('does not keep what was made from the state before it was emptied', () => {
    const cache = aCache()
    const { generation } = cache
    cache.clear()
    cache.put('/a', aPage('a'), generation)
    expect(cache.get('/a')).toBeUndefined()
  })
})

describe('the encoding of a page', () => {
  const browser = 'gzip, deflate, br, zstd'
  const inThese = (...encodings: ('br' | 'zstd')[]) => {
    const page = aPage('text')
    for (const encoding of encodings) page.encoded.set(encoding, Buffer.from(encoding))
    return page
  }

  it('is the small one where it is there already, and a quick one before', () => {
    expect(encodingOf(inThese(), browser)).toBe('zstd')
    expect(encodingOf(inThese('zstd'), browser)).toBe('zstd')
    expect(encodingOf(inThese('zstd', 'br'), browser)).toBe('br')
    expect(encodingOf(inThese('zstd'), 'gzip, deflate, br')).toBe('br')
    expect(encodingOf(inThese('br'), 'gzip, zstd')).toBe('zstd')
    expect(encodingOf(inThese('br'), 'gzip')).toBe('gzip')
    expect(encodingOf(inThese(), null)).toBe('identity')
  })

  it('is small at once where a cache in front keeps what it is given', () => {
    const saying = (control: string) => ({ ...inThese(), headers: { 'Cache-Control': control } })
    expect(encodingOf(saying('public, max-age=0, s-maxage=300'), browser)).toBe('br')
    expect(encodingOf(saying('public, max-age=0, must-revalidate'), browser)).toBe('zstd')
  })
})

describe('a page that was compressed quickly', () => {
  const html = cardsOf(400)

  it('is made small when it is asked for again, and is what it was', async () => {
    const cache = aCache()
    const page = aPage(html)
    const quick = await encodedBody(page, 'zstd')
    cache.put('/a', page, cache.generation)
    expect([...page.encoded.keys()]).toEqual(['zstd'])
    const again = cache.get('/a')
    expect(again?.encoded.get('zstd')).toBe(quick)
    await vi.waitFor(() => expect([...(again?.encoded.keys() ?? [])]).toEqual(['br']))
    const small = cache.get('/a')?.encoded.get('br') ?? Buffer.alloc(0)
    expect(small.length).toBeLessThan(quick.length)
    expect(brotliDecompressSync(small).toString()).toBe(html)
  })

  it('stays as it is where that is smaller already', async () => {
    const cache = aCache()
    const page = aPage('<p>1</p>')
    // Nothing compresses below zero bytes.
    const quick = Buffer.alloc(1)
    page.encoded.set('zstd', quick)
    cache.put('/a', page, cache.generation)
    cache.get('/a')
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(cache.get('/a')?.encoded.get('zstd')).toBe(quick)
    expect(cache.get('/a')?.encoded.has('br')).toBe(false)
  })

  it('is left alone where nobody asks again, or it went out in another encoding', async () => {
    const cache = aCache()
    const [once, gzipped] = [aPage(html), aPage(html)]
    await Promise.all([encodedBody(once, 'zstd'), encodedBody(gzipped, 'gzip')])
    cache.put('/once', once, cache.generation)
    cache.put('/gzipped', gzipped, cache.generation)
    cache.get('/gzipped')
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect([once, gzipped].map(({ encoded }) => [...encoded.keys()])).toEqual([['zstd'], ['gzip']])
  })
})

describe('a page whose time has just passed', () => {
  it('goes to the first who asks with the task to make it anew, and as it is to all others meanwhile', () => {
    let now = 0
    const cache = aCache({ staleMs: 500, now: () => now })
    cache.put('/a', aPage('old'), cache.generation)
    now = 1200
    expect(cache.get('/a')).toBeUndefined()
    const stale = cache.stale('/a')
    expect(stale?.encoded.get('identity')?.toString()).toBe('old')
    expect(cache.get('/a')).toBeDefined()
    cache.put('/a', aPage('new', now), cache.generation)
    now = 2100
    expect(cache.get('/a')?.encoded.get('identity')?.toString()).toBe('new')
  })

  it('is asked for again when whoever made it anew has failed, and not kept beyond its grace', () => {
    let now = 0
    const cache = aCache({ staleMs: 60_000, now: () => now })
    cache.put('/a', aPage('old'), cache.generation)
    now = 1200
    cache.stale('/a')
    expect(cache.get('/a')).toBeDefined()
    now += 2_000
    expect(cache.get('/a')).toBeUndefined()
    expect(cache.stale('/a')).toBeDefined()
    now = 61_001
    expect(cache.get('/a')).toBeUndefined()
    expect(cache.stale('/a')).toBeUndefined()
  })

  it('never goes out when what it shows has changed', () => {
    let now = 0
    const cache = aCache({ staleMs: 500, now: () => now })
    cache.put('/a', { ...aPage('old'), tags: ['product-1'] }, cache.generation)
    now = 1200
    cache.stale('/a')
    cache.forget(['product-1'])
    expect(cache.get('/a')).toBeUndefined()
    expect(cache.stale('/a')).toBeUndefined()
  })
})

describe('pages that show something', () => {
  it('are forgotten by it, and others are not', () => {
    const cache = aCache()
    const tags = { '/one': ['product-1', 'language-de-DE'], '/two': ['product-2'], '/none': undefined }
    for (const [key, shown] of Object.entries(tags))
      cache.put(key, { ...aPage(key), ...(shown ? { tags: shown } : {}) }, cache.generation)
    const { generation } = cache
    cache.forget(['product-1', 'category-x'])
    expect(Object.keys(tags).filter((key) => cache.get(key))).toEqual(['/two'])
    cache.put('/late', { ...aPage('late'), tags: ['product-3'] }, generation)
    expect(cache.get('/late')).toBeUndefined()
    cache.forget([])
    expect(cache.get('/two')).toBeDefined()
  })
})

describe('a page that many ask for at once', () => {
  it('is made once, and again for those who come after a change', async () => {
    const cache = aCache()
    let made = 0
    const held: (() => void)[] = []
    const make = () => {
      made += 1
      const page = aPage(`made ${made}`)
      return new Promise<typeof page>((resolve) => held.push(() => resolve(page)))
    }
    const early = Array.from({ length: 20 }, () => cache.buildOnce('/a', make))
    await Promise.resolve()
    cache.clear()
    const late = Array.from({ length: 20 }, () => cache.buildOnce('/a', make))
    await Promise.resolve()
    expect(made).toBe(2)
    for (const go of held) go()
    const texts = async (pages: typeof early) =>
      new Set((await Promise.all(pages)).map((page) => page instanceof Response || page.etag))
    expect(await texts(early)).toEqual(new Set([aPage('made 1').etag]))
    expect(await texts(late)).toEqual(new Set([aPage('made 2').etag]))
    void cache.buildOnce('/a', make)
    await Promise.resolve()
    expect(made).toBe(3)
  })

  it('fails for all who wait, and is tried again for the next', async () => {
    const cache = aCache()
    const broken = () => Promise.reject(new Error('no database'))
    const all = await Promise.allSettled([cache.buildOnce('/a', broken), cache.buildOnce('/a', broken)])
    expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await cache.buildOnce('/a', async () => aPage('a'))).toBeDefined()
  })

  it('is begun again for who comes while it hangs, and then given to those who wait already', async () => {
    let at = 0
    const cache = aCache({ now: () => at })
    const hung = Promise.withResolvers<ReturnType<typeof aPage>>()
    const first = cache.buildOnce('/a', () => hung.promise)
    const waits = cache.buildOnce('/a', async () => aPage('not needed'))
    at = buildTimeoutMs
    const waitsToo = cache.buildOnce('/a', async () => aPage('not needed'))
    at += 1
    expect(await cache.buildOnce('/a', async () => aPage('a'))).toMatchObject({ etag: aPage('a').etag })
    expect(await Promise.all([waits, waitsToo])).toMatchObject([{ etag: aPage('a').etag }, { etag: aPage('a').etag }])
    hung.reject(new Error('no database'))
    await expect(first).rejects.toThrow('no database')
    expect(await cache.buildOnce('/a', async () => aPage('b'))).toMatchObject({ etag: aPage('b').etag })
  })

  it('does not hang while it waits for others to be made', async () => {
    let at = 0
    const cache = aCache({ now: () => at })
    const held = Promise.withResolvers<ReturnType<typeof aPage>>()
    for (let other = 0; other < 16; other += 1) void cache.buildOnce(`/${other}`, () => held.promise)
    let made = 0
    const make = async () => aPage(`made ${++made}`)
    const early = cache.buildOnce('/a', make)
    at = 2 * buildTimeoutMs
    const late = cache.buildOnce('/a', make)
    held.resolve(aPage('other'))
    expect(await early).toBe(await late)
    expect(made).toBe(1)
  })

  it("is everybody's own answer where it turns out to be no page", async () => {
    const cache = aCache()
    const answers = await Promise.all([1, 2].map(() => cache.buildOnce('/a', async () => new Response('gone'))))
    expect(await Promise.all(answers.map((one) => one instanceof Response && one.text()))).toEqual(['gone', 'gone'])
  })
})

describe('many pages that are asked for at once', () => {
  it('are made sixteen at a time, in the order in which they were asked for; one that fails makes room', async () => {
    const cache = aCache()
    const begun: string[] = []
    const held: (() => void)[] = []
    const ask = (key: string) =>
      cache.buildOnce(key, async () => {
        begun.push(key)
        await new Promise<void>((resolve) => held.push(resolve))
        if (key === '/0') throw new Error('no database')
        return aPage(key)
      })
    const keys = Array.from({ length: 18 }, (_, at) => `/${at}`)
    const all = Promise.allSettled(keys.map(ask))
    await expect.poll(() => held.length).toBe(16)
    held[0]?.()
    await expect.poll(() => begun).toEqual(keys.slice(0, 17))
    for (const go of held) go()
    await expect.poll(() => held.length).toBe(18)
    for (const go of held) go()
    expect((await all).map(({ status }) => status)).toEqual(['rejected', ...keys.slice(1).map(() => 'fulfilled')])
  })
})
