import { Counter } from 'prom-client'
import type { Environment } from '#contract/shared/environment.ts'
import { metrics } from './metrics-registry.ts'

/** A finished piece of work. What its attributes may hold, `tracer.ts` decides: nothing of a person, no address of a page. */
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
  /** Takes a span, to be told later; at once, whatever the collector does. */
  take(span: Span): void
  /** Tells what is left, for a second at most. */
  stop(): Promise<void>
}

/** Numbers of the protocol. */
const kinds = { server: 2, client: 3, consumer: 5 } as const
const errorStatus = 2

/** What is held while the collector does not answer: some two megabytes. */
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
 * Tells a collector by OTLP over HTTP, as JSON, in batches. What it does not take is dropped and counted, never tried again:
 * what happens now matters more than what happened while nobody listened.
 * @param endpoint without `/v1/traces`, as OTEL_EXPORTER_OTLP_ENDPOINT has it
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
      if (!silent) log.warn({ fault, spans: batch.length }, 'the collector of traces does not take them')
      silent = true
      return
    }
  }

  /** @returns what went wrong, null for nothing */
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

/** The protocol's form: `ExportTraceServiceRequest` in the JSON mapping that OTLP describes. */
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

/** As text: it is more than a number holds exactly. */
const nanoseconds = (ms: number) => `${Math.floor(ms)}000000`
