import { createVerify, X509Certificate } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { webhookHeaders } from '#contract/paypal/webhook-event.ts'
import type { Environment } from '#contract/shared/environment.ts'
import { readAtMost } from './exchange.ts'

export type WebhookVerdict =
  | { readonly ok: true }
  | {
      readonly ok: false
      /** An unavailable dependency is temporary: the response must request a redelivery. */
      readonly reason:
        | 'missing-header'
        | 'unknown-algorithm'
        | 'stale'
        | 'foreign-certificate'
        | 'certificate-unavailable'
        | 'certificate-invalid'
        | 'provider-unavailable'
        | 'bad-signature'
    }

export type WebhookVerifier = { verify(headers: Headers, rawBody: Uint8Array): Promise<WebhookVerdict> }

export type WebhookVerifierOptions = {
  readonly environment: Pick<Environment, 'clock' | 'network' | 'log'>
  /** Exact hosts, with the port where it is not the scheme's own: `api.paypal.com`, `127.0.0.1:4100`. */
  readonly certHosts: readonly string[]
  /** The configured id, never one from an event. */
  readonly webhookId: string
}

const maxAgeMs = 3 * 24 * 60 * 60 * 1000
const certificateTimeoutMs = 5_000
const certificateLimitBytes = 64 * 1024
const maxCertificates = 8
const loopback = new Set(['127.0.0.1', '[::1]', 'localhost'])
const certificatePath = '/v1/notifications/certs/'

/** Verifies webhooks without calling PayPal: RSA over ids, time and a checksum of the raw bytes. */
export function createWebhookVerifier(options: WebhookVerifierOptions): WebhookVerifier {
  const { environment, webhookId } = options
  const { clock, log } = environment
  const certificates = new Map<string, Promise<X509Certificate | undefined>>()

  function certificateAt(url: string): Promise<X509Certificate | undefined> {
    const known = certificates.get(url)
    if (known) return known
    const [oldest] = certificates.keys()
    if (certificates.size >= maxCertificates && oldest !== undefined) certificates.delete(oldest)
    const loading = fetchCertificate(environment, url).catch((error: unknown) => {
      log.warn({ url, error: String(error) }, 'webhook certificate could not be fetched')
      return undefined
    })
    certificates.set(url, loading)
    loading.then((certificate) => {
      if (!certificate && certificates.get(url) === loading) certificates.delete(url)
    })
    return loading
  }

  return {
    async verify(headers, rawBody) {
      const facts = parseWebhookHeaders(headers, options)
      if (!facts.ok) return facts
      const { id, time, signature, url } = facts
      const certificate = await certificateAt(url)
      if (!certificate) return { ok: false, reason: 'certificate-unavailable' }
      const now = clock.now()
      if (now < certificate.validFromDate || now > certificate.validToDate) {
        certificates.delete(url)
        return { ok: false, reason: 'certificate-invalid' }
      }

      const signed = `${id}|${time}|${webhookId}|${crc32(rawBody)}`
      const genuine = createVerify('RSA-SHA256').update(signed).verify(certificate.publicKey, signature, 'base64')
      return genuine ? { ok: true } : { ok: false, reason: 'bad-signature' }
    },
  }
}

type Plausible = { ok: true; id: string; time: string; signature: string; url: string }

/** Parses the headers of a webhook, or returns why they cannot be genuine. */
export function parseWebhookHeaders(
  headers: Headers,
  { environment, certHosts }: Pick<WebhookVerifierOptions, 'environment' | 'certHosts'>,
): Plausible | (WebhookVerdict & { ok: false }) {
  const id = headers.get(webhookHeaders.transmissionId)
  const time = headers.get(webhookHeaders.transmissionTime)
  const signature = headers.get(webhookHeaders.transmissionSignature)
  const certificateUrl = headers.get(webhookHeaders.certificateUrl)
  const algorithm = headers.get(webhookHeaders.algorithm)
  if (!id || !time || !signature || !certificateUrl || !algorithm) return { ok: false, reason: 'missing-header' }
  if (algorithm !== 'SHA256withRSA') return { ok: false, reason: 'unknown-algorithm' }

  // Written so that an invalid time counts as stale.
  const age = Math.abs(environment.clock.now().getTime() - Date.parse(time))
  if (!(age <= maxAgeMs)) return { ok: false, reason: 'stale' }

  const url = certificateAddress(certificateUrl, certHosts)
  return url ? { ok: true, id, time, signature, url } : { ok: false, reason: 'foreign-certificate' }
}

/** Returns the certificate's URL, or undefined when it is not PayPal's. */
export function certificateAddress(text: string, certHosts: readonly string[]): string | undefined {
  const url = URL.parse(text)
  if (!url) return undefined
  const allowed =
    (url.protocol === 'https:' || (url.protocol === 'http:' && loopback.has(url.hostname))) &&
    certHosts.includes(url.host) &&
    url.username === '' &&
    url.password === '' &&
    url.search === '' &&
    url.hash === '' &&
    url.pathname.startsWith(certificatePath) &&
    /^[\w.-]+$/.test(url.pathname.slice(certificatePath.length))
  return allowed ? url.href : undefined
}

async function fetchCertificate(
  { clock, network }: Pick<Environment, 'clock' | 'network'>,
  url: string,
): Promise<X509Certificate> {
  const done = new AbortController()
  const timeoutController = new AbortController()
  const timeout = clock.sleep(certificateTimeoutMs, done.signal).then((): never => {
    timeoutController.abort()
    throw new Error(`no certificate within ${certificateTimeoutMs} ms`)
  })
  // When the certificate arrives first, the timeout's rejection is unhandled.
  timeout.catch(() => {})
  const load = async () => {
    const response = await network.fetch(url, {
      redirect: 'error',
      signal: timeoutController.signal,
      // A loopback provider is an emulator, which the operator has configured by host and port.
      ...(loopback.has(new URL(url).hostname) ? {} : { reach: 'internet' }),
    })
    if (response.status !== 200) throw new Error(`the certificate URL returned status ${response.status}`)
    const pem = await readAtMost(response, certificateLimitBytes)
    if (!pem) throw new Error('the certificate is too large')
    const certificate = new X509Certificate(pem)
    if (certificate.publicKey.asymmetricKeyType !== 'rsa') throw new Error('the certificate holds no RSA key')
    return certificate
  }
  try {
    return await Promise.race([load(), timeout])
  } finally {
    done.abort()
  }
}
