import { lookup as systemLookup } from 'node:dns'
import { type IncomingMessage, request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import { createBrotliDecompress, createUnzip } from 'node:zlib'
import type { Network, OutgoingInit } from '#contract/shared/environment.ts'
import { isPublicAddress } from './public-address.ts'

/** Resolves all addresses of a name, like `dns.lookup` with `all`: an error comes without a list. */
export type AddressLookup = (
  host: string,
  found: (error: Error | null, addresses?: readonly { address: string; family: number }[]) => void,
) => void

type GuardOptions = {
  /** `host` or `host:port` of servers in the operator's own network that are allowed nevertheless. */
  readonly privateHosts: readonly string[]
  readonly lookup?: AddressLookup
}

const withEmptyBody = new Set([204, 205, 304])

/**
 * Creates a network whose calls of reach `internet` are restricted to public addresses. It rejects other schemes,
 * credentials in the URL, and every address of this machine or its network. A name is checked by the addresses that the
 * connection uses, which prevents DNS rebinding. Redirects are not followed.
 * @param plain for calls whose address only the operator determines
 */
export function guardedNetwork(plain: Network['fetch'], { privateHosts, lookup = lookupAll }: GuardOptions): Network {
  const allowed = new Set(privateHosts.map((host) => host.toLowerCase()))
  return {
    async fetch(address, { reach, ...init }: OutgoingInit = {}) {
      if (reach !== 'internet') return plain(address, init)
      const url = URL.parse(String(address))
      if (!url || !/^https?:$/.test(url.protocol)) throw refusal('not an http or https URL')
      if (url.username || url.password) throw refusal('a name or password in the address')
      const isAllowed = allowed.has(url.host) || allowed.has(url.hostname)
      const host = url.hostname.replace(/^\[|\]$/g, '')
      // A literal address is never looked up.
      if (!isAllowed && isIP(host) && !isPublicAddress(host)) throw refusal('a private address')
      return answerOf(
        await send(url, init, judgedLookup(lookup, isAllowed ? () => true : isPublicAddress)),
        init.redirect,
      )
    },
  }
}

/** Returns an error in the form of the platform's fetch for unsent requests, with a code for the reason. */
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
        return done(refusal('a name that resolves to a private address'), '')
      }
      if (all) done(null, [...addresses])
      else done(null, first.address, first.family)
    })
}

const lookupAll: AddressLookup = (host, found) => systemLookup(host, { all: true }, found)

function send(url: URL, init: RequestInit, lookup: LookupFunction): Promise<IncomingMessage> {
  const { body, method = 'GET', signal } = init
  if (body != null && typeof body !== 'string') throw new TypeError('only string bodies are supported')
  return new Promise((resolve, reject) => {
    const headers = { 'accept-encoding': 'gzip, deflate, br', ...Object.fromEntries(new Headers(init.headers)) }
    const request = (url.protocol === 'https:' ? overHttps : overHttp)(url, {
      method,
      headers,
      // A new connection: a pooled one was checked for another call.
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
  // A transfer error becomes an error of the stream.
  const body = unpacked ? pipeline(message, unpacked, () => {}) : message
  return new Response(Readable.toWeb(body) as ReadableStream<Uint8Array>, { status, headers: kept })
}

function unpackedBy(encoding = ''): (NodeJS.ReadWriteStream & Readable) | null {
  if (/^(?:x-)?gzip$|^deflate$/i.test(encoding)) return createUnzip()
  return /^br$/i.test(encoding) ? createBrotliDecompress() : null
}
