import type { Network } from '#contract/shared/environment.ts'
import type { Activities } from './activity.ts'
import type { Luck } from './chance.ts'
import { faultOfCall } from './faults.ts'
import type { Provider } from './provider.ts'
import type { ShopProcess } from './shop-process.ts'
import type { Tally } from './tally.ts'
import type { Turns } from './turns.ts'

type Parts = {
  readonly turns: Turns
  readonly activities: Activities
  /** By what is called. */
  readonly luck: (name: string) => Luck
  readonly tally: Tally
  readonly provider: Provider
  /** Of a hundred calls so many meet a fault. */
  readonly faultShare: () => number
  readonly kill: (process: ShopProcess, why: string) => void
}

/** The shop's way to the provider, on which a call takes its time, gets lost, comes late, or is done and nobody hears of it. */
export function outgoing(parts: Parts, process: ShopProcess): Network {
  return { fetch: (url, init = {}) => parts.activities.parked(call(parts, process, String(url), init)) }
}

function call(parts: Parts, process: ShopProcess, url: string, init: RequestInit): Promise<Response> {
  const { turns, tally, provider } = parts
  const { pathname } = new URL(url)
  const name = `${init.method ?? 'GET'} ${pathname.replace(/[A-Z0-9]{17}|CERT-.*/, '…')}`
  const luck = parts.luck(name.replace(/\d{3,}/g, '…'))
  const fault = faultOfCall(luck, pathname, parts.faultShare())
  tally.count(`call: ${fault}`)
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const answered = (in_: number, what: string, settle: () => void) =>
    turns.offer(in_, `${name}: ${what}`, () => process.isDead || settle())
  const failed = (code: string) =>
    answered(luck.between(1, 50), code, () =>
      reject(Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error(code), { code }) })),
    )
  const says = (status: number, headers: Record<string, string> = {}) =>
    answered(luck.between(20, 200), `answers ${status}`, () => resolve(Response.json({}, { status, headers })))
  const carriedOut = (inMs: number, then: (response: Response) => void) => {
    turns.offer(inMs, `${name}: arrives (${fault})`, () => {
      if (fault === 'token expired') provider.world.accessTokens.clear()
      if (fault === 'declined') provider.world.captureOverrides.push('DECLINED')
      if (fault === 'pending review') provider.world.captureOverrides.push('PENDING_REVIEW')
      void provider.fetch(url, init).then((response) => {
        provider.world.captureOverrides = []
        then(response)
      })
    })
  }
  const usualMs = luck.percent(10) ? luck.between(500, 4_000) : luck.between(20, 300)
  switch (fault) {
    case 'refused':
      failed('ECONNREFUSED')
      break
    case 'cut before':
      failed('ECONNRESET')
      break
    case 'never arrives':
      break
    case 'status 500':
      says(500)
      break
    case 'status 503':
      says(503)
      break
    case 'status 429':
      says(429, { 'retry-after': '1' })
      break
    case 'done, then lost':
      carriedOut(usualMs, () => void failed('ECONNRESET'))
      break
    case 'done, then 500':
      carriedOut(usualMs, () => void says(500))
      break
    case 'arrives late':
      carriedOut(luck.between(10_500, 40_000), () => {})
      break
    case 'done, answered late':
      carriedOut(
        usualMs,
        (response) => void answered(luck.between(9_000, 15_000), 'answers late', () => resolve(response)),
      )
      break
    case 'half an answer':
      carriedOut(usualMs, (response) => {
        void response.text().then((text) => {
          const half = new Response(text.slice(0, text.length / 2), { headers: { 'content-type': 'application/json' } })
          answered(50, 'answers half', () => resolve(half))
        })
      })
      break
    case 'process dies before':
      answered(usualMs, 'the process dies before it', () => parts.kill(process, `before ${name}`))
      break
    case 'process dies after':
      carriedOut(
        usualMs,
        () => void answered(1, 'the process dies after it', () => parts.kill(process, `after ${name}`)),
      )
      break
    default:
      carriedOut(
        usualMs,
        (response) => void answered(luck.between(1, 100), `answers ${response.status}`, () => resolve(response)),
      )
  }
  return promise
}
