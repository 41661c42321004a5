import { Hono } from 'hono'
import { serveControlApi } from './control/api.ts'
import { agreementOperations } from './rest/agreements.ts'
import { disputeOperations } from './rest/disputes.ts'
import { eligibleMethodsOperation } from './rest/eligible-methods.ts'
import { errorBody, Refusal, refuse } from './rest/error-bodies.ts'
import { serveOAuth } from './rest/oauth.ts'
import { type Env, json, serve } from './rest/operation.ts'
import { orderOperations } from './rest/orders.ts'
import { paymentOperations } from './rest/payments.ts'
import { vaultOperations } from './rest/vault.ts'
import { certificatePath, webhookOperations } from './rest/webhooks.ts'
import { serveSdk } from './sdk/routes.ts'
import { serveWallet } from './wallet/routes.ts'
import type { World } from './world/world.ts'

/** A plain letter of our own. */
const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0551b5"/>' +
  '<path d="M11 25V7h7a6 6 0 0 1 0 12h-7" fill="none" stroke="#fff" stroke-width="4"/></svg>'

/** Every address the emulator answers under. */
export function createApp(world: World, certificatePem: string): Hono<Env> {
  const app = new Hono<Env>()
  serveOAuth(app, world)
  for (const operation of [
    ...orderOperations,
    ...paymentOperations,
    ...vaultOperations,
    ...agreementOperations,
    ...disputeOperations,
    eligibleMethodsOperation,
    ...webhookOperations(certificatePem),
  ]) {
    serve(app, world, operation)
  }
  app.get(certificatePath(certificatePem), (context) =>
    context.body(certificatePem, 200, { 'content-type': 'application/x-pem-file', 'cache-control': 'max-age=86400' }),
  )
  app.get('/favicon.ico', (context) => context.body(ICON, 200, { 'content-type': 'image/svg+xml' }))
  serveSdk(app, world)
  serveWallet(app, world)
  serveControlApi(app, world)

  const errors = { document: 'checkout_orders_v2', prefix: '' } as const
  app.notFound((context) => {
    if (!/^\/v\d\//.test(context.req.path)) return context.text('Not found', 404)
    const debugId = world.ids.debug()
    const refusal = refuse(404, 'INVALID_RESOURCE_ID', { location: 'path', field: context.req.path })
    return json(404, errorBody(404, debugId, refusal, errors), debugId)
  })
  app.onError((error) => {
    if (!(error instanceof Refusal)) console.error('emulator:', error)
    const debugId = world.ids.debug()
    return json(500, errorBody(500, debugId, undefined, errors), debugId)
  })
  return app
}
