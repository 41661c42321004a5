import { expect, it } from 'vitest'
import { oauthHeader, oauthSignature } from './oauth-signature.ts'

it('signs as RFC 5849 says, names and values sorted after they are encoded', () => {
  // The request of RFC 5849, section 3.4.1, without its token; openssl computed the value from a base string written by
  // hand.
  const parameters = [
    ['b5', '=%3D'],
    ['a3', 'a'],
    ['c@', ''],
    ['a2', 'r b'],
    ['oauth_consumer_key', '9djdj82h48djs9d2'],
    ['oauth_signature_method', 'HMAC-SHA1'],
    ['oauth_timestamp', '137131201'],
    ['oauth_nonce', '7d8f3e4a'],
    ['c2', ''],
    ['a3', '2 q'],
  ] as const
  const request = { method: 'post', url: 'http://example.com/request', parameters }
  expect(oauthSignature(request, 'j49sk3j29djd', 'HMAC-SHA1')).toBe('oO3lyVKBzw+irEvnSVfCw3zv2O8=')
  expect(oauthSignature(request, 'j49sk3j29djd', 'HMAC-SHA256')).toBe('OAgLZZmRceT3UEf0zULWa8t3ufwu/y2SlAMXrIZJ1WM=')
})

it('reads the header as well as the query', () => {
  const header = 'OAuth realm="shop", oauth_consumer_key="ck_1", oauth_nonce="a%20b", broken, oauth_version="1.0"'
  expect(oauthHeader(header)).toEqual([
    ['oauth_consumer_key', 'ck_1'],
    ['oauth_nonce', 'a b'],
    ['oauth_version', '1.0'],
  ])
  expect(oauthHeader('Basic abc')).toBeNull()
  expect(oauthHeader('OAuth oauth_nonce="%E0%A4%A"')).toEqual([['oauth_nonce', '%E0%A4%A']])
})
