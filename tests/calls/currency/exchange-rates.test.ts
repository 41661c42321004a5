import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { currenciesCommand } from '#cli/currency/currencies.ts'
import type { Log } from '#contract/shared/environment.ts'
import { writeSettings } from '#database/operations/configuration.ts'
import { systemClock, systemNetwork } from '#server/operations/startup/environment.ts'
import { maintain } from '#shop/operations/run-maintenance.ts'
import { ecbXml } from '#tests/support/currency/rates-fixtures.ts'
import { runCommandWith } from '#tests/support/process/command.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

const source = 'https://rates.example/daily.xml'

let shop: TestShop
/** How the source is asked; the rest of the network is as it is. */
let answer: () => Promise<Response>
let asked = 0
let ahead = 0
const now = () => new Date(Date.parse('2026-01-05T18:00:00Z') + ahead)
const warnings: Record<string, unknown>[] = []
const log: Log = { info: () => {}, error: () => {}, warn: (facts, message) => warnings.push({ ...facts, message }) }

beforeAll(async () => {
  answer = async () => new Response('not yet', { status: 503 })
  shop = await aShop({
    wallet: false,
    settings: {
      currencies: [{ code: 'EUR' }, { code: 'GBP', rate: '0.5' }, { code: 'ABC', rate: '2' }],
      exchange: { rates: { source: 'ecb', address: source } },
    },
    environment: {
      log,
      clock: { now, sleep: (ms, signal) => systemClock.sleep(ms, signal) },
      network: {
        async fetch(url, init) {
          if (String(url) !== source) return systemNetwork(['127.0.0.1']).fetch(url, init)
          asked += 1
          return answer()
        },
      },
    },
  })
})
afterAll(() => shop.close())
beforeEach(() => {
  asked = 0
})

const hourMs = 60 * 60_000
const patient = { timeout: 20_000 }
const minute = () => maintain(shop.shop.application.tools)

/** What a plain mug, which is entered with 12.00, costs for one who wants to see that currency. */
async function mug(currency: string): Promise<string | undefined> {
  const response = await fetch(`${shop.url}/product/plain-mug/`, { headers: { cookie: `currency=${currency}` } })
  const [, inner = ''] =
    /<span class="woocommerce-Price-amount amount"[^>]*>(.*?)<\/bdi>/.exec(await response.text()) ?? []
  return inner.replace(/<[^>]+>/g, '')
}

describe('exchange rates in a running shop', () => {
  it('CUR-04 are asked for by no request, and prices follow when they come', async () => {
    // At its start the shop has asked once, in vain.
    await expect.poll(() => warnings.some(({ fault }) => fault === 'HTTP 503'), patient).toBe(true)
    expect(warnings).toContainEqual(
      expect.objectContaining({ rule: 'currency ABC', problem: 'there is no currency ABC' }),
    )
    asked = 0
    expect([await mug('EUR'), await mug('GBP'), await mug('ABC')]).toEqual(['$12.00', '£6.00', '$12.00'])
    expect(await mug('EUR')).toBe('$12.00')

    answer = async () => new Response(ecbXml)
    ahead += hourMs
    await minute()
    // 12 ÷ 1.0845 = 11.065
    await expect.poll(() => mug('EUR'), patient).toBe('€11.07')
    expect(await mug('GBP')).toBe('£6.00')
    expect(asked).toBe(1)
  })

  it('CUR-04 stay the last good ones while the source is away, until they are too old', async () => {
    answer = async () => Promise.reject(new TypeError('fetch failed'))
    ahead += 2 * 24 * hourMs
    await minute()
    expect(asked).toBe(1)
    expect(await mug('EUR')).toBe('€11.07')
    ahead += 6 * 24 * hourMs
    await minute()
    expect(await mug('EUR')).toBe('$12.00')
    expect(warnings.at(-1)).toMatchObject({ currencies: ['EUR'] })
  })

  it('CUR-04 that another process takes in count at once, on kept pages too', async () => {
    await mug('EUR')
    const file = join(shop.dataDir, 'rates.xml')
    await writeFile(file, ecbXml.replace('2026-01-05', now().toISOString().slice(0, 10)).replace('1.0845', '1.2'))
    const clock = { now, sleep: systemClock.sleep }
    expect(await runCommandWith({ clock }, currenciesCommand, shop.db, 'import', file)).toMatchObject({ code: 0 })
    await expect.poll(() => mug('EUR'), patient).toBe('€10.00')
    expect(await runCommandWith({ clock }, currenciesCommand, shop.db, 'set', 'EUR', '2')).toMatchObject({ code: 0 })
    await expect.poll(() => mug('EUR'), patient).toBe('€24.00')
    // A rate by hand is never overwritten.
    answer = async () => new Response(ecbXml.replace('2026-01-05', now().toISOString().slice(0, 10)))
    await writeSettings(shop.db, {
      currencies: [{ code: 'EUR', rate: '2' }, { code: 'JPY' }],
    })
    await expect.poll(() => mug('GBP'), patient).toBe('$12.00')
    await minute()
    await expect.poll(() => mug('JPY'), patient).toBe('¥1,807')
    expect(await mug('EUR')).toBe('€24.00')
  })
})
