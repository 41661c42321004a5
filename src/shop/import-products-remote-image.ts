import { BlockList, isIP } from 'node:net'
import type { Network } from '#contract/environment.ts'
import { ImageProblem } from './resize-images.ts'

/** All addresses of a host name. */
export type HostLookup = (host: string) => Promise<readonly string[]>

export const largestImageBytes = 25 * 1024 * 1024
const timeoutMs = 15_000
const mostRedirects = 3

const inside = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  inside.addSubnet(network, prefix, 'ipv4')
}

const publicIpv6 = new BlockList()
publicIpv6.addSubnet('2000::', 3, 'ipv6')
// Inside 2000::/3, but documentation, or wrappers around IPv4 addresses that would lead back inside.
const wrapped = new BlockList()
wrapped.addSubnet('2001:db8::', 32, 'ipv6')
wrapped.addSubnet('2001::', 32, 'ipv6')
wrapped.addSubnet('2002::', 16, 'ipv6')

/** Whether an address belongs to the open internet, and not to this machine, its network or a cloud's own services. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !inside.check(address, 'ipv4')
  if (isIP(address) === 6) return publicIpv6.check(address, 'ipv6') && !wrapped.check(address, 'ipv6')
  return false
}

/**
 * Fetches a picture a product file points to, within limits of time, size, type and place.
 * @throws ImageProblem
 */
export async function remoteImage(network: Network, lookup: HostLookup, address: string): Promise<Uint8Array> {
  let url = new URL(address)
  for (let redirects = 0; ; redirects += 1) {
    await refuseInside(url, lookup)
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await network
      .fetch(url, { redirect: 'manual', signal, headers: { accept: 'image/avif,image/webp,image/png,image/jpeg' } })
      .catch((error: unknown) => {
        throw new ImageProblem(`could not be fetched (${error instanceof Error ? error.message : String(error)})`)
      })
    const target = response.headers.get('location')
    if (response.status >= 300 && response.status < 400 && target) {
      await response.body?.cancel()
      if (redirects === mostRedirects) throw new ImageProblem('is redirected too often')
      url = new URL(target, url)
      continue
    }
    if (!response.ok) throw new ImageProblem(`could not be fetched (status ${response.status})`)
    const type = response.headers.get('content-type') ?? ''
    if (!type.startsWith('image/')) throw new ImageProblem(`is "${type}" and not a picture`)
    return await limited(response)
  }
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
