import { describe, expect, it } from 'vitest'
import { unknownProxy } from './undeclared-proxy.ts'

/** Returns the log lines of visits from these addresses. */
function told(trustedProxies: number, forwarded: string | null, ...from: string[]): string[] {
  const said: string[] = []
  const log = { info() {}, error() {}, warn: (_: unknown, message: string) => said.push(message) }
  const look = unknownProxy({ tools: { log }, trustedProxies })
  const headers = forwarded === null ? {} : { 'X-Forwarded-For': forwarded }
  for (const ip of from) look(new Request('http://shop.test/', { headers }), ip)
  return said
}

describe('a proxy in front that the shop was not told of', () => {
  it('is told of once', () => {
    const said = told(0, '198.51.100.7', '127.0.0.1', '127.0.0.1', '::ffff:10.0.0.5')
    expect(said).toEqual([expect.stringContaining('TRUSTED_PROXIES is 0')])
  })

  it('is none where it is counted, where nobody passes an address on, or where a stranger invents one', () => {
    expect(told(1, '198.51.100.7', '127.0.0.1')).toEqual([])
    expect(told(0, null, '127.0.0.1', '10.0.0.5')).toEqual([])
    expect(told(0, '198.51.100.7', '8.8.8.8', '2606:4700::1', '')).toEqual([])
  })
})
