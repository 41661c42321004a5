import { storeHeaders } from '#contract/cart/store-headers.ts'
import { restHeaders } from '#contract/shared/rest.ts'
import type { Call } from '../../calls/shared/define-call.ts'

type SecurityScheme = { readonly type: 'http' | 'apiKey'; readonly description: string } & Readonly<
  Record<string, string>
>

/** The ways to identify a caller. OpenAPI has no type for OAuth 1.0a: it is described as its HTTP scheme. */
export const securitySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'basic',
    description:
      'API key over https: the consumer key `ck_…` as user name, the consumer secret `cs_…` as password. Create one with `npm run shop -- api-keys create`.',
  },
  apiKeyInQuery: {
    type: 'apiKey',
    in: 'query',
    name: 'consumer_key',
    description:
      'The same key over https in the address, together with `consumer_secret`. Addresses end up in logs: prefer Basic.',
  },
  oauth: {
    type: 'http',
    scheme: 'OAuth',
    description:
      'OAuth 1.0a without a token (RFC 5849), for plain http: `oauth_consumer_key`, `oauth_timestamp` (within 15 minutes), `oauth_nonce` (used once), `oauth_signature_method` (HMAC-SHA1 or HMAC-SHA256) and `oauth_signature`, in the `Authorization` header or the query. The signing key is the consumer secret followed by `&`.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'sid',
    description: 'The cookie of a session in the browser. Over https its name is `__Host-sid`.',
  },
  nonce: {
    type: 'apiKey',
    in: 'header',
    name: restHeaders.nonce,
    description: 'Proves that a request of a logged-in person comes from a page of the shop.',
  },
  storeNonce: {
    type: 'apiKey',
    in: 'header',
    name: storeHeaders.nonce,
    description:
      'Proves the same for the Store API. Each answer about a cart has the next one in its own `Nonce` header.',
  },
  cartToken: {
    type: 'apiKey',
    in: 'header',
    name: storeHeaders.cartToken,
    description:
      'The cart of a program without cookies. Each answer about a cart has the token in its own `Cart-Token` header; it is valid for 48 hours and replaces cookie and nonce.',
  },
} as const satisfies Readonly<Record<string, SecurityScheme>>

type Requirement = { readonly [scheme in keyof typeof securitySchemes]?: readonly [] }

/** Returns the alternatives to identify the caller of a call; an empty list: nobody needs to. */
export function securityOf({
  identity,
  namespace,
  method,
}: Pick<Call, 'identity' | 'namespace' | 'method'>): Requirement[] {
  const staff = { session: [], nonce: [] } as const
  if (identity === 'consumer-key') return [{ apiKey: [] }, { apiKeyInQuery: [] }, { oauth: [] }, staff]
  if (identity === 'shop-manager' || identity === 'translator') return [staff]
  if (identity === 'own-session' && namespace?.startsWith('wc/store')) {
    // A program's first request has no token yet, and receives one.
    return method === 'GET'
      ? [{}, { cartToken: [] }, { session: [] }]
      : [{ cartToken: [] }, { session: [], storeNonce: [] }]
  }
  return []
}
