import { AsyncLocalStorage } from 'node:async_hooks'

/** Where work stands in a trace, in the words of W3C Trace Context. */
export type TraceContext = {
  /** 32 hexadecimal digits, not all 0. */
  readonly traceId: string
  /** 16 of them: the piece of work itself, the parent of what it starts. */
  readonly spanId: string
  /** Whether anybody keeps what is told of it. */
  readonly sampled: boolean
}

const underWay = new AsyncLocalStorage<TraceContext>()

/** The trace of the request or job on whose behalf this runs; undefined: it runs for none. */
export const currentTrace = (): TraceContext | undefined => underWay.getStore()

/** Runs `work`, and whatever it starts, as a part of a trace. */
export const inTrace = <Result>(context: TraceContext, work: () => Result): Result => underWay.run(context, work)

/** `00-<trace>-<span>-<flags>`. */
export const traceparentOf = ({ traceId, spanId, sampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`

const written = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** What a `traceparent` says; null where it is none. A later version may say more behind it, this one may not. */
export function parseTraceparent(text: unknown): TraceContext | null {
  if (typeof text !== 'string' || text.length > 200) return null
  const [, version, traceId = '', spanId = '', flags = '', more] = written.exec(text) ?? []
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return null
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** For the payload of a job: whoever works it off goes on with the trace of who put it down. */
export function traceForJob(): { readonly traceparent?: string } {
  const context = currentTrace()
  return context ? { traceparent: traceparentOf(context) } : {}
}
