import { verify, X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { DEFAULTS } from '../../emulator/start-emulator.ts'
import { anOrder } from './fixtures/emulator-client.ts'
import { aProvider } from './fixtures/provider-setup.ts'
import { type Received, startWebhookSink } from './fixtures/webhook-sink.ts'

const BASE = '/v1/notifications'

const { provider, sink, renew, call } = aProvider({ withSink: true })

async function approvedOrder(): Promise<string> {
  const { body } = await provider.call('POST', '/v2/checkout/orders', anOrder({ invoiceId: 'SHOP-1' }))
  await provider.control(`/orders/${body.id}/approve`)
  return String(body.id)
}

const arrived = (count: number) => expect.poll(() => sink.received.length, { timeout: 5_000 }).toBe(count)
const types = () => sink.received.map(({ type }) => type)
const header = ({ headers }: Received, name: string) => String(headers[`paypal-${name}`])

/** CRC-32 bit by bit, as the standard defines it: slow, and written without any library. */
function crc32(text: string): number {
  let crc = 0xffffffff
  for (const byte of Buffer.from(text)) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}

async function firstEvent(): Promise<Received> {
  await approvedOrder()
  await arrived(1)
  const [event] = sink.received
  if (!event) throw new Error('nothing came')
  return event
}

describe('signatures', () => {
  it('verify against the served certificate with an independent check', async () => {
    const event = await firstEvent()
    const url = header(event, 'cert-url')
    expect(url.startsWith(`${provider.url}${BASE}/certs/`)).toBe(true)
    const certificate = new X509Certificate(await (await fetch(url)).text())
    const message = [
      header(event, 'transmission-id'),
      header(event, 'transmission-time'),
      DEFAULTS.webhookId,
      crc32(event.rawBody),
    ].join('|')
    const signature = Buffer.from(header(event, 'transmission-sig'), 'base64')
    expect(header(event, 'auth-algo')).toBe('SHA256withRSA')
    expect(verify('sha256', Buffer.from(message), certificate.publicKey, signature)).toBe(true)
    expect(verify('sha256', Buffer.from(`${message}0`), certificate.publicKey, signature)).toBe(false)
  })

  it('the certificate is a valid, self-signed RSA certificate of today', async () => {
    const event = await firstEvent()
    const certificate = new X509Certificate(await (await fetch(header(event, 'cert-url'))).text())
    expect(certificate.verify(certificate.publicKey)).toBe(true)
    expect(certificate.subject).toBe('CN=emulator.paypal.test')
    expect(certificate.publicKey.asymmetricKeyDetails?.modulusLength).toBe(2048)
    const now = new Date()
    expect(certificate.validFromDate < now && now < certificate.validToDate).toBe(true)
  })

  it('the API confirms the delivered bytes and nothing else', async () => {
    const event = await firstEvent()
    const verifyAs = async (rawEvent: string, webhookId = DEFAULTS.webhookId) => {
      const fields = {
        auth_algo: header(event, 'auth-algo'),
        cert_url: header(event, 'cert-url'),
        transmission_id: header(event, 'transmission-id'),
        transmission_sig: header(event, 'transmission-sig'),
        transmission_time: header(event, 'transmission-time'),
        webhook_id: webhookId,
      }
      const text = `${JSON.stringify(fields).slice(0, -1)},"webhook_event":${rawEvent}}`
      return (await call('POST', `${BASE}/verify-webhook-signature`, text)).body.verification_status
    }
    expect(await verifyAs(event.rawBody)).toBe('SUCCESS')
    expect(await verifyAs(event.rawBody.replace('33.50', '33.51'))).toBe('FAILURE')
    expect(await verifyAs(event.rawBody.replace(':', ': '))).toBe('FAILURE')
    expect(await verifyAs(event.rawBody, 'OTHERWEBHOOK')).toBe('FAILURE')
  })
})

describe('events', () => {
  it('tell of approval, capture, completion and refund, with what finds the order again', async () => {
    const id = await approvedOrder()
    const { body } = await provider.call('POST', `/v2/checkout/orders/${id}/capture`, {})
    const capture = (body as { purchase_units: { payments: { captures: { id: string }[] } }[] }).purchase_units[0]
      ?.payments.captures[0]
    await provider.call('POST', `/v2/payments/captures/${capture?.id}/refund`, {})
    await arrived(4)
    expect(types().sort()).toEqual([
      'CHECKOUT.ORDER.APPROVED',
      'CHECKOUT.ORDER.COMPLETED',
      'PAYMENT.CAPTURE.COMPLETED',
      'PAYMENT.CAPTURE.REFUNDED',
    ])
    const captured = sink.received.find(({ type }) => type === 'PAYMENT.CAPTURE.COMPLETED')
    expect(JSON.parse(captured?.rawBody ?? '{}')).toMatchObject({
      event_version: '1.0',
      resource_type: 'capture',
      resource: {
        id: capture?.id,
        custom_id: '1042',
        invoice_id: 'SHOP-1',
        supplementary_data: { related_ids: { order_id: id } },
      },
    })
  })

  it('can be listed, read and sent again', async () => {
    const event = await firstEvent()
    const list = await call('GET', `${BASE}/webhooks-events?event_type=CHECKOUT.ORDER.APPROVED`)
    expect(list.body).toMatchObject({ count: 1, events: [{ id: event.id }] })
    expect((await call('GET', `${BASE}/webhooks-events/${event.id}`)).body.id).toBe(event.id)
    expect((await call('POST', `${BASE}/webhooks-events/${event.id}/resend`, {})).status).toBe(202)
    await arrived(2)
    expect(sink.received[1]?.rawBody).toBe(event.rawBody)
  })

  it('of the simulator arrive', async () => {
    const answer = await call('POST', `${BASE}/simulate-event`, {
      webhook_id: DEFAULTS.webhookId,
      event_type: 'PAYMENT.CAPTURE.DENIED',
    })
    expect(answer.status).toBe(202)
    await arrived(1)
    expect(types()).toEqual(['PAYMENT.CAPTURE.DENIED'])
  })
})

describe('delivery', () => {
  it('is repeated until it is taken', async () => {
    sink.answerWith(500, 503)
    await approvedOrder()
    await arrived(3)
    expect(new Set(sink.received.map(({ id }) => id)).size).toBe(1)
  })

  it('can be held back and let go', async () => {
    await provider.control('/webhooks/hold')
    await approvedOrder()
    expect(sink.received).toEqual([])
    expect(await provider.control('/webhooks/flush')).toEqual({ sent: 1 })
    expect(types()).toEqual(['CHECKOUT.ORDER.APPROVED'])
  })

  it('can happen five times', async () => {
    await provider.control('/webhooks/duplicate', { copies: 5 })
    await approvedOrder()
    await arrived(5)
    expect(new Set(sink.received.map(({ id }) => id)).size).toBe(1)
  })

  it('can come in the wrong order', async () => {
    await provider.control('/webhooks/reorder')
    const id = await approvedOrder()
    await provider.call('POST', `/v2/checkout/orders/${id}/capture`, {})
    await arrived(3)
    const log = (await (await fetch(`${provider.url}/__emulator/webhooks`)).json()) as { type: string }[]
    expect(log.map(({ type }) => type)[0]).toBe('CHECKOUT.ORDER.APPROVED')
    expect(types().indexOf('CHECKOUT.ORDER.APPROVED')).toBeGreaterThan(0)
  })

  it('can be lost, and made up for by sending again', async () => {
    await provider.control('/webhooks/drop', { count: 1 })
    await approvedOrder()
    const [lost] = (await (await fetch(`${provider.url}/__emulator/webhooks`)).json()) as { event_id: string }[]
    expect(lost).toMatchObject({ state: 'dropped' })
    await call('POST', `${BASE}/webhooks-events/${lost?.event_id}/resend`, {})
    await arrived(1)
  })
})

describe('F17 what a careful shop does not take at face value', () => {
  const verify = async (event: Received) => {
    const fields = {
      auth_algo: header(event, 'auth-algo'),
      cert_url: header(event, 'cert-url'),
      transmission_id: header(event, 'transmission-id'),
      transmission_sig: header(event, 'transmission-sig'),
      transmission_time: header(event, 'transmission-time'),
      webhook_id: DEFAULTS.webhookId,
    }
    const body = `${JSON.stringify(fields).slice(0, -1)},"webhook_event":${event.rawBody}}`
    return (await call('POST', `${BASE}/verify-webhook-signature`, body)).body.verification_status
  }

  it.each(['forged', 'foreign-merchant', 'sandbox'])(
    'F17 a %s notification comes once and fails the check',
    async (kind) => {
      const order = await approvedOrder()
      await arrived(1)
      sink.clear()
      sink.answerWith(401)
      await provider.control('/webhooks/false', { kind, order })
      await arrived(1)
      const [event] = sink.received
      if (!event) throw new Error('nothing came')
      expect(event.type).toBe('PAYMENT.CAPTURE.COMPLETED')
      expect(JSON.parse(event.rawBody).resource).toMatchObject({
        custom_id: '1042',
        supplementary_data: { related_ids: { order_id: order } },
      })
      expect(await verify(event)).toBe('FAILURE')
      // It is none of the provider's own: nothing was captured, nothing can be sent again.
      expect((await provider.ledger()).captures).toEqual([])
      expect((await call('GET', `${BASE}/webhooks-events/${event.id}`)).status).toBe(404)
      await provider.control('/webhooks/flush')
      expect(sink.received).toHaveLength(1)
    },
  )

  it('F17 the sandbox’s certificate stands at the sandbox’s address', async () => {
    await provider.control('/webhooks/false', { kind: 'sandbox' })
    await arrived(1)
    const [event] = sink.received
    expect(event && new URL(header(event, 'cert-url')).host).toBe('api.sandbox.paypal.com')
  })

  it('F17 an old notification comes again under its old id and passes the check', async () => {
    const first = await firstEvent()
    await provider.control('/clock', { advance_ms: 3 * 86_400_000 })
    await renew()
    await provider.control('/webhooks/replay')
    await arrived(2)
    const again = sink.received[1]
    expect([again?.id, again?.rawBody]).toEqual([first.id, first.rawBody])
    expect(again && (await verify(again))).toBe('SUCCESS')
  })

  it('F17 a notification may tell of three days ago', async () => {
    await provider.control('/webhooks/backdate', { days: 3 })
    const event = await firstEvent()
    const ageMs = Date.now() - Date.parse(JSON.parse(event.rawBody).create_time)
    expect(Math.round(ageMs / 86_400_000)).toBe(3)
    expect(await verify(event)).toBe('SUCCESS')
  })
})

describe('registration', () => {
  it('adds, changes, lists and removes addresses, and sends only what was asked for', async () => {
    const other = await startWebhookSink()
    try {
      const made = await call('POST', `${BASE}/webhooks`, {
        url: other.url,
        event_types: [{ name: 'PAYMENT.CAPTURE.COMPLETED' }],
      })
      expect(made.status).toBe(201)
      const path = `${BASE}/webhooks/${made.body.id}`
      expect((await call('GET', path)).body.url).toBe(other.url)
      expect((await call('GET', `${BASE}/webhooks`)).body.webhooks).toHaveLength(2)
      const id = await approvedOrder()
      await provider.call('POST', `/v2/checkout/orders/${id}/capture`, {})
      await arrived(3)
      await expect.poll(() => other.received.map(({ type }) => type)).toEqual(['PAYMENT.CAPTURE.COMPLETED'])
      const patch = [{ op: 'replace', path: '/event_types', value: [{ name: '*' }] }]
      expect((await call('PATCH', path, patch)).body.event_types).toMatchObject([{ name: '*' }])
      expect((await call('DELETE', path)).status).toBe(204)
      expect((await call('GET', path)).status).toBe(404)
      expect((await call('GET', `${BASE}/webhooks-event-types`)).status).toBe(200)
    } finally {
      await other.close()
    }
  })

  it('takes no address outside this machine', async () => {
    const answer = await call('POST', `${BASE}/webhooks`, {
      url: 'https://shop.example/hook',
      event_types: [{ name: '*' }],
    })
    expect(answer.status).toBe(400)
  })
})
