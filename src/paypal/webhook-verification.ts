import type { PayPal } from './client.ts'
import {
  createWebhookVerifier,
  parseWebhookHeaders,
  type WebhookVerdict,
  type WebhookVerifier,
  type WebhookVerifierOptions,
} from './webhook-signature.ts'

/**
 * Verification of webhooks. `auto`: offline by PayPal's certificate, and by its API where the certificate is
 * unavailable. `offline` and `api`: always that one.
 */
export type WebhookVerification = 'auto' | 'offline' | 'api'

type Options = WebhookVerifierOptions & {
  readonly verification: WebhookVerification
  readonly paypal: Pick<PayPal, 'verifyWebhookSignature'>
}

/** Verifies webhooks by the configured way; implausible headers are refused without any call. */
export function createWebhookVerification({ verification, paypal, ...options }: Options): WebhookVerifier {
  const offline = createWebhookVerifier(options)

  async function ask(headers: Headers, rawBody: Uint8Array): Promise<WebhookVerdict> {
    const refused = parseWebhookHeaders(headers, options)
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
