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
  }),
})

export type WebhookEvent = z.infer<typeof webhookEvent>

/** The wallet order that an event is about, and our own reference in it. */
export function eventSubject(event: WebhookEvent): { walletOrderId: string | undefined; customId: string | undefined } {
  const { resource } = event
  const isOrder = event.event_type.startsWith('CHECKOUT.ORDER.')
  return {
    walletOrderId: isOrder ? resource.id : (resource.supplementary_data?.related_ids?.order_id ?? resource.order_id),
    customId: resource.custom_id ?? resource.purchase_units?.[0]?.custom_id,
  }
}

/** Headers of a delivery, in lower case as `Headers` gives them. */
export const webhookHeaders = {
  transmissionId: 'paypal-transmission-id',
  transmissionTime: 'paypal-transmission-time',
  transmissionSignature: 'paypal-transmission-sig',
  certificateUrl: 'paypal-cert-url',
  algorithm: 'paypal-auth-algo',
} as const

export const verificationAnswer = z.object({ verification_status: z.enum(['SUCCESS', 'FAILURE']) })

export const accessToken = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().positive(),
})
