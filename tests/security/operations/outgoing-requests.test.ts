import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Network } from '#contract/shared/environment.ts'
import { certificateAddress } from '#paypal/webhook-signature.ts'
import { systemClock } from '#server/operations/startup/environment.ts'
import { fetchRates } from '#shop/currency/fetch-exchange-rates.ts'
import { remoteImage } from '#shop/import/fetch-remote-file.ts'
import { type AddressLookup, guardedNetwork } from '#shop/shared/guarded-fetch.ts'
import { libreTranslateEngine } from '#shop/translation/machine/libretranslate-engine.ts'
import { hostileRedirects, hostileServers, insideNames } from '#tests/security/support/hostile-urls.ts'
import { size } from '#tests/support/size.ts'

/** A server on this machine, which is inside of every network that a shop may stand in. */
let heard: string[] = []
let redirectTo: string | null = null
const server = createServer((request, response) => {
  heard.push(`${request.method} ${request.url}`)
  if (redirectTo) response.writeHead(302, { location: redirectTo })
  response.end('{}')
})
let port = 0
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  heard = []
  redirectTo = null
})

const nameOf = (host: string) => host.toLowerCase().replace(/\.$/, '')
let lookedUp: string[] = []
const lookup: AddressLookup = (host, found) => {
  lookedUp.push(host)
  const addresses = insideNames[nameOf(host)]
  // Nothing of the corpus may reach the resolver of this machine, or a server of the internet.
  // As the system's does: an error and nothing else.
  if (!addresses) return found(new Error(`nobody knows ${host}`))
  found(
    null,
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  )
}

/** Every call of a shop that an address out of a setting, a file or a message steers. */
let unguarded = 0
const networkWith = (privateHosts: readonly string[]): Network =>
  guardedNetwork(
    async (url, init) => {
      unguarded += 1
      return fetch(url, init)
    },
    { privateHosts, lookup },
  )
const callers: readonly [name: string, call: (network: Network, address: string) => Promise<string>][] = [
  [
    'the source of rates',
    async (network, address) => {
      const rates = await fetchRates({ clock: systemClock, network }, address)
      return rates.ok ? 'answered' : rates.fault
    },
  ],
  [
    'the engine that translates',
    async (network, address) => {
      const engine = libreTranslateEngine({ clock: systemClock, network, address, key: '' })
      const answer = await engine.translate(['Mug'], { from: 'en', to: 'de' }, 'text')
      return answer.ok ? 'answered' : answer.reason
    },
  ],
  [
    'a picture of a product file',
    // As if the first look had found nothing: what counts is the connection.
    (network, address) =>
      remoteImage(network, async () => ['93.184.216.34'], address).then(
        () => 'answered',
        (error: unknown) => String(error),
      ),
  ],
]

describe.each(callers)('%s', (_, call) => {
  it('T22 M12 asks nobody inside the network, however the address is written', { timeout: 60_000 }, async () => {
    unguarded = 0
    const escaped: string[] = []
    for (const address of hostileServers(size(1000, 4000), port)) {
      const said = await call(networkWith([]), address)
      // Whatever was tried to connect would be refused by another word: ECONNREFUSED, or a time that ran out.
      const known =
        /ERR_PRIVATE_ADDRESS|refused|fetch failed|private address|scheme|password|Invalid URL|nobody knows|ENOTFOUND/
      if (!known.test(said) || /ECONN|EHOST|ENET|no answer/.test(said)) escaped.push(`${address} ${said}`)
    }
    expect(escaped).toEqual([])
    expect([heard, unguarded]).toEqual([[], 0])
  })

  it('T22 asks whom the operator has named, by host or by host and port, and follows nobody from there', async () => {
    const before = unguarded
    for (const named of ['127.0.0.1', `127.0.0.1:${port}`])
      await call(networkWith([named]), `http://127.0.0.1:${port}/rates`)
    // A picture is looked at twice: the first look knows nothing of the operator's list.
    const reached = heard.length
    if (call !== callers[2]?.[1]) expect(reached).toBeGreaterThanOrEqual(2)
    await call(networkWith(['127.0.0.1:1', '10.0.0.7']), `http://127.0.0.1:${port}/`)
    expect(heard).toHaveLength(reached)
    redirectTo = `http://127.0.0.1:${port}/elsewhere`
    await call(networkWith([`127.0.0.1:${port}`]), `http://127.0.0.1:${port}/`)
    expect(heard.filter((line) => line.includes('elsewhere'))).toEqual([])
    expect(unguarded).toBe(before)
  })
})

describe('a name', () => {
  it('T22 is looked up once, for the connection itself, so that it cannot change in between', async () => {
    lookedUp = []
    let turn = 0
    const turning: AddressLookup = (host, found) => {
      lookedUp.push(host)
      turn += 1
      found(null, [{ address: turn % 2 === 0 ? '93.184.216.34' : '127.0.0.1', family: 4 }])
    }
    const network = guardedNetwork(async () => new Response('unguarded'), { privateHosts: [], lookup: turning })
    const error = await network
      .fetch(`http://turning.example:${port}/`, { reach: 'internet' })
      .catch((why: unknown) => why)
    expect(error).toMatchObject({ cause: { code: 'ERR_PRIVATE_ADDRESS' } })
    expect([lookedUp, heard]).toEqual([['turning.example'], []])
  })

  it('T22 that the operator has named may lead inside, and is asked with what it was sent', async () => {
    const found: AddressLookup = (_, done) => done(null, [{ address: '127.0.0.1', family: 4 }])
    const network = guardedNetwork(async () => new Response('unguarded'), {
      privateHosts: ['Rates.Internal'],
      lookup: found,
    })
    const answer = await network.fetch(`http://rates.internal:${port}/a`, {
      reach: 'internet',
      method: 'POST',
      body: 'x',
    })
    expect([answer.status, await answer.text(), heard]).toEqual([200, '{}', ['POST /a']])
  })
})

describe('the certificate of a notification', () => {
  const certHosts = ['api.paypal.com']
  const good = 'https://api.paypal.com/v1/notifications/certs/CERT-1'

  it('T22 M12 comes from the hosts of the provider alone', () => {
    expect(certificateAddress(good, certHosts)).toBe(good)
    const path = '/v1/notifications/certs/CERT-1'
    const corpus = [
      ...hostileServers(size(1000, 4000), port),
      ...hostileRedirects(size(1000, 4000), 'api.paypal.com').flatMap((address) => [address, `${address}${path}`]),
    ]
    const taken = corpus.map((address) => certificateAddress(address, certHosts)).filter((url) => url !== undefined)
    // What is taken must be the provider's own, whatever it looked like.
    expect(taken.filter((url) => !url.startsWith('https://api.paypal.com/v1/notifications/certs/'))).toEqual([])
  })
})

describe('a name server that knows nothing, or does not answer', () => {
  it('F6 F32: refuses the call, and leaves the process alone', async () => {
    // The system's own lookup: with an error it tells of no list of addresses.
    const network = guardedNetwork(fetch, { privateHosts: [] })
    const refused = await network.fetch('https://rates.invalid/', { reach: 'internet' }).catch((error: Error) => error)
    expect(refused).toBeInstanceOf(TypeError)
    expect((refused as Error).cause).toMatchObject({ code: expect.stringMatching(/^(ENOTFOUND|EAI_AGAIN|EAI_FAIL)$/) })

    expect(await fetchRates({ clock: systemClock, network }, 'https://rates.invalid/')).toMatchObject({ ok: false })
  })
})
