import { lookup as systemLookup } from 'node:dns'
import { type IncomingMessage, request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import { createBrotliDecompress, createUnzip } from 'node:zlib'
import type { Network, OutgoingInit } from '#contract/shared/environment.ts'
import { isPublicAddress } from './public-address.ts'

/** Finds all addresses of a name, as `dns.lookup` does with `all`: with an error it tells of no list at all. */
export type AddressLookup = (
  host: string,
  found: (error: Error | null, addresses?: readonly { address: string; family: number }[]) => void,
) => void

type GuardOptions = {
  /** `host` or `host:port` of servers inside the operator's own network that may be asked all the same. */
  readonly privateHosts: readonly string[]
  readonly lookup?: AddressLookup
}

const withEmptyBody = new Set([204, 205, 304])

/**
 * A network whose calls of reach `internet` end on the open internet: other schemes, names and passwords in the address, and
 * every address of this machine or its network are refused. A name is judged by the addresses that the connection is then
 * made to, so that none can be one thing when it is looked up and another when it is used. Redirects are not followed.
 * @param plain for the calls whose address nobody but the operator decides
 */
export function guardedNetwork(plain: Network['fetch'], { privateHosts, lookup = lookupAll }: GuardOptions): Network {
  const allowed = new Set(privateHosts.map((host) => host.toLowerCase()))
  return {
    async fetch(address, { reach, ...init }: OutgoingInit = {}) {
      if (reach !== 'internet') return plain(address, init)
      const url = URL.parse(String(address))
      if (!url || !/^https?:$/.test(url.protocol)) throw refusal('no address of the web')
      if (url.username || url.password) throw refusal('a name or password in the address')
      const isAllowed = allowed.has(url.host) || allowed.has(url.hostname)
      const host = url.hostname.replace(/^\[|\]$/g, '')
      // What is an address already is never looked up.
      if (!isAllowed && isIP(host) && !isPublicAddress(host)) throw refusal('an address inside the network')
      return answerOf(
        await send(url, init, judgedLookup(lookup, isAllowed ? () => true : isPublicAddress)),
        init.redirect,
      )
    },
  }
}

/** As the platform's own fetch words what never left, with a code that says why. */
function refusal(reason: string): TypeError {
  return new TypeError('fetch failed', {
    cause: Object.assign(new Error(`refused: ${reason}`), { code: 'ERR_PRIVATE_ADDRESS' }),
  })
}

function judgedLookup(lookup: AddressLookup, isGood: (address: string) => boolean): LookupFunction {
  return (host, { all }, done) =>
    lookup(host, (error, addresses) => {
      const [first] = addresses ?? []
      if (error || !addresses || !first) return done(error ?? new Error(`${host} has no address`), '')
      if (!addresses.every(({ address }) => isGood(address))) {
        return done(refusal('a name that leads inside the network'), '')
      }
      if (all) done(null, [...addresses])
      else done(null, first.address, first.family)
    })
}

const lookupAll: AddressLookup = (host, found) => systemLookup(host, { all: true }, found)

function send(url: URL, init: RequestInit, lookup: LookupFunction): Promise<IncomingMessage> {
  const { body, method = 'GET', signal } = init
  if (body != null && typeof body !== 'string') throw new TypeError('only texts are sent')
  return new Promise((resolve, reject) => {
    const headers = { 'accept-encoding': 'gzip, deflate, br', ...Object.fromEntries(new Headers(init.headers)) }
    const request = (url.protocol === 'https:' ? overHttps : overHttp)(url, {
      method,
      headers,
      // A connection of its own: one that is kept was judged for another call.
      agent: false,
      lookup,
      ...(signal && { signal }),
    })
    request.once('response', resolve)
    request.once('error', (error) =>
      reject(error instanceof TypeError || signal?.aborted ? error : new TypeError('fetch failed', { cause: error })),
    )
    request.end(body ?? undefined)
  })
}

function answerOf(message: IncomingMessage, redirect: RequestInit['redirect']): Response {
  const { statusCode: status = 502, headers } = message
  if (redirect === 'error' && status >= 300 && status < 400) {
    message.destroy()
    throw new TypeError('fetch failed', { cause: new Error('redirected') })
  }
  const kept = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    (Array.isArray(value) ? value : [value ?? '']).map((one) => [name, one]),
  )
  if (withEmptyBody.has(status)) {
    message.resume()
    return new Response(null, { status, headers: kept })
  }
  const unpacked = unpackedBy(headers['content-encoding'])
  // Whatever breaks on the way is an error of the stream that is read.
  const body = unpacked ? pipeline(message, unpacked, () => {}) : message
  return new Response(Readable.toWeb(body) as ReadableStream<Uint8Array>, { status, headers: kept })
}

function unpackedBy(encoding = ''): (NodeJS.ReadWriteStream & Readable) | null {
  if (/^(?:x-)?gzip$|^deflate$/i.test(encoding)) return createUnzip()
  return /^br$/i.test(encoding) ? createBrotliDecompress() : null
}
