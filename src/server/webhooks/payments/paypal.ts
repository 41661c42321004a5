import { z } from 'zod'
import { eventSubject, webhookEvent, webhookHeaders } from '#contract/paypal/webhook-event.ts'
import { storeWebhookEvent } from '#database/payments/payments.ts'
import { handleWebhook } from '#shop/payments/webhooks/handle-webhook.ts'
import { defineCall } from '../../calls/shared/define-call.ts'
import { BadBody } from '../../http/request/body-limits.ts'
import { parseJson } from '../../http/request/parse-json.ts'
import { readBytes } from '../../http/request/request-body.ts'
import { countWebhook } from '../../operations/metrics/metrics.ts'

/**
 * `POST webhook`: receives PayPal's webhook events. Trusted by the signature over the raw bytes only; stored once by
 * event id; answered at once; processed afterwards, where an event is only a hint to read PayPal's state.
 */
export const webhook = defineCall({
  name: 'webhook',
  door: 'rest',
  method: 'POST',
  input: z.unknown(),
  output: 'empty',
  identity: 'provider-signature',
  idempotency: 'event-id',
  load: 'checkout',
  cache: 'private-no-store',
  forgery: { none: 'provider-signature' },
  async answer(visit) {
    const { app, request } = visit
    if (!app.webhooks) return refused(404, 'not_connected', 'No payment provider is connected.')
    let bytes: Uint8Array
    let event: z.infer<typeof webhookEvent>
    try {
      bytes = await readBytes(request, 1024 * 1024)
      event = webhookEvent.parse(parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes)))
    } catch (error) {
      countWebhook('malformed')
      return refused(error instanceof BadBody ? error.status : 400, 'malformed', 'The body is not a notification.')
    }
    const verdict = await app.webhooks.verify(request.headers, bytes)
    if (!verdict.ok) {
      countWebhook('refused')
      app.tools.log.warn({ reason: verdict.reason, event: event.id }, 'webhook rejected')
      const later = verdict.reason === 'certificate-unavailable' || verdict.reason === 'provider-unavailable'
      return refused(later ? 503 : 401, 'not_verified', 'The signature could not be verified.', later)
    }
    app.tools.checkpoint('notification before commit')
    const fresh = await storeWebhookEvent(app.tools.db.kysely, {
      id: event.id,
      type: event.event_type,
      transmission_id: request.headers.get(webhookHeaders.transmissionId) ?? '',
      body: new TextDecoder().decode(bytes),
      received_at: visit.now,
      processed_at: null,
      outcome: null,
    })
    app.tools.checkpoint('notification after commit')
    countWebhook(fresh ? 'stored' : 'repeated')
    if (fresh) {
      // Not awaited: PayPal requires an immediate response, and failed events are retried later.
      void handleWebhook(app.tools, {
        id: event.id,
        subject: eventSubject(event),
        type: event.event_type,
        receivedAt: visit.now,
      }).catch((error: unknown) =>
        app.tools.log.error({ event: event.id, error: String(error) }, 'webhook event failed, retry pending'),
      )
    }
    return new Response(null, { status: 200 })
  },
})

function refused(status: number, code: string, message: string, later = false): Response {
  return Response.json({ code, message, data: { status } }, { status, headers: later ? { 'Retry-After': '30' } : {} })
}
