import { sign } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { webhookHeaders } from '#contract/paypal/webhook-event.ts'
import { urls } from '#contract/shared/urls.ts'
import { createWorld } from '../../emulator/create-world.ts'
import { certificatePath } from '../../emulator/rest/webhooks.ts'
import type { SigningCertificate } from '../../emulator/webhooks/certificate.ts'
import type { World } from '../../emulator/world/world.ts'
import type { Luck } from './chance.ts'
import { faultOfNotice, oddityOf } from './faults.ts'
import type { Tally } from './tally.ts'
import type { Turns } from './turns.ts'

export const providerOrigin = 'http://127.0.0.1:9'
export const webhookId = '1JE4291016473214C'

type Notice = { readonly id: string; readonly type: string; readonly rawBody: string }
type Post = (path: string, init: RequestInit) => Promise<Response>

export type Provider = {
  readonly world: World
  fetch(url: string, init?: RequestInit): Promise<Response>
  /** The emulator's control interface. @throws where it refuses */
  control(path: string, body: object): Promise<unknown>
  /** No more trouble: what was lost is sent again. */
  sendAllAgain(): void
  /** Wallet orders whose money came otherwise than it was asked for: a person must look at each. */
  readonly strange: ReadonlySet<string>
}

type Parts = {
  readonly turns: Turns
  readonly luck: Luck
  readonly tally: Tally
  readonly seed: number
  readonly certificate: SigningCertificate
  /** To the shop, by no way that fails; rejects while there is no process. */
  readonly post: Post
  readonly calm: () => boolean
}

const mostTries = 8

/** The emulator without a port, whose notifications come as the dice will: late, twice, in any order, or not at all. */
export async function aProvider(parts: Parts): Promise<Provider> {
  const { turns, luck, tally } = parts
  const { world, app } = await createWorld({
    clock: { now: () => new Date(turns.nowMs) },
    seed: parts.seed,
    origin: providerOrigin,
    certificate: parts.certificate,
    webhookUrl: `http://shop.test${urls.paypalWebhook()}`,
    webhookId,
    sleep: (ms) => turns.pause(ms, 'the provider takes its time'),
  })
  const notices: Notice[] = []
  world.webhooks.hold(true)
  const emit = world.webhooks.emit
  world.webhooks.emit = (given) => {
    const event = emit(given)
    if (event) {
      notices.push(event)
      send(event)
    }
    return event
  }

  const strange = new Set<string>()
  const misdirected = new Set<string>()
  const keep = world.captures.set.bind(world.captures)
  world.captures.set = (id, capture) => {
    const order = world.orders.get(capture.orderId)
    // What one call opens and takes had no payee before that another one could be compared with.
    const isNew = !order || order.createdMs === turns.nowMs
    const isEven = parts.calm() || isNew || capture.status !== 'COMPLETED' || strange.has(capture.orderId)
    const how = isEven ? null : oddityOf(luck)
    if (how) {
      if (how === 'pays somebody else') misdirected.add(capture.orderId)
      tally.count(`provider: ${how}`)
      strange.add(capture.orderId)
      if (how === 'takes a cent less') capture.size -= 1n
      if (how === 'takes another currency') capture.currency = 'EUR'
    }
    return keep(id, capture)
  }

  function send(notice: Notice): void {
    const fault = parts.calm() ? 'none' : faultOfNotice(luck)
    tally.count(`notification: ${fault}`)
    if (fault === 'lost') return
    const copies = fault === 'twice' ? 2 : fault === 'five times' ? 5 : 1
    for (let copy = 0; copy < copies; copy += 1) {
      const delayMs = fault === 'late' ? luck.between(60_000, 3 * 3_600_000) : luck.between(20, 6_000)
      deliver(notice, delayMs, 1)
    }
    if (fault === 'forged') deliver({ ...notice, rawBody: forged(notice.rawBody) }, 500, mostTries, notice)
  }

  /** About more money than there was, or about something else where it is not about money. */
  function forged(rawBody: string): string {
    const dearer = rawBody.replace('"value":"', '"value":"1')
    return dearer === rawBody ? rawBody.replace('"event_type":"', '"event_type":"FORGED.') : dearer
  }

  /** @param signed what the signature is of, where that is not what is sent */
  function deliver(notice: Notice, delayMs: number, tries: number, signed = notice): void {
    turns.offer(delayMs, `a notification arrives: ${notice.type}`, () => {
      const again = () => {
        if (tries < mostTries) deliver(notice, luck.between(30_000, 600_000), tries + 1, signed)
      }
      parts.post(urls.paypalWebhook(), request(notice, signed)).then((answer) => {
        if (signed !== notice && answer.ok) tally.violated('P3', null, 'a forged notification was believed')
        if (!answer.ok && signed === notice) again()
      }, again)
    })
  }

  function request({ rawBody }: Notice, signed: Notice): RequestInit {
    const id = world.ids.uuid()
    const time = new Date(turns.nowMs).toISOString()
    const message = `${id}|${time}|${webhookId}|${crc32(signed.rawBody)}`
    return {
      method: 'POST',
      body: rawBody,
      headers: {
        'content-type': 'application/json',
        [webhookHeaders.transmissionId]: id,
        [webhookHeaders.transmissionTime]: time,
        [webhookHeaders.transmissionSignature]: sign(
          'sha256',
          Buffer.from(message),
          parts.certificate.privateKey,
        ).toString('base64'),
        [webhookHeaders.certificateUrl]: `${providerOrigin}${certificatePath(parts.certificate.pem)}`,
        [webhookHeaders.algorithm]: 'SHA256withRSA',
      },
    }
  }

  const ask = async (url: string, init: RequestInit = {}) => {
    const { signal: _, redirect: __, ...rest } = init
    const answer = await app.fetch(new Request(url, rest))
    const order = [...misdirected].find((id) => url.includes(id))
    if (!order || answer.status >= 300) return answer
    const text = (await answer.text()).replaceAll(/"merchant_id":"\w+"/g, '"merchant_id":"ANOTHER1"')
    return new Response(text, { status: answer.status, headers: { 'content-type': 'application/json' } })
  }
  return {
    world,
    strange,
    fetch: ask,
    async control(path, body) {
      const answer = await ask(`${providerOrigin}/__emulator${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      const said = (await answer.json()) as { error?: string }
      if (said.error) throw new Error(said.error)
      return said
    },
    sendAllAgain() {
      for (const notice of notices) deliver(notice, luck.between(20, 60_000), 1)
    },
  }
}
