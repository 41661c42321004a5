import { createVerify, X509Certificate } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { webhookHeaders } from '#contract/paypal/webhook-event.ts'
import type { Environment } from '#contract/shared/environment.ts'
import { readAtMost } from './exchange.ts'

export type WebhookVerdict =
  | { readonly ok: true }
  | {
      readonly ok: false
      /** What is unavailable may come right by itself: answer so that the delivery is repeated. */
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
  /** The configured id, never one that an event brings along. */
  readonly webhookId: string
}

const maxAgeMs = 3 * 24 * 60 * 60 * 1000
const certificateTimeoutMs = 5_000
const certificateLimitBytes = 64 * 1024
const certificatesKept = 8
const loopback = new Set(['127.0.0.1', '[::1]', 'localhost'])
const certificatePath = '/v1/notifications/certs/'

/** Verifies deliveries without asking the provider: RSA over ids, time and a checksum of the bytes as they came. */
export function createWebhookVerifier(options: WebhookVerifierOptions): WebhookVerifier {
  const { environment, webhookId } = options
  const { clock, log } = environment
  const certificates = new Map<string, Promise<X509Certificate | undefined>>()

  function certificateAt(url: string): Promise<X509Certificate | undefined> {
    const known = certificates.get(url)
    if (known) return known
    const [oldest] = certificates.keys()
    if (certificates.size >= certificatesKept && oldest !== undefined) certificates.delete(oldest)
    const loading = fetchCertificate(environment, url).catch((error: unknown) => {
      log.warn({ url, error: String(error) }, 'The certificate of a notification could not be fetched')
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
      const facts = plausible(headers, options)
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

/** What the headers of a delivery say, or why no genuine delivery has such headers. */
export function plausible(
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

  // Written so that a time which is none counts as stale.
  const age = Math.abs(environment.clock.now().getTime() - Date.parse(time))
  if (!(age <= maxAgeMs)) return { ok: false, reason: 'stale' }

  const url = certificateAddress(certificateUrl, certHosts)
  return url ? { ok: true, id, time, signature, url } : { ok: false, reason: 'foreign-certificate' }
}

/** The address to fetch, or undefined when it is not one of the provider's. */
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
  const giveUp = new AbortController()
  const timeout = clock.sleep(certificateTimeoutMs, done.signal).then((): never => {
    giveUp.abort()
    throw new Error(`no certificate within ${certificateTimeoutMs} ms`)
  })
  // When the certificate comes first, nobody listens to the timeout any more.
  timeout.catch(() => {})
  const load = async () => {
    const response = await network.fetch(url, {
      redirect: 'error',
      signal: giveUp.signal,
      // A provider on this machine is an emulator, which the operator has named by host and port.
      ...(loopback.has(new URL(url).hostname) ? {} : { reach: 'internet' }),
    })
    if (response.status !== 200) throw new Error(`the certificate address answered ${response.status}`)
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
