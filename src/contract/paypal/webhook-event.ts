import { z } from 'zod'

/**
 * A notification. Its resource is a hint only: whoever acts on it reads the resource from the provider first,
 * so just the ids that lead there are taken from it.
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
  /** The capture that is told of, given back or disputed. */
  readonly captureId?: string | undefined
  /** The refund, where money went back by one. */
  readonly refundId?: string | undefined
  readonly dispute?: DisputeNews | undefined
  /** Money that is held. */
  readonly authorizationId?: string | undefined
  /** A means that is kept. */
  readonly paymentToken?: string | undefined
}

/** How a dispute stands, by the provider's word and clock. */
export type DisputeNews = { id: string; status: string; outcome: string | null; changedAt: Date | null }

/** The wallet order that an event is about, our own reference in it, and what else leads to one of our orders. */
export function eventSubject(event: WebhookEvent): EventSubject {
  const { resource } = event
  const isOrder = event.event_type.startsWith('CHECKOUT.ORDER.')
  const related = resource.supplementary_data?.related_ids
  // A refund names its capture by a link only.
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

/** Headers of a delivery, in lower case as `Headers` gives them. */
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
  /** `*` stands for all of them. */
  event_types: z.array(z.object({ name: z.string() })).default([]),
})

export const registeredWebhooks = z
  .object({ webhooks: z.array(registeredWebhook).default([]) })
  .transform(({ webhooks }) => webhooks)

export type RegisteredWebhook = z.infer<typeof registeredWebhook>

/** What the shop acts on: a webhook that leaves one out hides something from it. */
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
  expires_in: z.number().positive(),
})
