import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { fakeEnvironment, type Step, silence } from '#tests/support/payments/fake-environment.ts'
import { certificateAddress, createWebhookVerifier } from './webhook-signature.ts'

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
const certUrl = 'https://api.pay.test/v1/notifications/certs/CERT-1'
const raw = Buffer.from('{"id":"WH-9","amount":1.0,"empty":{}, "text":"\\u00e9 é"}')
const certificate =
  (from = '2025-01-01T00:00:00Z', to = '2027-01-01T00:00:00Z'): Step =>
  () =>
    new Response(selfSigned(keys, from, to))

function delivery({
  time = '2026-01-01T00:00:00Z',
  webhookId = 'WH-1',
  body = raw,
  url = certUrl,
  algorithm = 'SHA256withRSA',
} = {}) {
  const signed = `t1|${time}|${webhookId}|${crc32(body)}`
  return new Headers({
    'paypal-transmission-id': 't1',
    'paypal-transmission-time': time,
    'paypal-transmission-sig': createSign('RSA-SHA256').update(signed).sign(keys.privateKey, 'base64'),
    'paypal-cert-url': url,
    'paypal-auth-algo': algorithm,
  })
}

function aVerifier(...steps: Step[]) {
  const fake = fakeEnvironment(steps)
  const verifier = createWebhookVerifier({
    environment: fake.environment,
    certHosts: ['api.pay.test'],
    webhookId: 'WH-1',
  })
  return { fake, verify: (headers: Headers, body: Uint8Array = raw) => fake.run(verifier.verify(headers, body)) }
}

describe('webhook signature', () => {
  it('F17 is accepted over the raw bytes, and the certificate is fetched once', async () => {
    const { verify, fake } = aVerifier(certificate())
    expect(await verify(delivery())).toEqual({ ok: true })
    expect(await verify(delivery())).toEqual({ ok: true })
    expect(fake.calls).toHaveLength(1)
    expect(fake.calls[0]?.init.redirect).toBe('error')
  })

  it('F17 is refused when one byte differs, even in white space', async () => {
    const { verify } = aVerifier(certificate())
    const repacked = Buffer.from(JSON.stringify(JSON.parse(raw.toString())))
    expect(await verify(delivery(), repacked)).toEqual({ ok: false, reason: 'bad-signature' })
  })

  it('F17 is refused when it was made for the webhook of somebody else', async () => {
    const { verify } = aVerifier(certificate())
    expect(await verify(delivery({ webhookId: 'WH-2' }))).toEqual({ ok: false, reason: 'bad-signature' })
  })

  it.each([
    ['older than three days', '2025-12-28T23:59:59Z'],
    ['from the future', '2026-01-05T00:00:00Z'],
    ['without a time', 'yesterday-ish'],
  ])('F17 is refused when it is %s', async (_, time) => {
    const { verify, fake } = aVerifier()
    expect(await verify(delivery({ time }))).toEqual({ ok: false, reason: 'stale' })
    expect(fake.calls).toHaveLength(0)
  })

  it('F17 is accepted when it comes two days late', async () => {
    expect(await aVerifier(certificate()).verify(delivery({ time: '2025-12-30T00:00:00Z' }))).toEqual({ ok: true })
  })

  it('is refused without its headers, and for another algorithm', async () => {
    const { verify } = aVerifier()
    expect(await verify(new Headers())).toEqual({ ok: false, reason: 'missing-header' })
    expect(await verify(delivery({ algorithm: 'none' }))).toEqual({ ok: false, reason: 'unknown-algorithm' })
  })

  it('is refused when the certificate has run out', async () => {
    const { verify } = aVerifier(certificate('2024-01-01T00:00:00Z', '2025-12-31T00:00:00Z'))
    expect(await verify(delivery())).toEqual({ ok: false, reason: 'certificate-invalid' })
  })

  it.each<[string, Step]>([
    ['is not there', () => new Response('no', { status: 404 })],
    ['is none', () => new Response('hello')],
    ['is too large', () => new Response('x'.repeat(100_000))],
    ['never arrives', silence],
  ])('can be delivered again when the certificate %s, and is fetched anew then', async (_, step) => {
    const { verify } = aVerifier(step, certificate())
    expect(await verify(delivery())).toEqual({ ok: false, reason: 'certificate-unavailable' })
    expect(await verify(delivery())).toEqual({ ok: true })
  })
})

describe('the address of a certificate', () => {
  const hosts = ['api.pay.test', '127.0.0.1:4100']

  it.each([certUrl, 'http://127.0.0.1:4100/v1/notifications/certs/1'])('is taken: %s', (url) => {
    expect(certificateAddress(url, hosts)).toBe(url)
  })

  it.each([
    'http://api.pay.test/v1/notifications/certs/1',
    'https://api.pay.test:8443/v1/notifications/certs/1',
    'https://api.pay.test.evil.test/v1/notifications/certs/1',
    'https://evil.test/v1/notifications/certs/1',
    'https://api.pay.test@evil.test/v1/notifications/certs/1',
    'https://user@api.pay.test/v1/notifications/certs/1',
    'https://api.pay.test/v1/notifications/certs/../../../upload/1',
    'https://api.pay.test/v1/notifications/certs/',
    'https://api.pay.test/v1/notifications/certs/1?x=1',
    'https://api.pay.test/v1/notifications/certs/%2e%2e%2fupload',
    'http://127.0.0.1:4101/v1/notifications/certs/1',
    'http://localhost:4100/v1/notifications/certs/1',
    'file:///v1/notifications/certs/1',
    'nonsense',
  ])('F17 T22 is not fetched: %s', async (url) => {
    expect(certificateAddress(url, hosts)).toBeUndefined()
    const { verify, fake } = aVerifier()
    expect(await verify(delivery({ url }))).toEqual({ ok: false, reason: 'foreign-certificate' })
    expect(fake.calls).toHaveLength(0)
  })
})

/** Creates a self-signed certificate in PEM: just enough X.509 for a parser. */
function selfSigned(
  { publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject },
  from: string,
  to: string,
): string {
  const der = (tag: number, ...parts: Uint8Array[]): Buffer => {
    const body = Buffer.concat(parts)
    const size = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 255]
    return Buffer.concat([Buffer.from([tag, ...size]), body])
  }
  const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts)
  const time = (iso: string) => der(0x17, Buffer.from(`${iso.replace(/[-:T]/g, '').slice(2, 14)}Z`))
  const sha256WithRsa = sequence(Buffer.from('06092a864886f70d01010b0500', 'hex'))
  const name = sequence(der(0x31, sequence(Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from('notifications')))))
  const facts = sequence(
    der(0xa0, Buffer.from([2, 1, 2])),
    Buffer.from([2, 1, 1]),
    sha256WithRsa,
    name,
    sequence(time(from), time(to)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = createSign('RSA-SHA256').update(facts).sign(privateKey)
  const bytes = sequence(facts, sha256WithRsa, der(0x03, Buffer.from([0]), signature)).toString('base64')
  return `-----BEGIN CERTIFICATE-----\n${bytes.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`
}
