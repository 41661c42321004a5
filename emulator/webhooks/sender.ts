import type { EmulatorClock } from '../world/clock.ts'
import { timestamp } from '../world/clock.ts'
import type { Ids } from '../world/ids.ts'
import { type Ring, ring } from '../world/ring.ts'
import type { SigningCertificate } from './certificate.ts'
import { AUTH_ALGORITHM, signTransmission } from './signature.ts'

/** A registered address and what it wants to hear of; `*` is everything. */
export type Webhook = { id: string; url: string; eventTypes: string[] }

export type NewEvent = {
  type: string
  resourceType: string
  summary: string
  /** The resource as it is when the event happens; asked for only when somebody listens. */
  resource: () => object
}

export type SentEvent = {
  id: string
  type: string
  at: string
  /** The exact bytes that are delivered and signed. */
  rawBody: string
}

export type Delivery = {
  event: SentEvent
  webhookId: string
  url: string
  attempts: number
  state: 'held' | 'waiting' | 'sending' | 'delivered' | 'failed' | 'dropped'
  lastStatus?: number | string
  /** Sent once, and not to be believed. */
  falseAs?: FalseKind
}

/** Signed by nobody; signed for another merchant's webhook; from the provider's sandbox. */
export type FalseKind = 'forged' | 'foreign-merchant' | 'sandbox'

export type WebhookSender = {
  emit(event: NewEvent): SentEvent | undefined
  /** Sends a stored event once more, to all or to the named webhooks. */
  resend(eventId: string, webhookIds?: readonly string[]): SentEvent | undefined
  event(id: string): SentEvent | undefined
  events(): SentEvent[]
  deliveries(): Delivery[]
  readonly webhooks: Map<string, Webhook>
  /** The id under which an event goes to a plain address, as the simulator sends it. */
  sendTo(webhook: Webhook, event: NewEvent): SentEvent
  /** Delivers an event that never happened, in a way that a careful shop does not believe. */
  emitFalse(kind: FalseKind, event: NewEvent): SentEvent | undefined
  hold(on: boolean): void
  /** How often each further event is delivered. */
  duplicate(copies: number): void
  /** Keeps the next deliveries back for a moment and sends them last first. */
  reorder(on: boolean): void
  /** Loses the next `count` deliveries; they can be resent. */
  drop(count: number): void
  /** Further events happened this much earlier, by what they say. */
  backdate(ms: number): void
  /** What is done to the next deliveries. */
  modes(): { holding: boolean; copies: number; reordering: boolean; toDrop: number; backdatedMs: number }
  /** Sends everything that is held or waits for a retry; resolves when all of it has been tried. */
  flush(order?: 'forward' | 'reversed'): Promise<number>
  /** Resolves when nothing is on its way. */
  idle(): Promise<void>
  reset(): void
  close(): void
}

/** Pauses between tries, in milliseconds; the last one repeats. The real service takes three days for 25 tries. */
const RETRY_PAUSES_MS = [250, 500, 1_000, 2_000, 5_000, 10_000]
const MOST_TRIES = 25
const TIMEOUT_MS = 10_000
/** Deliveries on their way at one time. */
const AT_ONCE = 8
const REORDER_WINDOW_MS = 200
const KEPT = 5_000
/** The webhook of a merchant who is not here, and a certificate of the other environment. */
const FOREIGN_WEBHOOK = '9WH0000000000000F'
const SANDBOX_CERTIFICATE = 'https://api.sandbox.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594-1d93a270'

type Tools = {
  clock: EmulatorClock
  ids: Ids
  certificate: SigningCertificate
  certificateUrl: () => string
  fetch: typeof fetch
}

