import { timingSafeEqual } from 'node:crypto'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Hono } from 'hono'
import { timestamp } from '../world/clock.ts'
import type { LoggedCall, World } from '../world/world.ts'
import { type Env, json } from './operation.ts'

/** About nine hours, in seconds. */
const LIFETIME_SECONDS = 31_668
const SCOPE = [
  'https://uri.paypal.com/services/payments/payment/authcapture',
  'https://uri.paypal.com/services/payments/refund',
  'https://uri.paypal.com/services/applications/webhooks',
].join(' ')

/** `POST /v1/oauth2/token`: client credentials against the configured pair. */
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
      context.env.incoming.socket.destroy()
      return RESPONSE_ALREADY_SENT
    }
    if (fault?.kind === 'delay') await world.sleep(fault.ms)
    const answer = (status: number, body: object) => {
      entry.status = status
      return json(status, body, debugId)
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
    const responseType = form.get('response_type')
    if (responseType !== null && responseType !== 'token') {
      return answer(
        400,
        oauthError('unsupported_response_type', `${responseType} is not available for this application`),
      )
    }
    return answer(200, {
      scope: SCOPE,
      access_token: issueToken(world),
      token_type: 'Bearer',
      app_id: 'APP-80W284485P519543T',
      expires_in: LIFETIME_SECONDS,
      nonce: `${timestamp(world.clock.now())}${world.ids.token().slice(5, 48)}`,
    })
  })
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
