import { X509Certificate } from 'node:crypto'
import { rawMember } from '../webhooks/raw-member.ts'
import type { NewEvent, SentEvent, Webhook } from '../webhooks/sender.ts'
import { AUTH_ALGORITHM, isSignedBy } from '../webhooks/signature.ts'
import { isLoopback } from '../world/loopback.ts'
import type { World } from '../world/world.ts'
import { type ErrorSource, notFound, refuse } from './error-bodies.ts'
import type { Call, Operation } from './operation.ts'
import { validator } from './schemas.ts'

const document = 'notifications_webhooks_v1'
const errors: ErrorSource = { document, prefix: '' }

/** Where a certificate is served. Each has its own address, since readers keep what they have fetched by address. */
export function certificatePath(pem: string): string {
  const print = new X509Certificate(pem).fingerprint256.replaceAll(':', '').toLowerCase()
  return `/v1/notifications/certs/CERT-${print.slice(0, 8)}-${print.slice(8, 16)}`
}

/** Every type that this emulator can send. */
const EVENT_TYPES = [
  'CUSTOMER.DISPUTE.CREATED',
  'CUSTOMER.DISPUTE.RESOLVED',
  'CUSTOMER.DISPUTE.UPDATED',
  'CHECKOUT.ORDER.APPROVED',
  'CHECKOUT.ORDER.COMPLETED',
  'PAYMENT.AUTHORIZATION.CREATED',
  'PAYMENT.AUTHORIZATION.VOIDED',
  'PAYMENT.CAPTURE.COMPLETED',
  'PAYMENT.CAPTURE.DENIED',
  'PAYMENT.CAPTURE.PENDING',
  'PAYMENT.CAPTURE.REFUNDED',
  'PAYMENT.CAPTURE.REVERSED',
  'VAULT.PAYMENT-TOKEN.CREATED',
  'VAULT.PAYMENT-TOKEN.DELETED',
]
const MOST_WEBHOOKS = 10

export function webhookOperations(certificatePem: string): readonly Operation[] {
  const base = '/v1/notifications'
  return [
    {
      name: 'webhooks.create',
      method: 'POST',
      path: `${base}/webhooks`,
      schema: validator(document, 'webhook'),
      errors,
      run: createWebhook,
    },
    {
      name: 'webhooks.list',
      method: 'GET',
      path: `${base}/webhooks`,
      errors,
      run: ({ world }) => ({
        status: 200,
        show: () => ({ webhooks: [...world.webhooks.webhooks.values()].map((webhook) => webhookView(world, webhook)) }),
      }),
    },
    {
      name: 'webhooks.get',
      method: 'GET',
      path: `${base}/webhooks/:id`,
      errors,
      run: (call) => {
        const webhook = wanted(call)
        return { status: 200, show: () => webhookView(call.world, webhook) }
      },
    },
    {
      name: 'webhooks.patch',
      method: 'PATCH',
      path: `${base}/webhooks/:id`,
      schema: validator(document, 'patch_request'),
      errors,
      run: patchWebhook,
    },
    {
      name: 'webhooks.delete',
      method: 'DELETE',
      path: `${base}/webhooks/:id`,
      errors,
      run: (call) => {
        call.world.webhooks.webhooks.delete(wanted(call).id)
        return { status: 204 }
      },
    },
    {
      name: 'webhooks.event-types',
      method: 'GET',
      path: `${base}/webhooks-event-types`,
      errors,
      run: () => ({ status: 200, show: () => ({ event_types: EVENT_TYPES.map(eventType) }) }),
    },
    {
      name: 'webhooks.verify',
      method: 'POST',
      path: `${base}/verify-webhook-signature`,
      schema: validator(document, 'verify_webhook_signature'),
      errors,
      run: (call) => {
        const genuine = isGenuine(call, certificatePem)
        return { status: 200, show: () => ({ verification_status: genuine ? 'SUCCESS' : 'FAILURE' }) }
      },
    },
    {
      name: 'webhooks.simulate',
      method: 'POST',
      path: `${base}/simulate-event`,
      schema: validator(document, 'simulate_event'),
      errors,
      run: simulate,
    },
    {
      name: 'webhooks.events',
      method: 'GET',
      path: `${base}/webhooks-events`,
      errors,
      run: listEvents,
    },
    {
      name: 'webhooks.event',
      method: 'GET',
      path: `${base}/webhooks-events/:id`,
      errors,
      run: ({ world, params }) => {
        const event = world.webhooks.event(params.id ?? '')
        if (!event) throw notFound(params.id ?? '', 'event_id')
        return { status: 200, show: () => eventView(event) }
      },
    },
    {
      name: 'webhooks.resend',
      method: 'POST',
      path: `${base}/webhooks-events/:id/resend`,
      schema: validator(document, 'event_resend'),
      errors,
      run: ({ world, params, body }) => {
        // The schema says: an optional list of ids.
        const { webhook_ids } = body as { webhook_ids?: string[] }
        const event = world.webhooks.resend(params.id ?? '', webhook_ids)
        if (!event) throw notFound(params.id ?? '', 'event_id')
        return { status: 202, show: () => eventView(event) }
      },
    },
  ]
}

type WebhookRequest = { url: string; event_types: { name: string }[] }

