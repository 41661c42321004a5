import { describe, expect, it, vi } from 'vitest'
import type { Network } from '#contract/shared/environment.ts'
import { metrics } from './metrics-registry.ts'
import { createOtlpExporter, everyMs, type Span } from './otlp-exporter.ts'

const span = (nr: number): Span => ({
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  spanId: nr.toString(16).padStart(16, '0'),
  parentSpanId: null,
  name: 'GET /',
  kind: 'server',
  startMs: 1_764_000_000_000,
  endMs: 1_764_000_000_012,
  attributes: { 'http.route': '/', 'http.response.status_code': 200 },
  failed: false,
})

function anExporter(fetch: Network['fetch']) {
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() }
  const asleep = new Set<() => void>()
  // A manual clock: batches are sent when full, at a tick, and at the end.
  const clock = {
    now: () => new Date(0),
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve) => {
        signal?.addEventListener('abort', () => resolve(), { once: true })
        if (ms === everyMs) asleep.add(resolve)
      }),
  }
  const tick = () => {
    for (const wake of asleep) wake()
    asleep.clear()
    return new Promise((resolve) => setImmediate(resolve))
  }
  return { log, tick, exporter: createOtlpExporter({ clock, network: { fetch }, log }, 'http://collector.test:4318/') }
}
const dropped = async () =>
  Number(
    /^vitrine_spans_dropped_total (\d+)$/m.exec(
      await metrics.getSingleMetricAsString('vitrine_spans_dropped_total'),
    )?.[1],
  )

describe('P7 traces', () => {
  it('are told in the form of OTLP, in batches, and the rest at the end', async () => {
    const told: { url: string; body: string }[] = []
    const { exporter } = anExporter(async (url, init) => {
      told.push({ url: String(url), body: String(init?.body) })
      return new Response('{}')
    })
    for (let nr = 1; nr <= 600; nr += 1) exporter.take(span(nr))
    await exporter.stop()
    const batches = told.map(({ url, body }) => {
      expect(url).toBe('http://collector.test:4318/v1/traces')
      return JSON.parse(body).resourceSpans[0].scopeSpans[0].spans
    })
    expect(batches.flat()).toHaveLength(600)
    expect(batches.length).toBeGreaterThan(1)
    expect(batches[0][0]).toEqual({
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      spanId: '0000000000000001',
      name: 'GET /',
      kind: 2,
      startTimeUnixNano: '1764000000000000000',
      endTimeUnixNano: '1764000000012000000',
      attributes: [
        { key: 'http.route', value: { stringValue: '/' } },
        { key: 'http.response.status_code', value: { intValue: '200' } },
      ],
    })
  })

  it('are dropped and counted while the collector is down, with one line of the log, and never held without end', async () => {
    const before = await dropped()
    let down = true
    let told = 0
    let refused = 0
    const { exporter, log, tick } = anExporter(async (_, init) => {
      refused += down ? 1 : 0
      if (down) throw new Error('connect ECONNREFUSED')
      told += JSON.parse(String(init?.body)).resourceSpans[0].scopeSpans[0].spans.length
      return new Response('{}')
    })
    for (let round = 0; round < 3; round += 1) {
      for (let nr = 1; nr <= 5_000; nr += 1) exporter.take(span(nr))
      await tick()
    }
    expect(refused).toBeGreaterThanOrEqual(3)
    down = false
    await exporter.stop()
    expect(log.warn).toHaveBeenCalledTimes(1)
    expect(told).toBeLessThanOrEqual(2_048)
    expect((await dropped()) - before + told).toBe(15_000)
  })
})
