import { isIP } from 'node:net'
import type { Network } from '#contract/environment.ts'
import { isPublicAddress } from './public-address.ts'
import { ImageProblem } from './resize-images.ts'

/** All addresses of a host name. */
export type HostLookup = (host: string) => Promise<readonly string[]>

export const largestImageBytes = 25 * 1024 * 1024
const timeoutMs = 15_000

/**
 * Fetches a picture a product file points to, within limits of time, size, type and place.
 * @throws ImageProblem
 */
export async function remoteImage(network: Network, lookup: HostLookup, address: string): Promise<Uint8Array> {
  const url = new URL(address)
  await refuseInside(url, lookup)
  const response = await network
    .fetch(url, {
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      headers: { accept: 'image/avif,image/webp,image/png,image/jpeg' },
      // Looked up once more when the connection is made: a name may lead elsewhere by then.
      reach: 'internet',
    })
    .catch((error: unknown) => {
      throw new ImageProblem(`could not be fetched (${error instanceof Error ? error.message : String(error)})`)
    })
  const target = response.headers.get('location')
  if (response.status >= 300 && response.status < 400 && target) {
    await response.body?.cancel()
    throw new ImageProblem(`leads on to ${URL.parse(target, url)?.href ?? target}: give that address`)
  }
  if (!response.ok) throw new ImageProblem(`could not be fetched (status ${response.status})`)
  const type = response.headers.get('content-type') ?? ''
  if (!type.startsWith('image/')) throw new ImageProblem(`is "${type}" and not a picture`)
  return await limited(response)
}

async function refuseInside(url: URL, lookup: HostLookup) {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new ImageProblem(`has the scheme ${url.protocol}`)
  if (url.username || url.password) throw new ImageProblem('has a password in its address')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) ? [host] : await lookup(host).catch(() => [])
  if (addresses.length === 0) throw new ImageProblem(`has a host that is not known (${host})`)
  if (!addresses.every(isPublicAddress)) throw new ImageProblem(`leads to a private address (${host})`)
}

async function limited(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength
      if (size > largestImageBytes) throw new ImageProblem('is larger than 25 MB')
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof ImageProblem) throw error
    throw new ImageProblem(`broke off while it was fetched (${error instanceof Error ? error.message : String(error)})`)
  }
  return Buffer.concat(chunks)
}
