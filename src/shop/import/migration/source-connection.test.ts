import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemEnvironment, systemLog } from '#server/operations/startup/environment.ts'
import { aClassicShop, type ClassicShop, consumerKey, consumerSecret } from '#tests/support/import/classic-shop.ts'
import { type ConnectionOptions, connectToSource } from './source-connection.ts'

const key = { consumerKey, consumerSecret }
let shop: ClassicShop
let waits: number[]
beforeEach(async () => {
  shop = await aClassicShop()
  waits = []
})
afterEach(() => shop.close())

function tools() {
  const environment = systemEnvironment(systemLog('silent'))
  const clock = { ...environment.clock, sleep: async (ms: number) => void waits.push(ms) }
  return { ...environment, clock }
}

/** Connects to the recorded shop on this machine, or as if over https. */
function connect(over: 'http' | 'https', more: Partial<ConnectionOptions> = {}) {
  const address = over === 'http' ? `http://127.0.0.1:${shop.port}` : 'https://old.example'
  const network = over === 'http' ? tools().network : shop.network
  return connectToSource({ ...tools(), network }, { address, key, insecureHttp: false, ...more })
}

describe('the connection to another shop', () => {
  it('signs requests on http and sends the key on https, and reads the page headers', async () => {
    for (const over of ['http', 'https'] as const) {
      const answer = await connect(over).read('coupons', { per_page: 2, page: 1, order: 'asc', orderby: 'id' })
      expect(answer).toMatchObject({ total: 7, pages: 4, body: [{ id: 301 }, { id: 302 }] })
    }
    expect(shop.requests.map(({ query }) => [...query.keys()].some((name) => name.startsWith('oauth_')))).toEqual([
      true,
      false,
    ])
    expect(JSON.stringify(shop.requests)).not.toContain(consumerSecret)
    await connect('https', { keyInQuery: true }).read('coupons')
    expect(shop.requests.at(-1)?.query.get('consumer_secret')).toBe(consumerSecret)
  })

  it('names a wrong key without repeating it', async () => {
    const wrong = { consumerKey, consumerSecret: `cs_${'c3'.repeat(20)}` }
    for (const over of ['http', 'https'] as const) {
      const failure = await connect(over, { key: wrong })
        .read('coupons')
        .catch((error: Error) => error)
      expect(failure).toMatchObject({ message: expect.stringContaining('refuses the key'), status: 401 })
      expect(String(failure)).not.toContain('c3c3')
      expect(String(failure)).not.toContain('oauth_signature')
    }
    expect(waits).toEqual([])
  })

  it('repeats after 429 and server errors, as long as the shop asks or longer each time, and then ends', async () => {
    shop.troubles.push(
      { path: 'coupons', status: 429, headers: { 'retry-after': '7' } },
      { path: 'coupons', status: 500 },
      { path: 'coupons', status: 503 },
      { path: 'coupons', status: 200, body: '<html>maintenance</html>' },
    )
    expect(await connect('https').read('coupons')).toMatchObject({ total: 7 })
    expect(waits[0]).toBe(7000)
    expect(waits).toHaveLength(4)
    for (const [at, from] of [
      [1, 1500],
      [2, 3000],
      [3, 6000],
    ] as const) {
      expect(waits[at]).toBeGreaterThanOrEqual(from)
      expect(waits[at]).toBeLessThanOrEqual(from * 2)
    }
    shop.troubles.push(...Array.from({ length: 7 }, () => ({ path: 'coupons', status: 502 })))
    await expect(connect('https').read('coupons')).rejects.toThrow(
      'old.example/wp-json/wc/v3/coupons: status 502, 7 times in a row',
    )
  })

  it('follows redirects within the shop only: the key reaches no other host', async () => {
    shop.troubles.push({ path: 'taxes', status: 301, headers: { location: '/wp-json/wc/v3/coupons' } })
    expect(await connect('https').read('taxes')).toMatchObject({ total: 7 })
    for (const location of ['https://evil.example/wp-json/wc/v3/taxes', 'http://old.example/wp-json/wc/v3/taxes']) {
      shop.troubles.push({ path: 'taxes', status: 302, headers: { location } })
      await expect(connect('https').read('taxes')).rejects.toThrow(`redirects to ${location}`)
    }
    shop.troubles.push(
      ...Array.from({ length: 4 }, () => ({
        path: 'taxes',
        status: 302,
        headers: { location: '/wp-json/wc/v3/taxes' },
      })),
    )
    await expect(connect('https').read('taxes')).rejects.toThrow('more than 3 redirects')
  })

  it('takes plain http for this machine, or where it was allowed', () => {
    const open = (address: string, insecureHttp = false) =>
      connectToSource(tools(), { address, key, insecureHttp }).location
    expect(() => open('http://old.example')).toThrow('--insecure-http')
    expect(open('http://old.example', true)).toMatchObject({ name: 'old.example', loopback: false })
    expect(open('http://127.0.0.1:8080/shop/')).toMatchObject({ name: '127.0.0.1:8080/shop', loopback: true })
    expect(open('old.example/wp-json/wc/v3')).toMatchObject({ root: 'https://old.example', name: 'old.example' })
    expect(() => open('https://ck_1:cs_2@old.example')).toThrow('contains a password')
    expect(() => open('ftp://old.example')).toThrow('is not the address of a shop')
  })

  it('reaches no server of the own network under a name of the internet', async () => {
    const source = connectToSource(tools(), { address: 'https://10.0.0.7', key, insecureHttp: false })
    await expect(source.read('coupons')).rejects.toThrow('private address')
  })

  it('answers null for a list that the shop does not have', async () => {
    expect(await connect('https').read('products/unknown')).toBeNull()
  })
})
