import { describe, expect, it } from 'vitest'
import { purgeCalls } from './purge-requests.ts'

const products = (count: number) => Array.from({ length: count }, (_, at) => `product-${at}`)

describe('a call that has a cache let go of pages', () => {
  it('to Fastly holds the keys in its body', () => {
    const { calls } = purgeCalls({ way: 'fastly', token: 'secret' }, 'https://api.fastly.com/service/SU1', [
      'catalog',
      'product-7',
    ])
    expect(calls).toEqual([
      {
        url: 'https://api.fastly.com/service/SU1/purge',
        method: 'POST',
        headers: { accept: 'application/json', 'content-type': 'application/json', 'fastly-key': 'secret' },
        body: '{"surrogate_keys":["catalog","product-7"]}',
      },
    ])
  })

  it('to Cloudflare holds thirty tags at most', () => {
    const zone = 'https://api.cloudflare.com/client/v4/zones/023e'
    const { calls, all } = purgeCalls({ way: 'cloudflare', token: 'secret' }, zone, products(61))
    expect(calls.map(({ body }) => JSON.parse(body ?? '').tags.length)).toEqual([30, 30, 1])
    expect(calls[0]).toMatchObject({ url: `${zone}/purge_cache`, method: 'POST' })
    expect(calls[0]?.headers).toMatchObject({ authorization: 'Bearer secret' })
    expect(all).toBe(false)
  })

  it('to Varnish holds them in a header that it takes, with a token where there is one', () => {
    const long = products(255).map((tag) => `${tag}-${'%E3%81%82'.repeat(4)}`)
    const { calls } = purgeCalls({ way: 'varnish', token: null }, 'http://10.0.0.5:6081', long.slice(0, 150))
    expect(calls.every(({ method, url }) => method === 'PURGE' && url === 'http://10.0.0.5:6081/')).toBe(true)
    const held = calls.map(({ headers }) => headers['surrogate-key'] ?? '')
    expect(Math.max(...held.map((keys) => keys.length))).toBeLessThanOrEqual(4_000)
    expect(held.join(' ').split(' ')).toEqual(long.slice(0, 150))
    expect(calls[0]?.headers).not.toHaveProperty('authorization')
    const [one] = purgeCalls({ way: 'varnish', token: 'secret' }, 'http://10.0.0.5:6081', ['catalog']).calls
    expect(one?.headers).toEqual({ 'surrogate-key': 'catalog', authorization: 'Bearer secret' })
  })

  it.each([
    ['fastly', 768],
    ['cloudflare', 90],
  ] as const)('to %s is one for all pages where %d tags would not do', (way, most) => {
    const told = (tags: readonly string[] | null) => purgeCalls({ way, token: 'secret' }, 'https://api.example/x', tags)
    expect(told(products(most))).toMatchObject({ all: false, calls: { length: 3 } })
    const { calls, all } = told(products(most + 1))
    expect([all, calls.length]).toEqual([true, 1])
    expect(calls[0]?.body).toContain('["page"]')
    expect(told(null)).toEqual({ calls, all })
  })

  it('names a tag once', () => {
    const { calls } = purgeCalls({ way: 'varnish', token: null }, 'http://a', ['catalog', 'catalog'])
    expect(calls[0]?.headers['surrogate-key']).toBe('catalog')
  })
})
