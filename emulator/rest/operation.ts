import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { ValidateFunction } from 'ajv'
import type { Context, Hono } from 'hono'
import { HOUR_MS, timestamp } from '../world/clock.ts'
import type { FaultEffect } from '../world/faults.ts'
import type { LoggedCall, World } from '../world/world.ts'
import { type ErrorSource, errorBody, Refusal, refuse, statusOfMock } from './error-bodies.ts'
import { issuesOf } from './schemas.ts'

export type Env = { Bindings: HttpBindings }
export type Prefer = 'minimal' | 'representation'

/** What an operation gets to see of a call. */
export type Call = {
  readonly world: World
  readonly params: Record<string, string>
  readonly query: URLSearchParams
  readonly prefer: Prefer
  /** The parsed body; it has passed the operation's schema. `{}` when none was sent. */
  readonly body: Record<string, unknown> | unknown[]
  /** `PayPal-Request-Id`. */
  readonly requestId?: string
  /** The body as it came, for what is signed. */
  readonly rawBody: string
}

/** `show` gives the body as it is now, so that a repeated request id answers with the latest state. */
export type Answer = { status: number; show?: (prefer: Prefer) => unknown }

export type Operation = {
  /** The name faults and the log know it by. */
  name: string
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  schema?: ValidateFunction
  errors: ErrorSource
  /** How long a `PayPal-Request-Id` is remembered; absent: not looked at. */
  remembersHours?: number
  /** What to do when another call of the same kind, on the same resource, waits in a delay. */
  whileDelayed?: (call: Call) => (() => void) | undefined
  run(call: Call): Answer | Promise<Answer>
}

/** Longer bodies are not read. */
const LONGEST_BODY = 1_000_000

/** Serves an operation: faults, credentials, media type, JSON, schema, request id, the operation, the log. */
export function serve(app: Hono<Env>, world: World, operation: Operation): void {
  app.on(operation.method, operation.path, async (context) => {
    const startedMs = performance.now()
    const debugId = world.ids.debug()
    const requestId = context.req.header('paypal-request-id')
    const entry: LoggedCall = {
      at: timestamp(world.clock.now()),
      operation: operation.name,
      method: operation.method,
      path: context.req.path,
      debugId,
      status: 0,
      durationMs: 0,
    }
    if (requestId !== undefined) entry.requestId = requestId
    world.log.push(entry)
    const fault = world.faults.take(operation.name, operation.method, context.req.path)
    if (fault) entry.fault = fault.kind

    let response: Response
    try {
      response =
        fault?.kind === 'drop'
          ? cutConnection(context)
          : await spoilAnswer(
              context,
              fault,
              world,
              debugId,
              await answer(context, world, operation, fault, entry, requestId),
            )
    } catch (error) {
      if (!(error instanceof Refusal)) console.error(`emulator: ${operation.name} failed`, error)
      const refusal = error instanceof Refusal ? error : undefined
      if (refusal?.issues[0]) entry.issue = refusal.issues[0].issue
      const status = refusal?.status ?? 500
      response = json(status, errorBody(status, debugId, refusal, operation.errors), debugId)
      if (fault?.kind === 'status' && fault.retryAfter !== undefined) {
        response.headers.set('retry-after', String(fault.retryAfter))
      }
    }
    entry.status = response === RESPONSE_ALREADY_SENT ? 0 : response.status
    entry.durationMs = Math.round(performance.now() - startedMs)
    return response
  })
}

async function answer(
  context: Context<Env>,
  world: World,
  operation: Operation,
  fault: FaultEffect | undefined,
  entry: LoggedCall,
  requestId: string | undefined,
): Promise<Response> {
  if (fault?.kind === 'status') throw new Refusal(fault.status)
  requireAccess(context, world)
  const call = await readCall(context, world, operation, entry)
  if (fault?.kind === 'issue') throw mocked(fault.issue)
  const mock = context.req.header('paypal-mock-response')
  if (mock !== undefined) throw mocked(mockedCode(mock))

  const nowMs = world.clock.now().getTime()
  if (requestId !== undefined && (requestId.length < 1 || requestId.length > 108)) {
    throw refuse(400, 'INVALID_STRING_LENGTH', { field: 'PayPal-Request-Id' })
  }
  const key =
    requestId !== undefined && operation.remembersHours
      ? `${operation.name} ${Object.values(call.params).join('/')} ${requestId}`
      : undefined
  const known = key === undefined ? undefined : world.memory.recall(key, nowMs)
  if (known?.kind === 'in-progress') throw refuse(409, 'PREVIOUS_REQUEST_IN_PROGRESS')
  if (known?.kind === 'done') return shown(200, known.answer, call.prefer, entry.debugId)

  if (key !== undefined) world.memory.begin(key)
  let done: Answer | undefined
  try {
    if (fault?.kind === 'delay') await delayed(world, operation, call, fault.ms)
    done = await operation.run(call)
  } finally {
    // A refusal is not remembered: the same id may be sent again once its cause is gone.
    if (key !== undefined) world.memory.finish(key, done, nowMs + (operation.remembersHours ?? 0) * HOUR_MS)
  }
  return shown(done.status, done, call.prefer, entry.debugId)
}

async function delayed(world: World, operation: Operation, call: Call, ms: number): Promise<void> {
  const release = operation.whileDelayed?.(call)
  await world.sleep(ms)
  release?.()
}

