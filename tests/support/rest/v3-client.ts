import { type ApiKeyPair, makeApiKey } from '#shop/operations/api-keys.ts'
import type { TestShop } from '#tests/support/shop.ts'

export type V3Answer<Body> = { readonly status: number; readonly headers: Headers; readonly body: Body }

/** A program that uses REST v3 with a key. */
export type V3Client = <Body = Record<string, unknown>>(
  method: string,
  path: string,
  body?: unknown,
) => Promise<V3Answer<Body>>

/** @param path below `wc/v3`: `products?per_page=5` */
export async function v3Client(
  shop: TestShop,
  permission: 'read' | 'write' | 'read_write' = 'read_write',
): Promise<V3Client> {
  const key: ApiKeyPair = await makeApiKey(shop.shop.application.tools, {
    description: `Test ${permission}`,
    permission,
    who: 'tester',
  })
  return keyClient(shop.url, key)
}

/** A program with an existing key. @param url of the shop, without a slash at the end */
export function keyClient(url: string, key: ApiKeyPair): V3Client {
  const pair = Buffer.from(`${key.consumerKey}:${key.consumerSecret}`).toString('base64')
  return async (method, path, body) => {
    const response = await fetch(`${url}/wp-json/wc/v3/${path}`, {
      method,
      headers: { authorization: `Basic ${pair}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    // Each test states the body that it expects.
    return { status: response.status, headers: response.headers, body: (await response.json()) as never }
  }
}
