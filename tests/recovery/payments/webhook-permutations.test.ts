import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventSubject, webhookEvent } from '#contract/paypal/webhook-event.ts'
import { handleWebhook, retryPendingWebhooks } from '#shop/payments/webhooks/handle-webhook.ts'
import type { Tools } from '#shop/shared/tools.ts'
import { invariants, provider } from '#tests/support/payments/bookkeeping.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'
import { sampled } from '#tests/support/size.ts'

let shop: TestShop
let paypal: ReturnType<typeof provider>
beforeAll(async () => {
  shop = await aShop()
  paypal = provider(shop.paypal)
  await shop.emulate('/webhooks/hold', { on: true })
  await shop.db.sql`update products set stock_quantity = stock_quantity + 1000 where sku = 'MUG'`
  await shop.db.sql`insert into stock_movements (product_id, change, kind)
    select id, 1000, 'counted' from products where sku = 'MUG'`
})
afterAll(() => shop?.close())

/** The shop's own, but for the seconds that an approval is left to the shopper's return. */
function quickTools(): Tools {
  const { tools } = shop.shop.application
  return { ...tools, clock: { ...tools.clock, sleep: (ms) => sleep(Math.min(ms, 20)) } }
}

type Purchase = { orderId: number; walletOrderId: string; captureId: string }
type Told = (of: Purchase) => { event_type: string; resource: object }

const approved: Told = ({ walletOrderId }) => ({
  event_type: 'CHECKOUT.ORDER.APPROVED',
  resource: { id: walletOrderId, status: 'APPROVED' },
})
const completed: Told = ({ walletOrderId }) => ({
  event_type: 'CHECKOUT.ORDER.COMPLETED',
  resource: { id: walletOrderId, status: 'COMPLETED' },
})
const ofCapture =
  (event: string): Told =>
  ({ captureId, walletOrderId }) => ({
    event_type: `PAYMENT.CAPTURE.${event}`,
    resource: { id: captureId, supplementary_data: { related_ids: { order_id: walletOrderId } } },
  })
const givenBack: Told = ({ captureId }) => ({
  event_type: 'PAYMENT.CAPTURE.REFUNDED',
  resource: { id: 'R', links: [{ rel: 'up', href: `https://provider.test/v2/payments/captures/${captureId}` }] },
})
const dispute =
  (status: string, update_time: string): Told =>
  ({ captureId }) => ({
    event_type: `CUSTOMER.DISPUTE.${status === 'OPEN' ? 'CREATED' : 'UPDATED'}`,
    resource: {
      dispute_id: `D-${captureId}`,
      status,
      update_time,
      disputed_transactions: [{ seller_transaction_id: captureId }],
    },
  })

/** Every order of the given things, equal ones not told apart. */
function orders<Thing>(things: readonly Thing[]): Thing[][] {
  if (things.length === 0) return [[]]
  return [...new Set(things)].flatMap((first) => {
    const rest = things.toSpliced(things.indexOf(first), 1)
    return orders(rest).map((others) => [first, ...others])
  })
}

let count = 0
/** A purchase that the provider has taken the money for, and of which the shop knows nothing but that it was begun. */
async function aPurchase(): Promise<Purchase> {
  const shopper = new Shopper(shop, `permuted-${++count}`)
  const { orderId, walletOrderId } = await shopper.startToPay()
  await shopper.approve(walletOrderId)
  return { orderId, walletOrderId, captureId: '' }
}

/** One after the other, since the provider's next outcome is anybody's. */
async function moneyTaken(purchase: Purchase, outcome?: 'PENDING_REVIEW'): Promise<Purchase> {
  if (outcome) await shop.emulate('/captures/next', { outcome })
  const { walletOrderId } = purchase
  const taken = await paypal.captureOrder(walletOrderId, { requestId: `taken for ${walletOrderId}` })
  if (!taken.ok) throw new Error(`nothing was taken for ${walletOrderId}`)
  const [capture] = (taken.value.purchase_units ?? []).flatMap(({ payments }) => payments?.captures ?? [])
  return { ...purchase, captureId: capture?.id ?? '' }
}

/** Delivers the events one after the other. */
async function deliver(purchase: Purchase, events: readonly Told[]): Promise<void> {
  const tools = quickTools()
  for (const [index, told] of events.entries()) {
    const raw = { id: `WH-${purchase.orderId}-${index}`, ...told(purchase) }
    await shop.db.sql`insert into webhook_events (id, type, body, received_at)
      values (${raw.id}, ${raw.event_type}, ${JSON.stringify(raw)}, now())`
    const subject = eventSubject(webhookEvent.parse(raw))
    await handleWebhook(tools, { id: raw.id, type: raw.event_type, subject, receivedAt: tools.clock.now() })
  }
}

/** Once more what had to wait for another. */
async function deliverWaiting(): Promise<void> {
  await shop.db
    .sql`update webhook_events set received_at = received_at - interval '1 minute' where processed_at is null`
  await retryPendingWebhooks(quickTools())
}

