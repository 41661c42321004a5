import type { IncomingMessage, ServerResponse } from 'node:http'
import { Counter, collectDefaultMetrics, Histogram } from 'prom-client'
import { metrics } from './metrics-registry.ts'

/** Kinds of requests as metric labels: a label per address would create one series per product. */
const kinds = ['page', 'file', 'cart', 'checkout', 'call', 'notification', 'operation'] as const
export type RequestKind = (typeof kinds)[number]

const seconds = new Histogram({
  name: 'vitrine_http_request_seconds',
  help: 'Time from the headers of a request to the end of its answer, by what was asked for and the first figure of the status',
  labelNames: ['kind', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.4, 0.75, 1.5, 3, 10],
  registers: [metrics],
})

const pages = new Counter({
  name: 'vitrine_page_cache_total',
  help: 'Requests by whether a finished page was at hand',
  labelNames: ['outcome'],
  registers: [metrics],
})

const cut = new Counter({
  name: 'vitrine_http_requests_cut_total',
  help: 'Requests whose connection ended before the answer did, by what was asked for',
  labelNames: ['kind'],
  registers: [metrics],
})

// Rare kinds are initialized with 0: a rate does not see events before the first scrape.
for (const kind of kinds) {
  seconds.zero({ kind, status: '5xx' })
  cut.inc({ kind }, 0)
}

// Event loop, memory, garbage collection and descriptors, under the names of common Node dashboards.
collectDefaultMetrics({ register: metrics })

/** Measures one request; call it before the answer begins. @returns the kind of request */
export function observeRequest(request: IncomingMessage, response: ServerResponse): RequestKind {
  const kind = kindOf(request.url ?? '')
  const end = seconds.startTimer({ kind })
  response.once('close', () => {
    if (response.writableFinished) end({ status: `${Math.floor(response.statusCode / 100)}xx` })
    else cut.inc({ kind })
  })
  return kind
}

export function countPage(outcome: 'hit' | 'miss'): void {
  pages.inc({ outcome })
}

const checkoutCalls = /[?&]wc-ajax=(?:checkout|update_order_review)(?:&|$)/
const cartCalls =
  /[?&]wc-ajax=(?:add_to_cart|remove_from_cart|apply_coupon|remove_coupon|get_cart_totals|get_refreshed_fragments)/

const storeCalls = /^\/(?:[\w-]+\/)?wp-json\/wc\/store\/(?:v1\/)?(\w+)/

export function kindOf(address: string): RequestKind {
  if (/^\/(?:healthz|readyz|metrics)(?:\?|$)/.test(address)) return 'operation'
  if (/^\/(?:assets|media|theme|cards|address-data)\//.test(address)) return 'file'
  if (/^\/wp-json\/[^?]*\/webhook/.test(address)) return 'notification'
  if (checkoutCalls.test(address) || /^\/(?:[\w-]+\/)?checkout\//.test(address)) return 'checkout'
  const store = storeCalls.exec(address)?.[1]
  if (store !== undefined)
    return store === 'checkout' ? 'checkout' : store === 'cart' || store === 'batch' ? 'cart' : 'call'
  if (/^\/wp-json\/[^?]*\/(?:cart|order|vault)\//.test(address)) return 'checkout'
  if (cartCalls.test(address) || /^\/(?:[\w-]+\/)?cart\//.test(address)) return 'cart'
  if (/^\/wp-(?:json|admin)\//.test(address) || /[?&]wc-ajax=/.test(address)) return 'call'
  return 'page'
}
