import { AsyncLocalStorage } from 'node:async_hooks'

/** Trace context, in the terms of W3C Trace Context. */
export type TraceContext = {
  /** 32 hexadecimal digits, not all 0. */
  readonly traceId: string
  /** 16 hexadecimal digits: the current span, the parent of spans that it starts. */
  readonly spanId: string
  /** True if the trace is exported. */
  readonly sampled: boolean
}

const underWay = new AsyncLocalStorage<TraceContext>()

/** Returns the trace context of the current request or job; undefined outside of one. */
export const currentTrace = (): TraceContext | undefined => underWay.getStore()

/** Runs `work`, and everything it starts, within a trace. */
export const inTrace = <Result>(context: TraceContext, work: () => Result): Result => underWay.run(context, work)

/** Returns `00-<trace>-<span>-<flags>`. */
export const traceparentOf = ({ traceId, spanId, sampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`

const written = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** Parses a `traceparent`; null if invalid. A later version may have further fields, this one may not. */
export function parseTraceparent(text: unknown): TraceContext | null {
  if (typeof text !== 'string' || text.length > 200) return null
  const [, version, traceId = '', spanId = '', flags = '', more] = written.exec(text) ?? []
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return null
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** Returns the trace context for a job's payload: the job continues the trace of its origin. */
export function traceForJob(): { readonly traceparent?: string } {
  const context = currentTrace()
  return context ? { traceparent: traceparentOf(context) } : {}
}