/** How the purchase stands at last, in one line. */
async function end({ orderId }: Purchase): Promise<string> {
  const [row] = await shop.db.sql<{ said: string }[]>`
    select concat_ws(' | ', status, payment_state, attention,
      (select string_agg(status, ',') from captures where order_id = o.id),
      'back ' || (select coalesce(string_agg(amount::text, ',' order by amount), '-') from refunds where order_id = o.id),
      'sold ' || (select coalesce(-sum(change), 0) from stock_movements where order_id = o.id),
      'paid ' || (select count(*) from ledger where order_id = o.id and kind = 'paid'),
      'open ' || (select count(*) from payment_attempts where order_id = o.id and state in ('open', 'unknown')),
      'left ' || (select count(*) from webhook_events
        where processed_at is null and id like 'WH-' || o.id || '-%')) as said
    from orders o where id = ${orderId}`
  return row?.said ?? ''
}

type Scenario = {
  what: string
  events: Told[]
  outcome?: 'PENDING_REVIEW'
  meanwhile?: (purchase: Purchase) => Promise<unknown>
  ends: string
}
const scenarios: Scenario[] = [
  {
    what: 'paid, two of them told twice',
    events: [approved, approved, ofCapture('COMPLETED'), ofCapture('COMPLETED'), completed],
    ends: 'processing | paid | COMPLETED | back - | sold 1 | paid 1 | open 0 | left 0',
  },
  {
    what: 'paid and partly given back at the provider, told twice',
    events: [approved, ofCapture('COMPLETED'), ofCapture('COMPLETED'), givenBack, givenBack],
    meanwhile: ({ captureId }) => shop.emulate(`/captures/${captureId}/refund`, { amount: '1.00' }),
    ends: 'processing | partly-refunded | PARTIALLY_REFUNDED | back 100 | sold 1 | paid 1 | open 0 | left 0',
  },
  {
    what: 'looked at first, then paid',
    events: [approved, ofCapture('PENDING'), ofCapture('COMPLETED'), completed],
    outcome: 'PENDING_REVIEW',
    meanwhile: ({ captureId }) => shop.emulate(`/captures/${captureId}/settle`, { status: 'COMPLETED' }),
    ends: 'processing | paid | COMPLETED | back - | sold 1 | paid 1 | open 0 | left 0',
  },
  {
    what: 'looked at first, then denied',
    events: [approved, ofCapture('PENDING'), ofCapture('DENIED'), ofCapture('DENIED')],
    outcome: 'PENDING_REVIEW',
    meanwhile: ({ captureId }) => shop.emulate(`/captures/${captureId}/settle`, { status: 'DECLINED' }),
    ends: 'pending | pending | DECLINED | back - | sold 0 | paid 0 | open 0 | left 0',
  },
  {
    what: 'paid, disputed and won',
    events: [
      approved,
      ofCapture('COMPLETED'),
      dispute('OPEN', '2026-05-01T10:00:00Z'),
      dispute('UNDER_REVIEW', '2026-05-02T10:00:00Z'),
      dispute('RESOLVED', '2026-05-03T10:00:00Z'),
    ],
    ends: 'processing | paid | COMPLETED | back - | sold 1 | paid 1 | open 0 | left 0',
  },
  {
    what: 'six: given back in part and disputed',
    events: [
      approved,
      ofCapture('COMPLETED'),
      completed,
      givenBack,
      dispute('OPEN', '2026-05-01T10:00:00Z'),
      dispute('RESOLVED', '2026-05-03T10:00:00Z'),
    ],
    meanwhile: ({ captureId }) => shop.emulate(`/captures/${captureId}/refund`, { amount: '1.00' }),
    ends: 'processing | partly-refunded | PARTIALLY_REFUNDED | back 100 | sold 1 | paid 1 | open 0 | left 0',
  },
]

/** Purchases of which this many are made side by side: each is told of its own events in its own order. */
const sideBySide = 8

describe('the notifications of one purchase in every order', () => {
  it.each(scenarios)(
    'F17 I9 M7: $what: one end',
    { timeout: 1_800_000 },
    async ({ events, outcome, meanwhile, ends }) => {
      const every = orders(events)
      expect(every.length).toBeGreaterThanOrEqual(12)
      const all = sampled(every)
      const seen = new Map<string, number[]>()
      for (let first = 0; first < all.length; first += sideBySide) {
        const lot = all.slice(first, first + sideBySide)
        // Payments that are denied on purpose must not pause the next ones.
        await shop.db.sql`delete from rate_limits`
        const begun = await Promise.all(lot.map(aPurchase))
        const purchases: Purchase[] = []
        for (const purchase of begun) {
          const paid = await moneyTaken(purchase, outcome)
          await meanwhile?.(paid)
          purchases.push(paid)
        }
        await Promise.all(lot.map((order, at) => purchases[at] && deliver(purchases[at], order)))
        await deliverWaiting()
        for (const [at, purchase] of purchases.entries()) {
          const how = await end(purchase)
          seen.set(how, [...(seen.get(how) ?? []), first + at])
        }
      }
      expect(Object.fromEntries(seen)).toEqual({ [ends]: all.map((_, index) => index) })
      expect(await invariants(shop)).toEqual([])
    },
  )
})
