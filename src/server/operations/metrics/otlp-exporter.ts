import { Counter } from 'prom-client'
import type { Environment } from '#contract/shared/environment.ts'
import { metrics } from './metrics-registry.ts'

/** A finished span. `tracer.ts` restricts its attributes: no personal data, no page addresses. */
export type Span = {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | null
  readonly name: string
  readonly kind: keyof typeof kinds
  readonly startMs: number
  readonly endMs: number
  readonly attributes: Readonly<Record<string, string | number>>
  readonly failed: boolean
}

export type SpanExporter = {
  /** Queues a span; returns at once, whatever the collector does. */
  take(span: Span): void
  /** Sends the remaining spans, for a second at most. */
  stop(): Promise<void>
}

/** Numeric span kinds of the protocol. */
const kinds = { server: 2, client: 3, consumer: 5 } as const
const errorStatus = 2

/** Maximum number of queued spans while the collector does not answer: about two megabytes. */
const mostHeld = 2_048
const batchSize = 512
export const everyMs = 5_000
const timeoutMs = 5_000
export const farewellMs = 1_000

const dropped = new Counter({
  name: 'vitrine_spans_dropped_total',
  help: 'Pieces of work that no collector was told of, because it did not take them',
  registers: [metrics],
})

/**
 * Exports spans by OTLP over HTTP, as JSON, in batches. Rejected batches are dropped and counted, never retried:
 * current spans matter more than old ones.
 * @param endpoint without `/v1/traces`, as in OTEL_EXPORTER_OTLP_ENDPOINT
 */
export function createOtlpExporter(
  { clock, network, log }: Pick<Environment, 'clock' | 'network' | 'log'>,
  endpoint: string,
): SpanExporter {
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`
  const stopped = new AbortController()
  let held: Span[] = []
  let sending: Promise<void> | null = null
  let silent = false

  const flush = (): Promise<void> => {
    sending ??= tell().finally(() => {
      sending = null
    })
    return sending
  }

  async function tell(): Promise<void> {
    while (held.length > 0) {
      const batch = held.slice(0, batchSize)
      held = held.slice(batchSize)
      const fault = await send(batch)
      if (fault === null) {
        silent = false
        continue
      }
      dropped.inc(batch.length)
      if (!silent) log.warn({ fault, spans: batch.length }, 'trace export failed')
      silent = true
      return
    }
  }

  /** @returns the fault, null on success */
  async function send(batch: readonly Span[]): Promise<string | null> {
    const giveUp = new AbortController()
    const done = new AbortController()
    clock.sleep(timeoutMs, done.signal).then(() => giveUp.abort())
    try {
      const answer = await network.fetch(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(asOtlp(batch)),
        redirect: 'manual',
        signal: giveUp.signal,
      })
      await answer.body?.cancel()
      return answer.ok ? null : `it answers ${answer.status}`
    } catch (error) {
      return giveUp.signal.aborted ? 'no answer in time' : String(error)
    } finally {
      done.abort()
    }
  }

  async function nowAndThen(): Promise<void> {
    while (!stopped.signal.aborted) {
      await clock.sleep(everyMs, stopped.signal)
      if (!stopped.signal.aborted) await flush()
    }
  }
  void nowAndThen()

  return {
    take(span) {
      if (held.length >= mostHeld) {
        dropped.inc()
        return
      }
      held.push(span)
      if (held.length >= batchSize) void flush()
    },
    async stop() {
      stopped.abort()
      const done = new AbortController()
      await Promise.race([flush(), clock.sleep(farewellMs, done.signal)])
      done.abort()
    },
  }
}

/** Converts to `ExportTraceServiceRequest` in OTLP's JSON mapping. */
function asOtlp(spans: readonly Span[]) {
  const attributes = [{ key: 'service.name', value: { stringValue: 'vitrine' } }]
  return {
    resourceSpans: [
      { resource: { attributes }, scopeSpans: [{ scope: { name: 'vitrine' }, spans: spans.map(asSpan) }] },
    ],
  }
}

function asSpan({ traceId, spanId, parentSpanId, name, kind, startMs, endMs, attributes, failed }: Span) {
  return {
    traceId,
    spanId,
    ...(parentSpanId === null ? {} : { parentSpanId }),
    name,
    kind: kinds[kind],
    startTimeUnixNano: nanoseconds(startMs),
    endTimeUnixNano: nanoseconds(Math.max(startMs, endMs)),
    attributes: Object.entries(attributes).map(([key, value]) => ({
      key,
      value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
    })),
    ...(failed ? { status: { code: errorStatus } } : {}),
  }
}

/** As text: a number cannot represent it exactly. */
const nanoseconds = (ms: number) => `${Math.floor(ms)}000000`
