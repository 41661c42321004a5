import { describe, expect, it } from 'vitest'
import type { Environment } from '#contract/shared/environment.ts'
import { fakeEnvironment } from '#tests/support/payments/fake-environment.ts'
import type { PayPalResult } from './result.ts'
import { createWebhookVerification, type WebhookVerification } from './webhook-verification.ts'

const certificate = 'https://api.paypal.com/v1/notifications/certs/CERT-1'

function headers(change: Record<string, string> = {}): Headers {
  return new Headers({
    'paypal-transmission-id': 'one',
    'paypal-transmission-time': '2026-01-01T00:00:00Z',
    'paypal-transmission-sig': 'bm90aGluZw==',
    'paypal-cert-url': certificate,
    'paypal-auth-algo': 'SHA256withRSA',
    ...change,
  })
}

/** A PayPal whose certificate cannot be fetched, and whose API returns `answer`. */
function verification(mode: WebhookVerification, answer: PayPalResult<boolean>) {
  const asked: string[] = []
  const { environment } = fakeEnvironment()
  const network: Environment['network'] = { fetch: () => Promise.reject(new TypeError('no certificate today')) }
  const verifier = createWebhookVerification({
    environment: { ...environment, network },
    certHosts: ['api.paypal.com'],
    webhookId: 'WH-1',
    verification: mode,
    paypal: {
      verifyWebhookSignature(_, body) {
        asked.push(new TextDecoder().decode(body))
        return Promise.resolve(answer)
      },
    },
  })
  return { asked, verify: (given = headers()) => verifier.verify(given, new TextEncoder().encode('{"id": 1.0}')) }
}

describe('webhook verification', () => {
  it('the provider is asked, with the bytes as they came, where its certificate cannot be had', async () => {
    const { asked, verify } = verification('auto', { ok: true, value: true })
    expect(await verify()).toEqual({ ok: true })
    expect(asked).toEqual(['{"id": 1.0}'])
  })

  it('PayPal is not called where the shop verifies offline', async () => {
    const { asked, verify } = verification('offline', { ok: true, value: true })
    expect(await verify()).toEqual({ ok: false, reason: 'certificate-unavailable' })
    expect(asked).toEqual([])
  })

  it.each([
    ['it says no', { ok: true, value: false }, 'bad-signature'],
    [
      'it knows no such webhook',
      { ok: false, kind: 'refused', issue: 'X', status: 404, debugId: '', details: [] },
      'bad-signature',
    ],
    [
      'it is busy',
      { ok: false, kind: 'refused', issue: 'X', status: 429, debugId: '', details: [] },
      'provider-unavailable',
    ],
    ['it does not answer', { ok: false, kind: 'unreachable', reason: 'x' }, 'provider-unavailable'],
    ['its answer is lost', { ok: false, kind: 'unknown', reason: 'x' }, 'provider-unavailable'],
  ] as const)('F17 asked always: %s', async (_, answer, reason) => {
    const { verify } = verification('api', answer)
    expect(await verify()).toEqual({ ok: false, reason })
  })

  it.each([
    ['missing-header', { 'paypal-transmission-sig': '' }],
    ['unknown-algorithm', { 'paypal-auth-algo': 'none' }],
    ['stale', { 'paypal-transmission-time': '2025-12-20T10:00:00Z' }],
    ['foreign-certificate', { 'paypal-cert-url': 'https://api.paypal.com.evil.test/v1/notifications/certs/CERT-1' }],
  ])('F17 %s is refused without asking anybody', async (reason, change) => {
    const { asked, verify } = verification('api', { ok: true, value: true })
    expect(await verify(headers(change))).toEqual({ ok: false, reason })
    expect(asked).toEqual([])
  })
})
