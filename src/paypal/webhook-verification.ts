import type { PayPal } from './client.ts'
import {
  createWebhookVerifier,
  plausible,
  type WebhookVerdict,
  type WebhookVerifier,
  type WebhookVerifierOptions,
} from './webhook-signature.ts'

/**
 * Who says whether a notification is genuine. `auto`: the shop itself, by the provider's certificate, and the provider where
 * its certificate cannot be had. `offline` and `api`: always the one, or the other.
 */
export type WebhookVerification = 'auto' | 'offline' | 'api'

type Options = WebhookVerifierOptions & {
  readonly verification: WebhookVerification
  readonly paypal: Pick<PayPal, 'verifyWebhookSignature'>
}

/** Verifies deliveries by one way or the other; what no genuine delivery has is refused by both without asking anybody. */
export function createWebhookVerification({ verification, paypal, ...options }: Options): WebhookVerifier {
  const offline = createWebhookVerifier(options)

  async function ask(headers: Headers, rawBody: Uint8Array): Promise<WebhookVerdict> {
    const refused = plausible(headers, options)
    if (!refused.ok) return refused
    const answer = await paypal.verifyWebhookSignature(headers, rawBody)
    if (answer.ok) return answer.value ? { ok: true } : { ok: false, reason: 'bad-signature' }
    return {
      ok: false,
      reason: answer.kind === 'refused' && answer.status < 429 ? 'bad-signature' : 'provider-unavailable',
    }
  }

  return {
    async verify(headers, rawBody) {
      if (verification === 'api') return ask(headers, rawBody)
      const verdict = await offline.verify(headers, rawBody)
      const undecided = !verdict.ok && verdict.reason === 'certificate-unavailable'
      return undecided && verification === 'auto' ? ask(headers, rawBody) : verdict
    },
  }
}
