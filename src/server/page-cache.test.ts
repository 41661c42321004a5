import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { acceptedEncoding, createPageCache, encodedBody, makePage } from './page-cache.ts'

const aPage = (html: string, madeAt = 0) => makePage(200, { 'Content-Type': 'text/html' }, html, madeAt)
const aCache = ({ maxBytes = 100_000, lifeMs = 1000, now = (): number => 0 } = {}) =>
  createPageCache({ maxBytes, lifeMs, now })

describe('a finished page', () => {
  it('gives the same text in every encoding, in whatever order they are asked for', async () => {
    const html = '<p>ümlaut & more</p>'.repeat(500)
    const page = aPage(html)
    expect(brotliDecompressSync(await encodedBody(page, 'br')).toString()).toBe(html)
    expect((await encodedBody(page, 'identity')).toString()).toBe(html)
    expect(gunzipSync(await encodedBody(page, 'gzip')).toString()).toBe(html)
    expect((await encodedBody(page, 'identity')).toString()).toBe(html)
  })

  it('does not hold its plain bytes once it is compressed', async () => {
    const page = aPage('x'.repeat(50_000))
    await encodedBody(page, 'br')
    expect([...page.encoded.keys()]).toEqual(['br'])
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

describe('the accepted encoding', () => {
  it.each([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', 'identity'],
    [null, 'identity'],
  ])('of %s is %s', (header, encoding) => {
    expect(acceptedEncoding(header)).toBe(encoding)
  })
})
