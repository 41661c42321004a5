import type { Chance, Clock, Log, Network } from '#contract/shared/environment.ts'
import { currentTrace, inTrace, parseTraceparent, type TraceContext } from '#database/engine/trace.ts'
import type { Span, SpanExporter } from './otlp-exporter.ts'

/** Traces work from the request that starts it to the job that ends it. */
export type Tracer = {
  /** Traces a request as a span of its own, or as a child of a span of our proxy. */
  request(request: Request, requestId: string, answer: () => Promise<Response>): Promise<Response>
  /** Wraps jobs so that each is a span in the trace of its origin. */
  jobs<Jobs extends Readonly<Record<string, Job>>>(jobs: Jobs): Readonly<Record<keyof Jobs & string, Job>>
  /** Wraps batch work outside of the queue: a span in the trace of the batch's first piece. */
  asJob<Piece extends PutDown, Result>(
    name: string,
    work: (pieces: readonly Piece[]) => Promise<Result>,
  ): (pieces: readonly Piece[]) => Promise<Result>
}

/** Trace context of queued work; null where its origin was not traced. */
type PutDown = { readonly traceparent: string | null }

type Job = (payload: unknown, jobId: string) => Promise<void>

type Parts = {
  readonly clock: Clock
  readonly chance: Chance
  /** Null: spans are not exported. Log lines have trace ids all the same. */
  readonly exporter: SpanExporter | null
  /** Share of the traces begun here that are exported, 0 to 1. */
  readonly share: number
  /** True if the operator's own proxy is in front: other clients' `traceparent` is not trusted. */
  readonly trusted: boolean
}

/** Answers without following anything. */
export const noTracer: Pick<Tracer, 'request'> = { request: (_, __, answer) => answer() }

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Route pattern of a request, for the name of its span. */
const routes = new WeakMap<TraceContext, string>()

/** Records the route pattern of the current request: the address itself may identify a person. */
export function answersBy(route: string): void {
  const context = currentTrace()
  if (context) routes.set(context, route)
}

export function createTracer({ clock, chance, exporter, share, trusted }: Parts): Tracer {
  const now = () => clock.now().getTime()
  return {
    async request(request, requestId, answer) {
      const parent = trusted ? parseTraceparent(request.headers.get('traceparent')) : null
      // A trace that begins here uses the request id shown to the visitor, so that one leads to the other.
      const traceId = parent?.traceId ?? requestId.padStart(32, '0')
      const sampled = exporter !== null && (parent ? parent.sampled : isChosen(traceId, share))
      const context = { traceId, spanId: requestId, sampled }
      if (!sampled) return inTrace(context, answer)
      const startMs = now()
      const response = await inTrace(context, answer)
      const method = methods.has(request.method) ? request.method : '_OTHER'
      const route = routes.get(context)
      exporter.take({
        ...context,
        parentSpanId: parent?.spanId ?? null,
        name: route ? `${method} ${route}` : method,
        kind: 'server',
        startMs,
        endMs: now(),
        attributes: {
          'http.request.method': method,
          'http.response.status_code': response.status,
          ...(route ? { 'http.route': route } : {}),
        },
        failed: response.status >= 500,
      })
      return response
    },

    jobs(jobs) {
      const followed = Object.entries(jobs).map(([name, work]): [string, Job] => [
        name,
        async (payload, jobId) => {
          const { traceparent, ...facts } = isFacts(payload) ? payload : { traceparent: undefined }
          const parent = parseTraceparent(traceparent)
          return parent ? consumed(parent, name, () => work(facts, jobId)) : work(payload, jobId)
        },
      ])
      return Object.fromEntries(followed) as Record<keyof typeof jobs & string, Job>
    },

    asJob: (name, work) => async (pieces) => {
      const parent = parseTraceparent(pieces[0]?.traceparent)
      return parent ? consumed(parent, name, () => work(pieces)) : work(pieces)
    },
  }

  function consumed<Result>(parent: TraceContext, name: string, work: () => Promise<Result>): Promise<Result> {
    const context = { ...parent, spanId: chance.hex(8) }
    const span = { parentSpanId: parent.spanId, name: `job ${name}`, kind: 'consumer', attributes: {} } as const
    return measured(context, span, work)
  }

  async function measured<Result>(
    context: TraceContext,
    span: Pick<Span, 'parentSpanId' | 'name' | 'kind' | 'attributes'>,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const startMs = now()
    let failed = true
    try {
      const result = await inTrace(context, work)
      failed = false
      return result
    } finally {
      if (context.sampled) exporter?.take({ ...context, ...span, startMs, endMs: now(), failed })
    }
  }
}

/**
 * Records outgoing calls of a trace as spans, by host alone. No trace context is sent: most hosts are third parties.
 */
export function tracedNetwork(
  network: Network,
  { clock, chance }: Pick<Parts, 'clock' | 'chance'>,
  exporter: SpanExporter,
) {
  return {
    async fetch(...[url, init]: Parameters<Network['fetch']>) {
      const context = currentTrace()
      if (!context?.sampled) return network.fetch(url, init)
      const method = init?.method ?? 'GET'
      const startMs = clock.now().getTime()
      const attributes: Record<string, string | number> = {
        'http.request.method': method,
        'server.address': URL.parse(String(url))?.hostname ?? '',
      }
      let failed = true
      try {
        const response = await network.fetch(url, init)
        attributes['http.response.status_code'] = response.status
        failed = response.status >= 500
        return response
      } finally {
        exporter.take({
          traceId: context.traceId,
          spanId: chance.hex(8),
          parentSpanId: context.spanId,
          name: method,
          kind: 'client',
          startMs,
          endMs: clock.now().getTime(),
          attributes,
          failed,
        })
      }
    },
  } satisfies Network
}

/** Wraps a log: adds the trace to each line that is written within one. */
export function tracedLog(log: Log): Log {
  const line =
    (level: keyof Log): Log['info'] =>
    (facts, message) => {
      const context = currentTrace()
      log[level](context ? { ...facts, traceId: context.traceId, spanId: context.spanId } : facts, message)
    }
  return { info: line('info'), warn: line('warn'), error: line('error') }
}

/** Chosen by the trace id, so that all processes and services choose the same ones: its last 52 bits are a fraction. */
const isChosen = (traceId: string, share: number) => Number.parseInt(traceId.slice(-13), 16) / 2 ** 52 < share

const isFacts = (payload: unknown): payload is Record<string, unknown> =>
  typeof payload === 'object' && payload !== null && !Array.isArray(payload)
