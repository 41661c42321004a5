import { timingSafeEqual } from 'node:crypto'
import type { Hono } from 'hono'
import { buyerOfCustomer } from '../vault/vault.ts'
import type { Buyer } from '../wallet/buyers.ts'
import { timestamp } from '../world/clock.ts'
import { type LoggedCall, MERCHANT, type World } from '../world/world.ts'
import { cutConnection, type Env, json, spoilAnswer } from './operation.ts'

/** About nine hours, in seconds. */
const LIFETIME_SECONDS = 31_668
const ID_TOKEN_SECONDS = 900
const CLIENT_TOKEN_SECONDS = 3_600
const SCOPE = [
  'https://uri.paypal.com/services/payments/payment/authcapture',
  'https://uri.paypal.com/services/payments/refund',
  'https://uri.paypal.com/services/vault/payment-tokens/readwrite',
  'https://uri.paypal.com/services/applications/webhooks',
].join(' ')

/** `POST /v1/oauth2/token`: client credentials against the configured pair, for the server or for a browser. */
export function serveOAuth(app: Hono<Env>, world: World): void {
  app.post('/v1/oauth2/token', async (context) => {
    const debugId = world.ids.debug()
    const entry: LoggedCall = {
      at: timestamp(world.clock.now()),
      operation: 'oauth.token',
      method: 'POST',
      path: '/v1/oauth2/token',
      debugId,
      status: 0,
      durationMs: 0,
    }
    world.log.push(entry)
    const fault = world.faults.take('oauth.token', 'POST', '/v1/oauth2/token')
    if (fault) entry.fault = fault.kind
    if (fault?.kind === 'drop') {
      return cutConnection(context)
    }
    if (fault?.kind === 'delay') await world.sleep(fault.ms)
    const answer = (status: number, body: object) => {
      entry.status = status
      const response = json(status, body, debugId)
      if (fault?.kind === 'status' && fault.retryAfter !== undefined) {
        response.headers.set('retry-after', String(fault.retryAfter))
      }
      return spoilAnswer(context, fault, world, debugId, response)
    }
    if (fault?.kind === 'status')
      return answer(fault.status, oauthError('server_error', 'Asked for by the control API'))
    if (!mayEnter(context.req.header('authorization'), world)) {
      return answer(401, oauthError('invalid_client', 'Client Authentication failed'))
    }
    const form = new URLSearchParams(await context.req.text())
    if (form.get('grant_type') !== 'client_credentials') {
      return answer(400, oauthError('unsupported_grant_type', 'unsupported grant_type'))
    }
    const responseType = form.get('response_type') ?? 'token'
    if (responseType === 'client_token') {
      const problem = clientTokenProblem(form)
      if (problem !== undefined) return answer(400, oauthError('invalid_request', problem))
      // Not among the access tokens: a browser must not make the server's calls with it.
      const token = world.ids.token()
      const expiresMs = world.clock.now().getTime() + CLIENT_TOKEN_SECONDS * 1_000
      world.clientTokens.set(token, { expiresMs, domains: form.getAll('domains[]') })
      return answer(200, { ...issued(world, token), expires_in: CLIENT_TOKEN_SECONDS })
    } else if (responseType === 'id_token') {
      const customer = form.get('target_customer_id')
      if (customer !== null && !/^[0-9a-zA-Z_-]{1,36}$/.test(customer)) {
        return answer(400, oauthError('invalid_request', 'Invalid target_customer_id'))
      }
      return answer(200, {
        ...issued(world, issueToken(world)),
        id_token: issueIdToken(world, customer ?? undefined),
        expires_in: ID_TOKEN_SECONDS,
      })
    } else if (responseType !== 'token') {
      return answer(
        400,
        oauthError('unsupported_response_type', `${responseType} is not available for this application`),
      )
    }
    return answer(200, issued(world, issueToken(world)))
  })
}

function issued(world: World, accessToken: string): object {
  return {
    scope: SCOPE,
    access_token: accessToken,
    token_type: 'Bearer',
    app_id: 'APP-80W284485P519543T',
    expires_in: LIFETIME_SECONDS,
    nonce: `${timestamp(world.clock.now())}${world.ids.token().slice(5, 48)}`,
  }
}

/** A token for the browser names the domains it works on: registrable ones, without scheme, path or wildcard. */
function clientTokenProblem(form: URLSearchParams): string | undefined {
  if (form.get('intent') !== 'sdk_init') return 'intent must be sdk_init'
  const domains = form.getAll('domains[]')
  if (domains.length === 0) return 'domains[] is missing'
  const odd = domains.find((domain) => !/^[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(domain))
  return odd === undefined ? undefined : `domains[] holds no domain: ${odd}`
}

/** Recognises a returning buyer by the customer id in it; readable, as the real one is, and known to this emulator only. */
export function issueIdToken(world: World, customerId: string | undefined): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = {
    iss: world.origin,
    sub: MERCHANT.merchant_id,
    acr: ['client'],
    options: customerId === undefined ? {} : { vault: true, customer_id: customerId },
    jti: world.ids.token().slice(5, 27),
    exp: Math.floor(world.clock.now().getTime() / 1_000) + ID_TOKEN_SECONDS,
  }
  return `${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.${world.ids.token().slice(5)}`
}

/** The returning buyer that a script's `data-user-id-token` stands for; undefined when it is none of ours or too old. */
export function buyerOfIdToken(world: World, token: string): Buyer | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'))
    const { iss, exp, options } = claims as { iss?: unknown; exp?: unknown; options?: { customer_id?: unknown } }
    const customerId = options?.customer_id
    const fresh = typeof exp === 'number' && exp * 1_000 > world.clock.now().getTime()
    return iss === world.origin && fresh && typeof customerId === 'string'
      ? buyerOfCustomer(world, customerId)
      : undefined
  } catch {
    return undefined
  }
}

/** A bearer token that the REST calls accept. */
export function issueToken(world: World): string {
  const token = world.ids.token()
  world.accessTokens.set(token, { expiresMs: world.clock.now().getTime() + LIFETIME_SECONDS * 1_000 })
  return token
}

function oauthError(error: string, description: string): object {
  return { error, error_description: description }
}

function mayEnter(header: string | undefined, world: World): boolean {
  const encoded = /^Basic (\S+)$/i.exec(header ?? '')?.[1]
  if (encoded === undefined) return false
  const given = Buffer.from(encoded, 'base64')
  const wanted = Buffer.from(`${world.clientId}:${world.clientSecret}`)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
