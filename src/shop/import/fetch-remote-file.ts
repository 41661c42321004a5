import { isIP } from 'node:net'
import type { Network } from '#contract/shared/environment.ts'
import { isPublicAddress } from '../shared/public-address.ts'
import { SourceProblem } from '../shared/source-problem.ts'

/** Resolves all addresses of a host name. */
export type HostLookup = (host: string) => Promise<readonly string[]>

export const isRemote = (source: string) => /^https?:\/\//i.test(source)

export const largestImageBytes = 25 * 1024 * 1024
const imageTimeoutMs = 15_000
const largestFileBytes = 2 * 1024 ** 3
const fileTimeoutMs = 10 * 60_000

/**
 * Fetches an image of a product file, within limits of time, size, type and network.
 * @param trustedOrigin an origin on this machine that the operator named
 * @throws SourceProblem
 */
export async function remoteImage(
  network: Network,
  lookup: HostLookup,
  address: string,
  trustedOrigin?: string,
): Promise<Uint8Array> {
  const accept = 'image/avif,image/webp,image/png,image/jpeg'
  const response = await openResponse(network, lookup, address, { accept, timeoutMs: imageTimeoutMs, trustedOrigin })
  const type = response.headers.get('content-type') ?? ''
  if (!type.startsWith('image/')) throw new SourceProblem(`is "${type}", not an image`)
  const chunks: Uint8Array[] = []
  for await (const chunk of limited(response, largestImageBytes)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/**
 * Streams a downloadable file of a product, within the same limits.
 * @throws SourceProblem
 */
export async function* remoteFile(
  network: Network,
  lookup: HostLookup,
  address: string,
  trustedOrigin?: string,
): AsyncGenerator<Uint8Array> {
  const limits = { accept: '*/*', timeoutMs: fileTimeoutMs, trustedOrigin }
  const response = await openResponse(network, lookup, address, limits)
  const type = response.headers.get('content-type') ?? ''
  // The classic shop answers a request for a protected file with its login page and status 200.
  if (/^text\/html\b/i.test(type) && !/\.html?$/i.test(new URL(address).pathname)) {
    await response.body?.cancel()
    throw new SourceProblem(`is a web page ("${type}"), not a file: the server may require a login`)
  }
  yield* limited(response, largestFileBytes)
}

async function openResponse(
  network: Network,
  lookup: HostLookup,
  address: string,
  { accept, timeoutMs, trustedOrigin }: { accept: string; timeoutMs: number; trustedOrigin?: string | undefined },
): Promise<Response> {
  const url = new URL(address)
  const isTrusted = url.origin === trustedOrigin
  if (!isTrusted) await refuseInside(url, lookup)
  const response = await network
    .fetch(url, {
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      headers: { accept },
      // Resolved again for the connection: the host name may have changed by then.
      ...(isTrusted ? {} : { reach: 'internet' as const }),
    })
    .catch((error: unknown) => {
      throw new SourceProblem(`could not be fetched (${error instanceof Error ? error.message : String(error)})`)
    })
  const target = response.headers.get('location')
  if (response.status >= 300 && response.status < 400 && target) {
    await response.body?.cancel()
    throw new SourceProblem(`redirects to ${URL.parse(target, url)?.href ?? target}: use that URL`)
  }
  if (!response.ok) {
    await response.body?.cancel()
    throw new SourceProblem(`could not be fetched (status ${response.status})`)
  }
  return response
}

async function refuseInside(url: URL, lookup: HostLookup) {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new SourceProblem(`has the scheme ${url.protocol}`)
  if (url.username || url.password) throw new SourceProblem('has a password in its URL')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) ? [host] : await lookup(host).catch(() => [])
  if (addresses.length === 0) throw new SourceProblem(`has an unknown host (${host})`)
  if (!addresses.every(isPublicAddress)) throw new SourceProblem(`resolves to a private address (${host})`)
}

async function* limited(response: Response, largestBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength
      if (size > largestBytes) throw new SourceProblem(`is larger than ${largestBytes / 1024 ** 2} MB`)
      yield chunk
    }
  } catch (error) {
    if (error instanceof SourceProblem) throw error
    throw new SourceProblem(
      `broke off while it was fetched (${error instanceof Error ? error.message : String(error)})`,
    )
  }
}
