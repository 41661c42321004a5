import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Log } from '#contract/shared/environment.ts'
import { ratesOfHistory, readRatesState, writeRatesState } from '#database/currency/exchange-rates.ts'
import { readConfiguration, writeSettings } from '#database/operations/configuration.ts'
import { systemChance, systemClock, systemNetwork } from '#server/operations/startup/environment.ts'
import { ecbXml, openRatesJson } from '#tests/support/currency/rates-fixtures.ts'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { shopConfiguration } from '../operations/settings/shop-configuration.ts'
import { fetchRates, ratesIn } from './fetch-exchange-rates.ts'
import { currencyStates, offeredCurrencies } from './offered-currencies.ts'
import { type RateTools, saveAutomaticRates } from './store-exchange-rates.ts'
import { refreshRates, updateRates } from './update-exchange-rates.ts'

type Answer = {
  status?: number
  headers?: Record<string, string>
  body?: string | Buffer | ((to: ServerResponse) => void)
}

let db: TestDatabase
let answer: Answer = {}
let asked = 0
const server = createServer((_, response) => {
  asked += 1
  const { status = 200, headers = {}, body = '' } = answer
  if (typeof body === 'function') return body(response)
  response.writeHead(status, headers).end(body)
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
  asked = 0
  answer = { body: ecbXml }
  logged.length = 0
})
afterEach(async () => {
  await db.sql`delete from currency_rates`
  await db.sql`delete from settings`
})

let now: Date
const at = (text: string) => {
  now = new Date(text)
}
const later = (ms: number) => {
  now = new Date(now.getTime() + ms)
}
const minuteMs = 60_000
const patient = { timeout: 10_000 }
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

const logged: { level: string; facts: Record<string, unknown>; message: string }[] = []
const log = Object.fromEntries(
  ['info', 'warn', 'error'].map((level) => [
    level,
    (facts: Record<string, unknown>, message: string) => logged.push({ level, facts, message }),
  ]),
) as unknown as Log