export function webhookSender(tools: Tools): WebhookSender {
  const { clock, ids } = tools
  const webhooks = new Map<string, Webhook>()
  const deliveries: Ring<Delivery> = ring(KEPT)
  const eventsById = new Map<string, SentEvent>()
  const queue: Delivery[] = []
  const timers = new Map<Delivery, NodeJS.Timeout>()
  let onTheirWay = 0
  let whenIdle: (() => void)[] = []
  let held: Delivery[] = []
  let holding = false
  let copies = 1
  let reordering = false
  let reorderTimer: NodeJS.Timeout | undefined
  let toDrop = 0
  let backdatedMs = 0
  let epoch = 0

  function makeEvent(given: NewEvent): SentEvent {
    const id = ids.event()
    const at = timestamp(new Date(clock.now().getTime() - backdatedMs))
    const rawBody = JSON.stringify({
      id,
      event_version: '1.0',
      create_time: at,
      resource_type: given.resourceType,
      resource_version: '2.0',
      event_type: given.type,
      summary: given.summary,
      resource: given.resource(),
      links: [],
    })
    const event = { id, type: given.type, at, rawBody }
    eventsById.set(id, event)
    if (eventsById.size > KEPT) {
      const oldest = eventsById.keys().next().value
      if (oldest !== undefined) eventsById.delete(oldest)
    }
    return event
  }

  function post(event: SentEvent, webhook: Webhook): void {
    for (let copy = 0; copy < copies; copy++) {
      const delivery: Delivery = { event, webhookId: webhook.id, url: webhook.url, attempts: 0, state: 'held' }
      deliveries.push(delivery)
      if (toDrop > 0) {
        toDrop -= 1
        delivery.state = 'dropped'
      } else if (holding || reordering) {
        held.push(delivery)
        if (!holding && !reorderTimer) reorderTimer = setTimeout(() => void flush('reversed'), REORDER_WINDOW_MS)
      } else {
        start(delivery)
      }
    }
  }

  function start(delivery: Delivery): void {
    delivery.state = 'waiting'
    queue.push(delivery)
    next()
  }

  function next(): void {
    while (onTheirWay < AT_ONCE) {
      const delivery = queue.shift()
      if (!delivery) break
      onTheirWay += 1
      void send(delivery).finally(() => {
        onTheirWay -= 1
        next()
      })
    }
    if (onTheirWay === 0 && queue.length === 0) {
      const waiters = whenIdle
      whenIdle = []
      for (const wake of waiters) wake()
    }
  }

  async function send(delivery: Delivery): Promise<void> {
    const startedIn = epoch
    delivery.state = 'sending'
    delivery.attempts += 1
    const transmissionId = ids.uuid()
    const time = timestamp(clock.now())
    const { rawBody } = delivery.event
    const signedFor = delivery.falseAs === 'foreign-merchant' ? FOREIGN_WEBHOOK : delivery.webhookId
    const signature = await signTransmission(tools.certificate.privateKey, transmissionId, time, signedFor, rawBody)
    let delivered = false
    try {
      const response = await tools.fetch(delivery.url, {
        method: 'POST',
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: {
          'content-type': 'application/json',
          'user-agent': 'PayPal/AUHD-214.0-emulator',
          'correlation-id': ids.debug(),
          'paypal-transmission-id': transmissionId,
          'paypal-transmission-time': time,
          'paypal-transmission-sig':
            delivery.falseAs === 'forged' ? Buffer.alloc(256, 7).toString('base64') : signature,
          'paypal-cert-url': delivery.falseAs === 'sandbox' ? SANDBOX_CERTIFICATE : tools.certificateUrl(),
          'paypal-auth-algo': AUTH_ALGORITHM,
          'paypal-auth-version': 'v2',
        },
        body: rawBody,
      })
      await response.body?.cancel()
      delivery.lastStatus = response.status
      delivered = response.ok
    } catch (error) {
      delivery.lastStatus = error instanceof Error ? error.message : String(error)
    }
    if (delivered) delivery.state = 'delivered'
    else if (delivery.falseAs || delivery.attempts >= MOST_TRIES || startedIn !== epoch) delivery.state = 'failed'
    else retryLater(delivery)
  }

  function retryLater(delivery: Delivery): void {
    delivery.state = 'waiting'
    const pause = RETRY_PAUSES_MS[Math.min(delivery.attempts, RETRY_PAUSES_MS.length) - 1] ?? 0
    const timer = setTimeout(() => {
      timers.delete(delivery)
      start(delivery)
    }, pause)
    timer.unref()
    timers.set(delivery, timer)
  }

  async function flush(order: 'forward' | 'reversed' = 'forward'): Promise<number> {
    clearTimeout(reorderTimer)
    reorderTimer = undefined
    const waiting = [...timers.keys()]
    for (const timer of timers.values()) clearTimeout(timer)
    timers.clear()
    const due = order === 'reversed' ? [...held].reverse() : held
    held = []
    for (const delivery of [...due, ...waiting]) start(delivery)
    await idle()
    return due.length + waiting.length
  }

  function idle(): Promise<void> {
    if (onTheirWay === 0 && queue.length === 0) return Promise.resolve()
    return new Promise((resolve) => {
      whenIdle.push(resolve)
    })
  }

  function stop(): void {
    epoch += 1
    clearTimeout(reorderTimer)
    reorderTimer = undefined
    for (const timer of timers.values()) clearTimeout(timer)
    timers.clear()
    queue.length = 0
    held = []
  }

  return {
    webhooks,
    emit(given) {
      const listeners = [...webhooks.values()].filter(
        ({ eventTypes }) => eventTypes.includes('*') || eventTypes.includes(given.type),
      )
      if (listeners.length === 0) return undefined
      const event = makeEvent(given)
      for (const webhook of listeners) post(event, webhook)
      return event
    },
    resend(eventId, webhookIds) {
      const event = eventsById.get(eventId)
      if (!event) return undefined
      for (const webhook of webhooks.values()) {
        if (!webhookIds || webhookIds.includes(webhook.id)) post(event, webhook)
      }
      return event
    },
    emitFalse(kind, given) {
      const listeners = [...webhooks.values()]
      if (listeners.length === 0) return undefined
      const event = makeEvent(given)
      // A false event is none of the provider's: it cannot be asked for again.
      eventsById.delete(event.id)
      for (const { id, url } of listeners) {
        const delivery: Delivery = { event, webhookId: id, url, attempts: 0, state: 'held', falseAs: kind }
        deliveries.push(delivery)
        start(delivery)
      }
      return event
    },
    sendTo(webhook, given) {
      const event = makeEvent(given)
      post(event, webhook)
      return event
    },
    event: (id) => eventsById.get(id),
    events: () => [...eventsById.values()],
    deliveries: deliveries.all,
    hold(on) {
      holding = on
    },
    duplicate(count) {
      copies = count
    },
    reorder(on) {
      reordering = on
    },
    drop(count) {
      toDrop = count
    },
    backdate(ms) {
      backdatedMs = ms
    },
    modes: () => ({ holding, copies, reordering, toDrop, backdatedMs }),
    flush,
    idle,
    reset() {
      stop()
      holding = false
      reordering = false
      copies = 1
      toDrop = 0
      backdatedMs = 0
      deliveries.clear()
      eventsById.clear()
    },
    close: stop,
  }
}
