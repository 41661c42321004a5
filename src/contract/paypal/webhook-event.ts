import { z } from 'zod'

/**
 * Webhook event. Its resource is a hint only: the handler reads the resource from PayPal first, so the schema keeps
 * just the ids for that read.
 */
export const webhookEvent = z.object({
  id: z.string().min(1).max(255),
  event_type: z.string().min(1).max(255),
  resource_type: z.string().optional(),
  create_time: z.string().optional(),
  summary: z.string().optional(),
  resource: z.object({
    id: z.string().optional(),
    order_id: z.string().optional(),
    custom_id: z.string().optional(),
    invoice_id: z.string().optional(),
    status: z.string().optional(),
    supplementary_data: z
      .object({
        related_ids: z.object({ order_id: z.string().optional(), capture_id: z.string().optional() }).optional(),
      })
      .optional(),
    purchase_units: z.array(z.object({ custom_id: z.string().optional() })).optional(),
    links: z.array(z.object({ href: z.string(), rel: z.string() })).optional(),
    dispute_id: z.string().min(1).max(255).optional(),
    dispute_outcome: z.object({ outcome_code: z.string().max(255).optional() }).optional(),
    disputed_transactions: z.array(z.object({ seller_transaction_id: z.string().optional() })).optional(),
    update_time: z.string().optional(),
  }),
})

export type WebhookEvent = z.infer<typeof webhookEvent>

export type EventSubject = {
  readonly walletOrderId: string | undefined
  readonly customId: string | undefined
  /** The captured, refunded or disputed capture. */
  readonly captureId?: string | undefined
  /** The refund, where the event has one. */
  readonly refundId?: string | undefined
  readonly dispute?: DisputeNews | undefined
  /** Authorization id. */
  readonly authorizationId?: string | undefined
  /** Vault token. */
  readonly paymentToken?: string | undefined
}

/** Status of a dispute, by PayPal's state and clock. */
export type DisputeNews = { id: string; status: string; outcome: string | null; changedAt: Date | null }

/** Returns the wallet order of an event, our own reference in it, and other ids that lead to an order. */
export function eventSubject(event: WebhookEvent): EventSubject {
  const { resource } = event
  const isOrder = event.event_type.startsWith('CHECKOUT.ORDER.')
  const related = resource.supplementary_data?.related_ids
  // A refund references its capture by a link only.
  const up = resource.links?.find(({ rel, href }) => rel === 'up' && href.includes('/captures/'))?.href
  const isBack = /^PAYMENT\.CAPTURE\.(REFUNDED|REVERSED)$/.test(event.event_type)
  const isCapture = event.event_type.startsWith('PAYMENT.CAPTURE.') && !isBack
  const { dispute_id: disputeId } = resource
  return {
    walletOrderId: isOrder ? resource.id : (related?.order_id ?? resource.order_id),
    customId: resource.custom_id ?? resource.purchase_units?.[0]?.custom_id,
    captureId:
      related?.capture_id ??
      (isCapture ? resource.id : undefined) ??
      /\/captures\/([A-Z0-9]{1,36})$/.exec(up ?? '')?.[1] ??
      resource.disputed_transactions?.[0]?.seller_transaction_id,
    refundId: isBack ? resource.id : undefined,
    authorizationId: event.event_type.startsWith('PAYMENT.AUTHORIZATION.') ? resource.id : undefined,
    paymentToken: event.event_type.startsWith('VAULT.PAYMENT-TOKEN.') ? resource.id : undefined,
    dispute:
      disputeId === undefined
        ? undefined
        : {
            id: disputeId,
            status: resource.status ?? '',
            outcome: resource.dispute_outcome?.outcome_code ?? null,
            changedAt: timeIn(resource.update_time ?? event.create_time),
          },
  }
}

function timeIn(text: string | undefined): Date | null {
  const at = new Date(text ?? '')
  return Number.isNaN(at.getTime()) ? null : at
}

/** Headers of a webhook, in lower case as in `Headers`. */
export const webhookHeaders = {
  transmissionId: 'paypal-transmission-id',
  transmissionTime: 'paypal-transmission-time',
  transmissionSignature: 'paypal-transmission-sig',
  certificateUrl: 'paypal-cert-url',
  algorithm: 'paypal-auth-algo',
} as const

const registeredWebhook = z.object({
  id: z.string(),
  url: z.string(),
  /** `*` means all events. */
  event_types: z.array(z.object({ name: z.string() })).default([]),
})

export const registeredWebhooks = z
  .object({ webhooks: z.array(registeredWebhook).default([]) })
  .transform(({ webhooks }) => webhooks)

export type RegisteredWebhook = z.infer<typeof registeredWebhook>

/** Event types that the shop handles: a webhook without one of them loses its effects. */
export const wantedEvents = [
  'CHECKOUT.ORDER.APPROVED',
  'CHECKOUT.ORDER.COMPLETED',
  'CHECKOUT.PAYMENT-APPROVAL.REVERSED',
  'PAYMENT.CAPTURE.COMPLETED',
  'PAYMENT.CAPTURE.PENDING',
  'PAYMENT.CAPTURE.DENIED',
  'PAYMENT.CAPTURE.DECLINED',
  'PAYMENT.CAPTURE.REFUNDED',
  'PAYMENT.CAPTURE.REVERSED',
  'PAYMENT.AUTHORIZATION.CREATED',
  'PAYMENT.AUTHORIZATION.VOIDED',
  'VAULT.PAYMENT-TOKEN.CREATED',
  'VAULT.PAYMENT-TOKEN.DELETED',
  'VAULT.PAYMENT-TOKEN.DELETION-INITIATED',
  'CUSTOMER.DISPUTE.CREATED',
  'CUSTOMER.DISPUTE.UPDATED',
  'CUSTOMER.DISPUTE.RESOLVED',
] as const

export const verificationAnswer = z.object({ verification_status: z.enum(['SUCCESS', 'FAILURE']) })

export const accessToken = z.object({
  access_token: z.string().min(1),
  expires_in: z.coerce.number().positive(),
})