function requireAccess(context: Context<Env>, world: World): void {
  const token = /^Bearer (\S+)$/i.exec(context.req.header('authorization') ?? '')?.[1]
  const known = token === undefined ? undefined : world.accessTokens.get(token)
  if (!known || known.expiresMs <= world.clock.now().getTime()) throw new Refusal(401)
}

async function readCall(context: Context<Env>, world: World, operation: Operation, entry: LoggedCall): Promise<Call> {
  const prefer: Prefer = /return=representation/i.test(context.req.header('prefer') ?? '')
    ? 'representation'
    : 'minimal'
  const call = {
    world,
    params: context.req.param(),
    query: new URL(context.req.url).searchParams,
    prefer,
    ...(entry.requestId === undefined ? {} : { requestId: entry.requestId }),
  }
  if (operation.method === 'GET' || operation.method === 'DELETE') return { ...call, body: {}, rawBody: '' }

  const type = context.req.header('content-type') ?? ''
  const rawBody = await context.req.text()
  // What says nothing may say so in any type: PayPal's own libraries send a form's, or none.
  const isJson = /^application\/(json|json-patch\+json)\b/i.test(type)
  if (!isJson && rawBody.trim() !== '') throw new Refusal(415)
  if (rawBody.length > LONGEST_BODY) throw refuse(400, 'MALFORMED_REQUEST_JSON', { location: 'body' })
  const body = parsed(rawBody)
  entry.request = rawBody.includes('"number"') ? withoutCard(body) : body
  if (operation.schema && !operation.schema(body)) {
    throw new Refusal(400, issuesOf(operation.schema.errors ?? []))
  }
  return { ...call, body, rawBody }
}

/** The body with no more of a card than its last digits: what is logged is shown to people. */
function withoutCard(body: object): object {
  return JSON.parse(
    JSON.stringify(body, (key, value) => {
      if (key === 'security_code') return '•••'
      return key === 'number' && typeof value === 'string' ? `•••• ${value.slice(-4)}` : value
    }),
  )
}

function parsed(text: string): Record<string, unknown> | unknown[] {
  if (text.trim() === '') return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw refuse(400, 'MALFORMED_REQUEST_JSON', { location: 'body' })
  }
  if (typeof value !== 'object' || value === null) throw refuse(400, 'MALFORMED_REQUEST_JSON', { location: 'body' })
  // An object that is not null is a record or an array.
  return value as Record<string, unknown> | unknown[]
}

/** `{"mock_application_codes":"INSTRUMENT_DECLINED"}`; the codes may also be a list. */
function mockedCode(header: string): string {
  try {
    const codes: unknown = JSON.parse(header).mock_application_codes
    const first: unknown = Array.isArray(codes) ? codes[0] : codes
    if (typeof first === 'string') return first
  } catch {
    // Falls through: what cannot be read is refused like an unknown code.
  }
  throw refuse(400, 'INVALID_PARAMETER_VALUE', { field: 'PayPal-Mock-Response', value: header })
}

function mocked(code: string): Refusal {
  const status = statusOfMock(code)
  if (status === undefined) {
    return refuse(400, 'INVALID_PARAMETER_VALUE', { field: 'PayPal-Mock-Response', value: code })
  }
  return status >= 500 || status === 401 || /^[A-Z_]*(INVALID_REQUEST|RESOURCE_NOT_FOUND)$/.test(code)
    ? new Refusal(status)
    : refuse(status, code)
}

function shown(status: number, done: Answer, prefer: Prefer, debugId: string): Response {
  const body = done.show?.(prefer)
  if (body === undefined) return new Response(null, { status: 204, headers: { 'paypal-debug-id': debugId } })
  return json(status === 204 ? 200 : status, body, debugId)
}

export function json(status: number, body: unknown, debugId: string): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      'content-type': 'application/json;charset=UTF-8',
      'paypal-debug-id': debugId,
      'cache-control': 'max-age=0, no-cache, no-store, must-revalidate',
    },
  })
}

/** Spoils the answer of a call that has done its work. */
export async function spoilAnswer(
  context: Context<Env>,
  fault: FaultEffect | undefined,
  world: World,
  debugId: string,
  response: Response,
): Promise<Response> {
  switch (fault?.kind) {
    case 'answer_late':
      await world.sleep(fault.ms)
      return response
    case 'done_then_drop':
      return cutConnection(context)
    case 'done_then_500':
      return json(500, errorBody(500, debugId, undefined, { document: 'checkout_orders_v2', prefix: '' }), debugId)
    case 'malformed': {
      const text = await response.text()
      return new Response(text.slice(0, text.length / 2), { status: response.status, headers: response.headers })
    }
    case 'wrong_type':
      return new Response('<!doctype html><title>Maintenance</title>', {
        headers: { 'content-type': 'text/html', 'paypal-debug-id': debugId },
      })
    case 'huge':
      return json(200, { padding: 'x'.repeat(10_000_000) }, debugId)
    case 'drip':
      return new Response(drip(await response.text()), { status: response.status, headers: response.headers })
    default:
      return response
  }
}

function drip(text: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  let sent = 0
  let timer: NodeJS.Timeout | undefined
  return new ReadableStream({
    start(controller) {
      timer = setInterval(() => {
        controller.enqueue(bytes.subarray(sent, sent + 1))
        sent += 1
        if (sent < bytes.length) return
        clearInterval(timer)
        controller.close()
      }, 1_000)
      timer.unref()
    },
    cancel() {
      clearInterval(timer)
    },
  })
}

export function cutConnection(context: Context<Env>): Response {
  context.env.incoming.socket.destroy()
  return RESPONSE_ALREADY_SENT
}
