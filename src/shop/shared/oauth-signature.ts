import { createHmac } from 'node:crypto'

/** Signature methods: OAuth 1.0a (RFC 5849) with a consumer alone, without a token. */
export const signatureMethods = { 'HMAC-SHA1': 'sha1', 'HMAC-SHA256': 'sha256' } as const
export type SignatureMethod = keyof typeof signatureMethods

/**
 * Computes the signature of a request.
 * @param url without query
 * @param parameters of query and header, decoded, without `oauth_signature` and `realm`; names may repeat
 */
export function oauthSignature(
  { method, url, parameters }: { method: string; url: string; parameters: readonly (readonly [string, string])[] },
  secret: string,
  signatureMethod: SignatureMethod,
): string {
  const pairs = parameters
    .map(([name, value]) => [encoded(name), encoded(value)] as const)
    .sort(([name, value], [otherName, otherValue]) => inOrder(name, otherName) || inOrder(value, otherValue))
    .map((pair) => pair.join('='))
  const base = [method.toUpperCase(), encoded(url), encoded(pairs.join('&'))].join('&')
  // The token's part of the key is empty, and its ampersand stays.
  return createHmac(signatureMethods[signatureMethod], `${encoded(secret)}&`)
    .update(base)
    .digest('base64')
}

/** Sorts by bytes: encoded text is ASCII. */
const inOrder = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

/**
 * Encodes by RFC 3986: everything but letters, digits and `-._~`. A lone surrogate becomes U+FFFD instead of an error.
 */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** Parses the parameters of an `Authorization: OAuth …` header; null for any other header. */
export function oauthHeader(authorization: string): [string, string][] | null {
  const list = /^OAuth\s+(.*)$/is.exec(authorization)?.[1]
  if (list === undefined) return null
  return list.split(',').flatMap((part): [string, string][] => {
    const [, name, value] = /^\s*([^=\s"]+)="([^"]*)"\s*$/.exec(part) ?? []
    if (name === undefined || value === undefined || name.toLowerCase() === 'realm') return []
    return [[decoded(name), decoded(value)]]
  })
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
