import type { Log } from '#contract/shared/environment.ts'
import { shopSettings } from '#contract/shared/settings.ts'
import type { Database } from '#database/engine/connect.ts'
import { systemEnvironment, systemLog } from '#server/operations/startup/environment.ts'
import type { Sender } from '#shop/statistics/detect-robots.ts'
import { createStatisticsCounter, type PageView, type StatisticsCounter } from '#shop/statistics/visit-counter.ts'

export const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

/** A request as a browser sends it. */
export function aSender(headers: Record<string, string> = {}, ip = '203.0.113.7', method = 'GET'): Sender {
  const all: Record<string, string> = { 'user-agent': chrome, 'accept-language': 'de-AT,de;q=0.9', ...headers }
  return { ip, method, header: (name) => all[name] ?? '' }
}

export function aPage(path = '/', more: Partial<PageView> = {}): PageView {
  return {
    current_page_type: 'page',
    current_page_id: 0,
    page_uri: path,
    current_currency: 'EUR',
    referred: '',
    search: '',
    query: '',
    staff: false,
    ...more,
  }
}

export type CountingShop = {
  readonly tools: Parameters<typeof createStatisticsCounter>[0]
  /** Another process of the same shop. */
  process(options?: Parameters<typeof createStatisticsCounter>[1]): StatisticsCounter
  at(time: string): void
}

/** A shop in Vienna whose clock stands where the test puts it, and that counts when it is told to. */
export function aCountingShop(
  db: Database,
  { settings = {}, log }: { settings?: object; log?: Log } = {},
): CountingShop {
  let now = new Date('2026-11-22T12:00:00Z')
  const environment = systemEnvironment(systemLog('silent'))
  const tools = {
    ...environment,
    log: log ?? environment.log,
    clock: { now: () => now, sleep: environment.clock.sleep },
    db,
    settings: shopSettings.parse({ timeZone: 'Europe/Vienna', statistics: settings }),
    publicUrl: 'https://shop.test',
  }
  return {
    tools,
    process: (options = {}) => createStatisticsCounter(tools, { running: false, ...options }),
    at: (time) => {
      now = new Date(time)
    },
  }
}
