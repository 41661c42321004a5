/** The emulator's own limit: it may not be made to call other machines. */
export function isLoopback(address: unknown): boolean {
  const url = typeof address === 'string' ? URL.parse(address) : null
  if (!url || !/^https?:$/.test(url.protocol)) return false
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
}
