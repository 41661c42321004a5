import type { Context, Hono } from 'hono'
import { endOldAuthorizations } from '../orders/authorization-life.ts'
import { Refusal } from '../rest/error-bodies.ts'
import type { Env } from '../rest/operation.ts'
import { SWITCHABLE } from '../sdk/parameters.ts'
import { timestamp } from '../world/clock.ts'
import { readFault } from '../world/faults.ts'
import { resetWorld, type World } from '../world/world.ts'
import { ControlError } from './control-error.ts'
import { ledger } from './ledger.ts'
import { serveControlPage } from './page.ts'
import { type Body, type Post, servePayments } from './payments-api.ts'
import { serveWebhookModes } from './webhooks-api.ts'

/** `/__emulator/*`: what tests, benches and the control page ask for. None of it exists at the real provider. */
export function serveControlApi(app: Hono<Env>, world: World): void {
  const post: Post = (path, run) => {
    app.post(`/__emulator${path}`, async (context) => {
      // A page of another origin must not steer the emulator of the person who looks at it.
      const origin = context.req.header('origin')
      if (origin !== undefined && URL.parse(origin)?.host !== context.req.header('host')) {
        return context.json({ error: 'other origin' }, 403)
      }
      try {
        const done = await run(await bodyOf(context), context.req.param('id') ?? '')
        return isForm(context) ? context.redirect('/__emulator/', 303) : context.json(done)
      } catch (error) {
        if (!(error instanceof ControlError || error instanceof Refusal)) throw error
        const problem = encodeURIComponent(error.message)
        if (isForm(context)) return context.redirect(`/__emulator/?problem=${problem}`, 303)
        return context.json({ error: error.message }, error instanceof ControlError ? error.status : 409)
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
    endOldAuthorizations(world)
    return { now: timestamp(world.clock.now()) }
  })
  post('/fault', (body) => {
    const fault = readFault(body)
    if (typeof fault === 'string') throw new ControlError(400, fault)
    world.faults.add(fault)
    return { faults: world.faults.all() }
  })
  post('/eligibility', (body) => {
    for (const [source, eligible] of Object.entries(body)) {
      if (!SWITCHABLE.includes(source)) throw new ControlError(400, `no such source: ${source}`)
      if (typeof eligible !== 'boolean') throw new ControlError(400, `${source}: true or false`)
      world.eligibility.set(source, eligible)
    }
    return Object.fromEntries(world.eligibility)
  })
  post('/faults/clear', () => {
    world.faults.clear()
    world.captureOverrides = []
    world.refundOverrides = []
    return { faults: [] }
  })
  post('/tokens/expire', () => {
    world.accessTokens.clear()
    return { ok: true }
  })
  servePayments(post, world)
  serveWebhookModes(post, world)

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