function createWebhook({ world, body }: Call) {
  // The schema says: an address and event types.
  const request = body as WebhookRequest
  const { webhooks } = world.webhooks
  if (webhooks.size >= MOST_WEBHOOKS) throw refuse(400, 'WEBHOOK_NUMBER_LIMIT_EXCEEDED', limitText)
  requireLoopback(request.url)
  if ([...webhooks.values()].some(({ url }) => url === request.url))
    throw refuse(400, 'WEBHOOK_URL_ALREADY_EXISTS', urlText)
  const id = world.ids.resource()
  const webhook = { id, url: request.url, eventTypes: request.event_types.map(({ name }) => name) }
  webhooks.set(id, webhook)
  return { status: 201, show: () => webhookView(world, webhook) }
}

const limitText = { description: 'Maximum number of webhook URLs exceeded for the application.' }
const urlText = { field: 'url', location: 'body' as const, description: 'Webhook URL already exists.' }

function requireLoopback(url: string): void {
  if (!isLoopback(url)) throw refuse(400, 'INVALID_PARAMETER_VALUE', { field: '/url', value: url, location: 'body' })
}

function patchWebhook(call: Call) {
  const webhook = wanted(call)
  // The schema says: a list of operations.
  for (const { op, path, value } of call.body as { op: string; path?: string; value?: unknown }[]) {
    if (op === 'replace' && path === '/url' && typeof value === 'string') {
      requireLoopback(value)
      webhook.url = value
    } else if (op === 'replace' && path === '/event_types' && Array.isArray(value)) {
      webhook.eventTypes = value.flatMap((type: { name?: unknown } | null) =>
        typeof type?.name === 'string' ? [type.name] : [],
      )
    } else {
      throw refuse(400, 'INVALID_PATCH_OPERATION', { field: path ?? '/', location: 'body' })
    }
  }
  return { status: 200, show: () => webhookView(call.world, webhook) }
}

type VerifyRequest = {
  auth_algo: string
  cert_url: string
  transmission_id: string
  transmission_sig: string
  transmission_time: string
  webhook_id: string
  webhook_event: { id?: string; resource_type?: string }
}

function isGenuine({ world, body, rawBody }: Call, certificatePem: string): boolean {
  // The schema says: these fields.
  const request = body as VerifyRequest
  const event = rawMember(rawBody, 'webhook_event')
  // A certificate of somewhere else proves nothing here.
  if (request.cert_url !== world.origin + certificatePath(certificatePem)) return false
  if (request.auth_algo !== AUTH_ALGORITHM || !world.webhooks.webhooks.has(request.webhook_id) || !event) return false
  // Events of the simulator cannot be verified.
  if (request.webhook_event.resource_type === SIMULATED) return false
  return isSignedBy(certificatePem, request.transmission_sig, {
    id: request.transmission_id,
    time: request.transmission_time,
    webhookId: request.webhook_id,
    rawBody: event,
  })
}

const SIMULATED = 'simulated'

function simulate({ world, body }: Call) {
  // The schema says: these fields.
  const request = body as { webhook_id?: string; url?: string; event_type: string }
  const registered = request.webhook_id === undefined ? undefined : world.webhooks.webhooks.get(request.webhook_id)
  if (request.webhook_id !== undefined && !registered) throw notFound(request.webhook_id, 'webhook_id')
  if (request.url !== undefined) requireLoopback(request.url)
  const webhook: Webhook | undefined =
    registered ?? (request.url === undefined ? undefined : { id: 'WEBHOOK_ID', url: request.url, eventTypes: ['*'] })
  if (!webhook) throw refuse(400, 'MISSING_REQUIRED_PARAMETER', { field: '/webhook_id', location: 'body' })
  const sample: NewEvent = {
    type: request.event_type,
    resourceType: SIMULATED,
    summary: 'An event of the simulator',
    resource: () => ({ id: world.ids.resource(), status: 'COMPLETED' }),
  }
  const event = world.webhooks.sendTo(webhook, sample)
  return { status: 202, show: () => eventView(event) }
}

function listEvents({ world, query }: Call) {
  const type = query.get('event_type')
  const size = Math.min(Math.max(Number(query.get('page_size')) || 10, 1), 300)
  const from = query.get('start_time')
  const to = query.get('end_time')
  const transaction = query.get('transaction_id')
  const events = world.webhooks
    .events()
    .filter((event) => type === null || event.type === type)
    .filter((event) => from === null || event.at >= from)
    .filter((event) => to === null || event.at <= to)
    .filter((event) => transaction === null || event.rawBody.includes(`"${transaction}"`))
    .slice(-size)
    .reverse()
    .map(eventView)
  return { status: 200, show: () => ({ events, count: events.length, links: [] }) }
}

function eventView(event: SentEvent): unknown {
  return JSON.parse(event.rawBody)
}

function eventType(name: string): object {
  return { name, description: name, status: 'ENABLED', resource_versions: ['1.0', '2.0'] }
}

function webhookView(world: World, webhook: Webhook): object {
  const href = `${world.origin}/v1/notifications/webhooks/${webhook.id}`
  return {
    id: webhook.id,
    url: webhook.url,
    event_types: webhook.eventTypes.map((name) => ({ name, description: name })),
    links: [
      { href, rel: 'self', method: 'GET' },
      { href, rel: 'update', method: 'PATCH' },
      { href, rel: 'delete', method: 'DELETE' },
    ],
  }
}

function wanted({ world, params }: Call): Webhook {
  const id = params.id ?? ''
  const webhook = world.webhooks.webhooks.get(id)
  if (!webhook) throw notFound(id, 'webhook_id')
  return webhook
}
