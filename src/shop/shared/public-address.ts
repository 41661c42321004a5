import { BlockList, isIP } from 'node:net'

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
  ['192.88.99.0', 24],
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
// Inside 2000::/3, but reserved for documentation, or embedding IPv4 addresses that could be private.
const wrapped = new BlockList()
wrapped.addSubnet('2001:db8::', 32, 'ipv6')
wrapped.addSubnet('2001::', 32, 'ipv6')
wrapped.addSubnet('2002::', 16, 'ipv6')
wrapped.addSubnet('3fff::', 20, 'ipv6')

/** Checks for a public internet address, as opposed to this machine, its network, or a cloud's metadata services. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !inside.check(address, 'ipv4')
  if (isIP(address) === 6) return publicIpv6.check(address, 'ipv6') && !wrapped.check(address, 'ipv6')
  return false
}