const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/rates`

async function setUp(currencies: object[], rates: object = {}, own = 'USD'): Promise<void> {
  const exchange = { rates: { source: 'ecb', address: address(), ...rates } }
  await writeSettings(db, { currency: own, currencies, exchange })
}

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
const minute = async () => refreshRates(await tools())
const offered = async () =>
  offeredCurrencies(await configuration(), now).map(({ code, rate, day, source }) => [code, rate, day, source])
const stored = async () =>
  (await ratesOfHistory(db.kysely, 'USD', null, 100)).map(({ code, day, rate, refused }) =>
    [code, day, rate, ...(refused ? ['refused'] : [])].join(' '),
  )

describe('rates that come by themselves', () => {
  it('CUR-04 are worked out for the currency of the shop, and kept', async () => {
    await setUp([{ code: 'EUR' }, { code: 'JPY' }, { code: 'CHF' }, { code: 'GBP', rate: '0.8' }])
    await minute()
    expect(await stored()).toEqual(['EUR 2026-01-05 0.9220839096', 'JPY 2026-01-05 150.5486399'])
    // Manual rates stay, even if the source has them; currencies missing in the source are not offered.
    expect(await offered()).toEqual([
      ['EUR', '0.9220839096', '2026-01-05', 'ecb'],
      ['JPY', '150.5486399', '2026-01-05', 'ecb'],
      ['GBP', '0.8', null, 'hand'],
    ])
    expect(logged.map(({ message, facts }) => [message, facts.currencies])).toEqual([
      ['new exchange rates', ['EUR', 'JPY']],
      ['exchange rates missing at the source', ['CHF']],
    ])
  })

  it('CUR-04 come as open rates, also for another base than the one that was hoped for', async () => {
    await setUp([{ code: 'EUR' }, { code: 'GBP' }], { source: 'open-rates' })
    answer = { body: openRatesJson.replace('EUR', 'CHF').replace('"JPY":163.27', '"EUR":1.05') }
    await minute()
    // 1.05 ÷ 1.0845 and 0.83465 ÷ 1.0845.
    expect(await offered()).toEqual([
      ['EUR', '0.9681881051', '2026-01-05', 'open-rates'],
      ['GBP', '0.7696173352', '2026-01-05', 'open-rates'],
    ])
  })

  it('are asked for once in so many hours, and at once when another currency is wanted', async () => {
    await setUp([{ code: 'EUR' }], { everyHours: 6 })
    await minute()
    later(6 * hourMs - minuteMs)
    await minute()
    expect(asked).toBe(1)
    later(minuteMs)
    await minute()
    expect(asked).toBe(2)
    await setUp([{ code: 'EUR' }, { code: 'JPY' }], { everyHours: 6 })
    await minute()
    expect(asked).toBe(3)
    expect((await offered()).map(([code]) => code)).toEqual(['EUR', 'JPY'])
    // A clock set back does not stop updates for the length of the jump.
    later(-300 * dayMs)
    answer = { body: ecbXml.replace('2026-01-05', '2025-03-11') }
    await minute()
    expect(asked).toBe(4)
  })

  it('are never asked for where all are written by hand, or nothing is to be asked', async () => {
    await setUp([{ code: 'EUR', rate: '0.9' }])
    await minute()
    await setUp([{ code: 'EUR' }], { source: 'hand' })
    await minute()
    expect(asked).toBe(0)
    expect(await updateRates(await tools(), { accept: false })).toEqual({
      ok: false,
      fault: 'no source of rates is set up',
    })
    await setUp([{ code: 'EUR', rate: '0.9' }])
    expect(await updateRates(await tools(), { accept: false })).toEqual({
      ok: false,
      fault: 'no currency has the rate auto',
    })
  })

  it('are told to every process only when something has changed', async () => {
    const told: string[] = []
    const listening = await db.sql.listen('vitrine_change', (what) => told.push(what))
    await setUp([{ code: 'EUR' }])
    await expect.poll(() => told.length, patient).toBe(1)
    await updateRates(await tools(), { accept: false })
    await expect.poll(() => told.length, patient).toBe(2)
    await updateRates(await tools(), { accept: false })
    // Notifications arrive in the order of sending, so the second request sent none before this one.
    await db.sql`select pg_notify('vitrine_change', 'end')`
    await expect.poll(() => told, patient).toEqual(['configuration', 'configuration', 'end'])
    await listening.unlisten()
  })

  it('are kept once, though two processes ask at the same time', async () => {
    await setUp([{ code: 'EUR' }, { code: 'JPY' }])
    const both = [await tools(), await tools()]
    await Promise.all(both.map((each) => refreshRates(each)))
    expect(asked).toBe(1)
    const taken = await Promise.all(both.map((each) => updateRates(each, { accept: false })))
    expect(taken.map((each) => each.ok)).toEqual([true, true])
    expect(await stored()).toHaveLength(2)

    await db.sql`delete from currency_rates`
    const again = await Promise.all(both.map((each) => updateRates(each, { accept: false })))
    const outcomes = again.flatMap((each) => (each.ok ? each.rates.map(({ outcome }) => outcome) : []))
    expect(outcomes.toSorted()).toEqual(['same', 'same', 'taken', 'taken'])
    expect(await stored()).toHaveLength(2)
  })
})

describe('a source that fails', () => {
  it('CUR-04 leaves the last good rates in use until they are too old', async () => {
    await setUp([{ code: 'EUR' }], { maxAgeDays: 7 })
    await minute()
    answer = { status: 500 }
    for (let day = 0; day < 7; day += 1) {
      later(dayMs)
      await minute()
    }
    // Seven days after the fifth is still recent enough.
    expect(now).toEqual(new Date('2026-01-12T18:00:00Z'))
    expect(await offered()).toEqual([['EUR', '0.9220839096', '2026-01-05', 'ecb']])
    at('2026-01-12T23:59:59Z')
    expect(await offered()).toHaveLength(1)
    at('2026-01-13T00:00:00Z')
    expect(await offered()).toEqual([])
    expect(currencyStates(await configuration(), now)).toMatchObject([
      { code: 'EUR', state: 'too-old', rate: '0.9220839096', day: '2026-01-05' },
    ])
    later(hourMs)
    await minute()
    expect(logged.at(-1)).toMatchObject({ level: 'warn', facts: { currencies: ['EUR'] } })
    // A newer rate offers it again.
    answer = { body: ecbXml.replace('2026-01-05', '2026-01-12').replace('1.0845', '1.1') }
    later(hourMs)
    await minute()
    expect(await offered()).toEqual([['EUR', '0.9090909091', '2026-01-12', 'ecb']])
  })

  it('is asked again after two minutes, four, and so on up to an hour', async () => {
    await setUp([{ code: 'EUR' }])
    answer = { status: 503 }
    const pauses: number[] = []
    for (let minutes = 0, last = 0; minutes < 130; minutes += 1) {
      const before = asked
      await minute()
      if (asked > before) {
        if (before > 0) pauses.push(minutes - last)
        last = minutes
      }
      later(minuteMs)
    }
    expect(pauses).toEqual([2, 4, 8, 16, 32, 60])
    expect(await readRatesState(db.kysely)).toMatchObject({ failures: 7, fault: 'HTTP 503', cameAt: null })
    answer = { body: ecbXml }
    later(hourMs)
    await minute()
    expect(await readRatesState(db.kysely)).toMatchObject({ failures: 0, fault: '', cameAt: now, notBefore: null })
  })

  it('may say how long to leave it alone, an hour at most', async () => {
    await setUp([{ code: 'EUR' }])
    answer = { status: 429, headers: { 'retry-after': '1800' } }
    await minute()
    expect((await readRatesState(db.kysely)).notBefore).toEqual(new Date(now.getTime() + 1800_000))
    answer = { status: 429, headers: { 'retry-after': '999999999' } }
    later(hourMs)
    await minute()
    expect((await readRatesState(db.kysely)).notBefore).toEqual(new Date(now.getTime() + hourMs))
  })

  it('is not waited for by others when its asker has died', async () => {
    await setUp([{ code: 'EUR' }])
    const dying = await tools({ network: { fetch: () => Promise.reject(new Error('never comes back')) } })
    // The state after a crash between the claim and the response.
    await refreshRates(dying)
    const state = await readRatesState(db.kysely)
    await writeRatesState(db.kysely, { ...state, failures: 0, fault: '', askedAt: null })
    await minute()
    expect(asked).toBe(0)
    later(2 * minuteMs)
    await minute()
    expect(asked).toBe(1)
  })

  it.each([
    ['eight megabytes', { body: Buffer.alloc(8 * 1024 * 1024, '<Cube/>\n') }, 'the answer has more than a megabyte'],
    [
      'a small parcel that holds thirty megabytes',
      { headers: { 'content-encoding': 'gzip' }, body: gzipSync(Buffer.alloc(30 * 1024 * 1024, ' ')) },
      'the answer has more than a megabyte',
    ],
    ['a page', { body: '<html><p>Sorry</html>' }, 'it is no sound XML at line 1'],
    ['nothing', { body: '' }, 'it is empty'],
    ['another place', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 'HTTP 302'],
    ['another encoding', { body: Buffer.from('\uFEFF<Cube/>', 'utf16le') }, 'it is not written in UTF-8'],
    ['a day to come', { body: ecbXml.replace('2026-01-05', '2026-01-07') }, '2026-01-07 has not come yet'],
    [
      'rates without the own currency',
      { body: ecbXml.replace('USD', 'CHF') },
      "there is no rate of USD, the shop's own currency, in it",
    ],
    [
      'half an answer',
      { body: (to: ServerResponse) => to.writeHead(200, { 'content-length': '999' }).write('<', () => to.destroy()) },
      /^no connection \(/,
    ],
  ])('that answers with %s changes nothing', async (_, wrong: Answer, fault) => {
    await setUp([{ code: 'EUR' }])
    await minute()
    const before = await stored()
    answer = wrong
    later(dayMs / 2)
    now = new Date('2026-01-05T22:00:00Z')
    const taken = await updateRates(await tools(), { accept: false })
    expect(taken).toMatchObject({ ok: false, fault: typeof fault === 'string' ? fault : expect.stringMatching(fault) })
    expect(await stored()).toEqual(before)
    expect(await offered()).toHaveLength(1)
    expect(logged.at(-1)).toMatchObject({
      level: 'warn',
      message: expect.stringContaining('exchange rates not updated'),
    })
  })

  it('is given up after a while, even where the network does not listen', async () => {
    await setUp([{ code: 'EUR' }])
    const deaf = await tools({
      clock: { now: () => now, sleep: async () => {} },
      network: { fetch: () => new Promise(() => {}) },
    })
    expect(await fetchRates(deaf, address())).toEqual({ ok: false, fault: 'no answer within 5 seconds' })
  })

  it('a day ahead is another time zone, and figures that are none are left out', async () => {
    await setUp([{ code: 'EUR' }, { code: 'JPY' }, { code: 'GBP' }])
    at('2026-01-04T12:00:00Z')
    answer = { body: ecbXml.replace('163.27', 'N/A').replace('0.83465', '-0.83465') }
    await minute()
    expect(await offered()).toEqual([['EUR', '0.9220839096', '2026-01-05', 'ecb']])
  })
})

describe('a rate that changes too much at once', () => {
  const jumped = ecbXml.replace('2026-01-05', '2026-01-06').replace('163.27', '245')

  it('CUR-04 is not used until it is accepted, and the one before it stays', async () => {
    await setUp([{ code: 'EUR' }, { code: 'JPY' }])
    await minute()
    answer = { body: jumped }
    later(dayMs)
    await minute()
    // EUR is of the new day, JPY of the one before.
    const kept = [
      ['EUR', '0.9220839096', '2026-01-06', 'ecb'],
      ['JPY', '150.5486399', '2026-01-05', 'ecb'],
    ]
    expect(await offered()).toEqual(kept)
    expect(logged.filter(({ level }) => level === 'warn')).toMatchObject([
      {
        facts: {
          currency: 'JPY',
          rate: '225.9105579',
          day: '2026-01-06',
          changedPercent: '50.1',
          inUse: '150.5486399',
        },
      },
    ])
    // Logged once.
    await updateRates(await tools(), { accept: false })
    expect(logged.filter(({ level }) => level === 'warn')).toHaveLength(1)
    expect(await stored()).toContain('JPY 2026-01-06 225.9105579 refused')

    expect(await updateRates(await tools(), { accept: true })).toMatchObject({
      rates: [
        { code: 'EUR', outcome: 'same' },
        { code: 'JPY', outcome: 'taken', changedPercent: '50.1' },
      ],
    })
    expect((await offered()).at(-1)).toEqual(['JPY', '225.9105579', '2026-01-06', 'ecb'])
    // Later changes are compared with it.
    expect(await updateRates(await tools(), { accept: false })).toMatchObject({
      rates: [{ outcome: 'same' }, { outcome: 'same' }],
    })
  })

  it('does not cost a good rate of the same day', async () => {
    await setUp([{ code: 'JPY' }])
    await minute()
    answer = { body: ecbXml.replace('163.27', '1632.7') }
    expect(await updateRates(await tools(), { accept: false })).toMatchObject({ rates: [{ outcome: 'refused' }] })
    expect(await offered()).toEqual([['JPY', '150.5486399', '2026-01-05', 'ecb']])
    // A small correction of the same day is accepted.
    answer = { body: ecbXml.replace('163.27', '164') }
    expect(await updateRates(await tools(), { accept: false })).toMatchObject({ rates: [{ outcome: 'taken' }] })
    expect(await offered()).toEqual([['JPY', '151.2217612', '2026-01-05', 'ecb']])
  })

  it('is as much as the merchant says', async () => {
    await setUp([{ code: 'JPY' }], { maxJumpPercent: 60 })
    await minute()
    answer = { body: jumped }
    later(dayMs)
    await minute()
    expect(await offered()).toEqual([['JPY', '225.9105579', '2026-01-06', 'ecb']])
  })
})

describe('what is kept of rates', () => {
  it('a shop with another own currency begins anew, and finds its rates again when it comes back', async () => {
    await setUp([{ code: 'EUR' }])
    await minute()
    await setUp([{ code: 'EUR' }], { source: 'hand' }, 'GBP')
    expect(await offered()).toEqual([])
    await setUp([{ code: 'EUR' }], { source: 'hand' }, 'USD')
    expect(await offered()).toHaveLength(1)
  })

  it('an older file becomes history and replaces nothing newer', async () => {
    await setUp([{ code: 'EUR' }])
    await minute()
    const older = ratesIn(Buffer.from(ecbXml.replace('2026-01-05', '2025-12-30').replace('1.0845', '1.08')))
    if (!older.ok) throw new Error(older.fault)
    expect(await saveAutomaticRates(await tools(), older.value, { source: 'file', accept: false })).toMatchObject({
      rates: [{ outcome: 'taken' }],
    })
    expect(await offered()).toEqual([['EUR', '0.9220839096', '2026-01-05', 'ecb']])
    expect(await stored()).toHaveLength(2)
  })

  it('ends after four hundred days, but for the newest good one', async () => {
    await setUp([{ code: 'EUR' }, { code: 'BGN' }])
    await db.sql`insert into currency_rates (base, code, day, source, rate, refused, fetched_at) values
      ('USD', 'EUR', '2024-01-05', 'ecb', '0.91', false, now()), ('USD', 'BGN', '2024-01-05', 'ecb', '1.8', false, now()),
      ('USD', 'BGN', '2024-01-06', 'ecb', '9.9', true, now()), ('USD', 'BGN', '2024-01-04', 'ecb', '1.7', false, now())`
    await minute()
    expect(await stored()).toEqual(['EUR 2026-01-05 0.9220839096', 'BGN 2024-01-06 9.9 refused', 'BGN 2024-01-05 1.8'])
  })
})
