import type { Context, Hono } from 'hono'
import { amountOf } from '../orders/amounts.ts'
import { approveOrder } from '../orders/approve-order.ts'
import { settleCapture } from '../orders/complete-order.ts'
import { Refusal } from '../rest/error-bodies.ts'
import type { Env } from '../rest/operation.ts'
import { giveBack } from '../rest/payments.ts'
import { findBuyer } from '../wallet/buyers.ts'
import { timestamp } from '../world/clock.ts'
import { readFault } from '../world/faults.ts'
import { resetWorld, type World } from '../world/world.ts'
import { serveControlPage } from './page.ts'

type Body = Record<string, unknown>

/** `/__emulator/*`: what tests, benches and the control page ask for. None of it exists at the real provider. */
export function serveControlApi(app: Hono<Env>, world: World): void {
  const post = (path: string, run: (body: Body, context: Context<Env>) => object | Promise<object>) => {
    app.post(`/__emulator${path}`, async (context) => {
      // A page of another origin must not steer the emulator of the person who looks at it.
      const origin = context.req.header('origin')
      if (origin !== undefined && URL.parse(origin)?.host !== context.req.header('host')) {
        return context.json({ error: 'other origin' }, 403)
      }
      try {
        const done = await run(await bodyOf(context), context)
        return isForm(context) ? context.redirect('/__emulator/', 303) : context.json(done)
      } catch (error) {
        if (error instanceof ControlError) return context.json({ error: error.message }, error.status)
        if (error instanceof Refusal) return context.json({ error: error.message }, 409)
        throw error
      }
    })
  }

  post('/reset', () => {
    resetWorld(world)
    return { ok: true }
  })
  post('/clock', ({ advance_ms }) => {
    const ms = Number(advance_ms)
    if (!Number.isFinite(ms)) throw new ControlError(400, 'advance_ms: milliseconds, may be negative')
    world.clock.advance(ms)
    return { now: timestamp(world.clock.now()) }
  })
  post('/fault', (body) => {
    const fault = readFault(body)
    if (typeof fault === 'string') throw new ControlError(400, fault)
    world.faults.add(fault)
    return { faults: world.faults.all() }
  })
  post('/faults/clear', () => {
    world.faults.clear()
    return { faults: [] }
  })
  post('/tokens/expire', () => {
    world.accessTokens.clear()
    return { ok: true }
  })
  post('/orders/:id/approve', async ({ buyer: email, address }, context) => {
    const buyer = findBuyer(typeof email === 'string' ? email : 'buyer')
    if (!buyer) throw new ControlError(404, `no such buyer: ${String(email)}`)
    if (buyer.approvalMs > 0) await world.sleep(buyer.approvalMs)
    const addressId = typeof address === 'string' ? address : undefined
    const approval = approveOrder(world, context.req.param('id') ?? '', buyer, { addressId })
    if (!approval.ok) throw new ControlError(approval.reason === 'unknown' ? 404 : 409, approval.reason)
    return { id: approval.order.id, status: approval.order.status, payer_id: buyer.payerId }
  })
  post('/captures/:id/settle', ({ status }, context) => {
    const capture = world.captures.get(context.req.param('id') ?? '')
    if (!capture) throw new ControlError(404, 'no such capture')
    if (capture.status !== 'PENDING') throw new ControlError(409, `the capture is ${capture.status}`)
    if (status !== 'COMPLETED' && status !== 'DECLINED') throw new ControlError(400, 'status: COMPLETED or DECLINED')
    settleCapture(world, capture, status)
    return { id: capture.id, status: capture.status }
  })
  post('/captures/:id/refund', (_, context) => {
    const capture = world.captures.get(context.req.param('id') ?? '')
    if (!capture) throw new ControlError(404, 'no such capture')
    return { id: giveBack(world, capture, {}).id }
  })

  post('/webhooks/hold', ({ on }) => {
    world.webhooks.hold(on !== false && on !== 'false')
    return { ok: true }
  })
  post('/webhooks/duplicate', ({ copies }) => {
    const count = copies === undefined ? 2 : Number(copies)
    if (!Number.isInteger(count) || count < 1 || count > 20) throw new ControlError(400, 'copies: 1 to 20')
    world.webhooks.duplicate(count)
    return { copies: count }
  })
  post('/webhooks/reorder', ({ on }) => {
    world.webhooks.reorder(on !== false && on !== 'false')
    return { ok: true }
  })
  post('/webhooks/drop', ({ count }) => {
    const number = count === undefined ? 1 : Number(count)
    if (!Number.isInteger(number) || number < 0) throw new ControlError(400, 'count: a whole number')
    world.webhooks.drop(number)
    return { count: number }
  })
  post('/webhooks/flush', async ({ order }) => {
    const sent = await world.webhooks.flush(order === 'reversed' ? 'reversed' : 'forward')
    return { sent }
  })

  serveControlPage(app, world)
  app.get('/__emulator/log', (context) => context.json(world.log.all()))
  app.get('/__emulator/ledger', (context) => context.json(ledger(world)))
  app.get('/__emulator/webhooks', (context) =>
    context.json(
      world.webhooks
        .deliveries()
        .map(({ event, ...delivery }) => ({ event_id: event.id, type: event.type, ...delivery })),
    ),
  )
}

class ControlError extends Error {
  readonly status: 400 | 404 | 409
  constructor(status: 400 | 404 | 409, message: string) {
    super(message)
    this.status = status
  }
}

function isForm(context: Context<Env>): boolean {
  return context.req.header('content-type')?.startsWith('application/x-www-form-urlencoded') === true
}

/** JSON, or a form of the control page. */
async function bodyOf(context: Context<Env>): Promise<Body> {
  const text = await context.req.text()
  if (text.trim() === '') return {}
  if (isForm(context)) {
    const form = Object.fromEntries(new URLSearchParams(text))
    // A form names the effect and its figure in two fields; a switch needs no figure.
    return form.effect ? { ...form, [form.effect]: form.value || true } : form
  }
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return { ...body }
  } catch {
    // Told below.
  }
  throw new ControlError(400, 'the body must be a JSON object')
}

/** What the provider's books say, to hold against the shop's. */
export function ledger(world: World): object {
  return {
    orders: [...world.orders.values()].map((order) => ({
      id: order.id,
      status: order.status,
      intent: order.intent,
      custom_id: order.units[0]?.custom_id,
      invoice_id: order.units[0]?.invoice_id,
      amount: order.units[0]?.amount,
      declines: order.declines,
      captures: order.captureIds,
    })),
    captures: [...world.captures.values()].map((capture) => ({
      id: capture.id,
      order_id: capture.orderId,
      status: capture.status,
      amount: amountOf(capture.size, capture.currency),
      refunded: amountOf(capture.refunded, capture.currency),
      custom_id: capture.customId,
      invoice_id: capture.invoiceId,
    })),
    refunds: [...world.refunds.values()].map((refund) => ({
      id: refund.id,
      capture_id: refund.captureId,
      order_id: refund.orderId,
      amount: amountOf(refund.size, refund.currency),
      invoice_id: refund.invoiceId,
    })),
  }
}
