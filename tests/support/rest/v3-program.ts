import { z } from 'zod'
import { calls } from '#server/calls/shared/call-routes.ts'
import { type ApiKeyPair, makeApiKey } from '#shop/operations/api-keys.ts'
import type { TestShop } from '#tests/support/shop.ts'

// Tests read members of any record: what is not there is undefined, and fails.
export type V3Body = Record<string, never> & { readonly id: number }
export type V3Answer = { readonly status: number; readonly headers: Headers; readonly body: V3Body }
export type V3Program = {
  readonly key: ApiKeyPair
  send(method: string, path: string, body?: unknown): Promise<V3Answer>
  get(path: string): Promise<V3Answer>
  post(path: string, body?: unknown): Promise<V3Answer>
  put(path: string, body?: unknown): Promise<V3Answer>
  delete(path: string): Promise<V3Answer>
}

/** A program with an API key. Each of its successful answers is compared with the route's own description. */
export async function aV3Program(shop: TestShop, permission: 'read' | 'write' | 'read_write' = 'read_write') {
  const key = await makeApiKey(shop.shop.application.tools, { description: 'A program', permission, who: 'tester' })
  const basic = Buffer.from(`${key.consumerKey}:${key.consumerSecret}`).toString('base64')
  const send = async (method: string, path: string, body?: unknown): Promise<V3Answer> => {
    const response = await fetch(`${shop.url}/wp-json/wc/v3/${path}`, {
      method,
      headers: {
        authorization: `Basic ${basic}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (response.status >= 500 && response.status !== 501)
      throw new Error(`${method} ${path}: ${response.status} ${text}`)
    const read = JSON.parse(text) as V3Body
    if (response.ok && !path.includes('_fields=')) asDescribed(method, path, read)
    return { status: response.status, headers: response.headers, body: read }
  }
  return {
    key,
    send,
    get: (path) => send('GET', path),
    post: (path, body = {}) => send('POST', path, body),
    put: (path, body = {}) => send('PUT', path, body),
    delete: (path) => send('DELETE', path),
  } satisfies V3Program
}

/** @throws where the answer is not what the route's description says */
function asDescribed(method: string, path: string, body: unknown): void {
  const [name = ''] = path.split('?')
  const call = calls.find(
    (one) =>
      one.namespace === 'wc/v3' &&
      [one.method, ...(one.alsoMethods ?? [])].some((its) => its === method) &&
      new RegExp(`^${one.name.replace(/:\w+/g, '[^/]+')}$`).test(name),
  )
  if (!call?.description) throw new Error(`${method} ${path} is not described`)
  const read = call.description.response.safeParse(body)
  if (!read.success) throw new Error(`${method} ${path} is not as described: ${z.prettifyError(read.error)}`)
}

/** The status of an answer and its code. */
export const refusalOf = ({ status, body }: V3Answer): [number, unknown] => [status, body.code]
