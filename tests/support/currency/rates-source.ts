import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { Log } from '#contract/shared/environment.ts'
import { ratesOfHistory } from '#database/currency/exchange-rates.ts'
import { readConfiguration, writeSettings } from '#database/operations/configuration.ts'
import { systemChance, systemClock, systemNetwork } from '#server/operations/startup/environment.ts'
import { offeredCurrencies } from '#shop/currency/offered-currencies.ts'
import type { RateTools } from '#shop/currency/store-exchange-rates.ts'
import { refreshRates } from '#shop/currency/update-exchange-rates.ts'
import { shopConfiguration } from '#shop/operations/settings/shop-configuration.ts'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { ecbXml } from './rates-fixtures.ts'

export type RatesResponse = {
  status?: number
  headers?: Record<string, string>
  body?: string | Buffer | ((to: ServerResponse) => void)
}

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** A source of exchange rates and a shop without currencies, in their first state again for every test of the file. */
export function ratesSource() {
  let db: TestDatabase
  let now: Date
  let response: RatesResponse = {}
  let requests = 0
  const logged: { level: string; facts: Record<string, unknown>; message: string }[] = []
  // Proof of the cast: the shop calls these three methods.
  const log = Object.fromEntries(
    ['info', 'warn', 'error'].map((level) => [
      level,
      (facts: Record<string, unknown>, message: string) => logged.push({ level, facts, message }),
    ]),
  ) as unknown as Log

  const server = createServer((_, to) => {
    requests += 1
    const { status = 200, headers = {}, body = '' } = response
    if (typeof body === 'function') return body(to)
    to.writeHead(status, headers).end(body)
  })
  beforeAll(async () => {
    db = await aDatabase({ max: 8 })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterAll(async () => {
    server.closeAllConnections()
    server.close()
    await db.close()
  })
  beforeEach(() => {
    now = new Date('2026-01-05T18:00:00Z')
    requests = 0
    response = { body: ecbXml }
    logged.length = 0
  })
  afterEach(async () => {
    await db.sql`delete from currency_rates`
    await db.sql`delete from settings`
  })

  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/rates`
  const configuration = async () => shopConfiguration(await readConfiguration(db))
  const tools = async (change: Partial<RateTools> = {}): Promise<RateTools> => ({
    db,
    clock: { now: () => now, sleep: (ms, signal) => systemClock.sleep(ms, signal) },
    chance: { ...systemChance, fraction: () => 0 },
    network: systemNetwork(['127.0.0.1']),
    log,
    settings: (await configuration()).settings,
    ...change,
  })

  return {
    get db() {
      return db
    },
    get now() {
      return now
    },
    /** How many requests the source has received. */
    get requests() {
      return requests
    },
    logged,
    address,
    configuration,
    tools,
    respond(next: RatesResponse): void {
      response = next
    },
    setTime(text: string): void {
      now = new Date(text)
    },
    advance(ms: number): void {
      now = new Date(now.getTime() + ms)
    },
    async setUp(currencies: object[], rates: object = {}, own = 'USD'): Promise<void> {
      const exchange = { rates: { source: 'ecb', address: address(), ...rates } }
      await writeSettings(db, { currency: own, currencies, exchange })
    },
    /** The scheduled task of each minute. */
    minute: async () => refreshRates(await tools()),
    offered: async () =>
      offeredCurrencies(await configuration(), now).map(({ code, rate, day, source }) => [code, rate, day, source]),
    stored: async () =>
      (await ratesOfHistory(db.kysely, 'USD', null, 100)).map(({ code, day, rate, refused }) =>
        [code, day, rate, ...(refused ? ['refused'] : [])].join(' '),
      ),
  }
}
