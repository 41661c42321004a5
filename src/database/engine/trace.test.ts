import { describe, expect, it } from 'vitest'
import { currentTrace, inTrace, parseTraceparent, traceForJob, traceparentOf } from './trace.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'

describe('a traceparent', () => {
  it('says trace, span and whether anybody listens', () => {
    expect(parseTraceparent(`00-${traceId}-${spanId}-01`)).toEqual({ traceId, spanId, sampled: true })
    expect(parseTraceparent(`00-${traceId}-${spanId}-00`)).toEqual({ traceId, spanId, sampled: false })
    expect(parseTraceparent(`00-${traceId}-${spanId}-03`)?.sampled).toBe(true)
    expect(parseTraceparent(`cc-${traceId}-${spanId}-01-what-comes-later`)).toEqual({ traceId, spanId, sampled: true })
    const context = { traceId, spanId, sampled: true }
    expect(parseTraceparent(traceparentOf(context))).toEqual(context)
  })

  it.each([
    ['nothing', null],
    ['no text', 7],
    ['empty', ''],
    ['a version that is none', `ff-${traceId}-${spanId}-01`],
    ['more than its version has', `00-${traceId}-${spanId}-01-more`],
    ['capital letters', `00-${traceId.toUpperCase()}-${spanId}-01`],
    ['a trace of zeros', `00-${'0'.repeat(32)}-${spanId}-01`],
    ['a span of zeros', `00-${traceId}-${'0'.repeat(16)}-01`],
    ['a short trace', `00-${traceId.slice(1)}-${spanId}-01`],
    ['no flags', `00-${traceId}-${spanId}`],
    ['a tail without a sign', `cc-${traceId}-${spanId}-01x`],
    ['a new line', `00-${traceId}-${spanId}-01\n`],
    ['two of them', `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`],
    ['no end', `cc-${traceId}-${spanId}-01-${'x'.repeat(1000)}`],
  ])('is none with %s', (_, text) => {
    expect(parseTraceparent(text)).toBeNull()
  })

  it('goes with what is done on its behalf, and with nothing else', async () => {
    const seen = inTrace({ traceId, spanId, sampled: false }, async () => {
      await new Promise((resolve) => setImmediate(resolve))
      return { ...traceForJob(), own: currentTrace()?.spanId }
    })
    expect(currentTrace()).toBeUndefined()
    expect(traceForJob()).toEqual({})
    expect(await seen).toEqual({ traceparent: `00-${traceId}-${spanId}-00`, own: spanId })
  })
})
