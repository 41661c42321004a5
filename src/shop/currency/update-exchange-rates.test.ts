import { describe, expect, it } from 'vitest'
import { readRatesState, writeRatesState } from '#database/currency/exchange-rates.ts'
import { ecbXml, openRatesJson } from '#tests/support/currency/rates-fixtures.ts'
import { dayMs, hourMs, minuteMs, ratesSource } from '#tests/support/currency/rates-source.ts'
import { currencyStates } from './offered-currencies.ts'
import { refreshRates, updateRates } from './update-exchange-rates.ts'

const patient = { timeout: 10_000 }

const source = ratesSource()

describe('rates that come by themselves', () => {
  it('CUR-04 are worked out for the currency of the shop, and kept', async () => {
    await source.setUp([{ code: 'EUR' }, { code: 'JPY' }, { code: 'CHF' }, { code: 'GBP', rate: '0.8' }])
    await source.minute()
    expect(await source.stored()).toEqual(['EUR 2026-01-05 0.9220839096', 'JPY 2026-01-05 150.5486399'])
    // Manual rates stay, even if the source has them; currencies missing in the source are not offered.
    expect(await source.offered()).toEqual([
      ['EUR', '0.9220839096', '2026-01-05', 'ecb'],
      ['JPY', '150.5486399', '2026-01-05', 'ecb'],
      ['GBP', '0.8', null, 'hand'],
    ])
    expect(source.logged.map(({ message, facts }) => [message, facts.currencies])).toEqual([
      ['new exchange rates', ['EUR', 'JPY']],
      ['exchange rates missing at the source', ['CHF']],
    ])
  })

  it('CUR-04 come as open rates, also for another base than the one that was hoped for', async () => {
    await source.setUp([{ code: 'EUR' }, { code: 'GBP' }], { source: 'open-rates' })
    source.respond({ body: openRatesJson.replace('EUR', 'CHF').replace('"JPY":163.27', '"EUR":1.05') })
    await source.minute()
    // 1.05 ÷ 1.0845 and 0.83465 ÷ 1.0845.
    expect(await source.offered()).toEqual([
      ['EUR', '0.9681881051', '2026-01-05', 'open-rates'],
      ['GBP', '0.7696173352', '2026-01-05', 'open-rates'],
    ])
  })

  it('are asked for once in so many hours, and at once when another currency is wanted', async () => {
    await source.setUp([{ code: 'EUR' }], { everyHours: 6 })
    await source.minute()
    source.advance(6 * hourMs - minuteMs)
    await source.minute()
    expect(source.requests).toBe(1)
    source.advance(minuteMs)
    await source.minute()
    expect(source.requests).toBe(2)
    await source.setUp([{ code: 'EUR' }, { code: 'JPY' }], { everyHours: 6 })
    await source.minute()
    expect(source.requests).toBe(3)
    expect((await source.offered()).map(([code]) => code)).toEqual(['EUR', 'JPY'])
    // A clock set back does not stop updates for the length of the jump.
    source.advance(-300 * dayMs)
    source.respond({ body: ecbXml.replace('2026-01-05', '2025-03-11') })
    await source.minute()
    expect(source.requests).toBe(4)
  })

  it('are never asked for where all are written by hand, or nothing is to be asked', async () => {
    await source.setUp([{ code: 'EUR', rate: '0.9' }])
    await source.minute()
    await source.setUp([{ code: 'EUR' }], { source: 'hand' })
    await source.minute()
    expect(source.requests).toBe(0)
    expect(await updateRates(await source.tools(), { accept: false })).toEqual({
      ok: false,
      fault: 'no source of rates is set up',
    })
    await source.setUp([{ code: 'EUR', rate: '0.9' }])
    expect(await updateRates(await source.tools(), { accept: false })).toEqual({
      ok: false,
      fault: 'no currency has the rate auto',
    })
  })

  it('are told to every process only when something has changed', async () => {
    const told: string[] = []
    const listening = await source.db.sql.listen('vitrine_change', (what) => told.push(what))
    await source.setUp([{ code: 'EUR' }])
    await expect.poll(() => told.length, patient).toBe(1)
    await updateRates(await source.tools(), { accept: false })
    await expect.poll(() => told.length, patient).toBe(2)
    await updateRates(await source.tools(), { accept: false })
    // Notifications arrive in the order of sending, so the second request sent none before this one.
    await source.db.sql`select pg_notify('vitrine_change', 'end')`
    await expect.poll(() => told, patient).toEqual(['configuration', 'configuration', 'end'])
    await listening.unlisten()
  })

  it('are kept once, though two processes ask at the same time', async () => {
    await source.setUp([{ code: 'EUR' }, { code: 'JPY' }])
    const both = [await source.tools(), await source.tools()]
    await Promise.all(both.map((each) => refreshRates(each)))
    expect(source.requests).toBe(1)
    const taken = await Promise.all(both.map((each) => updateRates(each, { accept: false })))
    expect(taken.map((each) => each.ok)).toEqual([true, true])
    expect(await source.stored()).toHaveLength(2)

    await source.db.sql`delete from currency_rates`
    const again = await Promise.all(both.map((each) => updateRates(each, { accept: false })))
    const outcomes = again.flatMap((each) => (each.ok ? each.rates.map(({ outcome }) => outcome) : []))
    expect(outcomes.toSorted()).toEqual(['same', 'same', 'taken', 'taken'])
    expect(await source.stored()).toHaveLength(2)
  })
})

describe('a source that fails', () => {
  it('CUR-04 leaves the last good rates in use until they are too old', async () => {
    await source.setUp([{ code: 'EUR' }], { maxAgeDays: 7 })
    await source.minute()
    source.respond({ status: 500 })
    for (let day = 0; day < 7; day += 1) {
      source.advance(dayMs)
      await source.minute()
    }
    // Seven days after the fifth is still recent enough.
    expect(source.now).toEqual(new Date('2026-01-12T18:00:00Z'))
    expect(await source.offered()).toEqual([['EUR', '0.9220839096', '2026-01-05', 'ecb']])
    source.setTime('2026-01-12T23:59:59Z')
    expect(await source.offered()).toHaveLength(1)
    source.setTime('2026-01-13T00:00:00Z')
    expect(await source.offered()).toEqual([])
    expect(currencyStates(await source.configuration(), source.now)).toMatchObject([
      { code: 'EUR', state: 'too-old', rate: '0.9220839096', day: '2026-01-05' },
    ])
    source.advance(hourMs)
    await source.minute()
    expect(source.logged.at(-1)).toMatchObject({ level: 'warn', facts: { currencies: ['EUR'] } })
    // A newer rate offers it again.
    source.respond({ body: ecbXml.replace('2026-01-05', '2026-01-12').replace('1.0845', '1.1') })
    source.advance(hourMs)
    await source.minute()
    expect(await source.offered()).toEqual([['EUR', '0.9090909091', '2026-01-12', 'ecb']])
  })

  it('is asked again after two minutes, four, and so on up to an hour', async () => {
    await source.setUp([{ code: 'EUR' }])
    source.respond({ status: 503 })
    const pauses: number[] = []
    for (let minutes = 0, last = 0; minutes < 130; minutes += 1) {
      const before = source.requests
      await source.minute()
      if (source.requests > before) {
        if (before > 0) pauses.push(minutes - last)
        last = minutes
      }
      source.advance(minuteMs)
    }
    expect(pauses).toEqual([2, 4, 8, 16, 32, 60])
    expect(await readRatesState(source.db.kysely)).toMatchObject({ failures: 7, fault: 'HTTP 503', cameAt: null })
    source.respond({ body: ecbXml })
    source.advance(hourMs)
    await source.minute()
    expect(await readRatesState(source.db.kysely)).toMatchObject({
      failures: 0,
      fault: '',
      cameAt: source.now,
      notBefore: null,
    })
  })

  it('may say how long to leave it alone, an hour at most', async () => {
    await source.setUp([{ code: 'EUR' }])
    source.respond({ status: 429, headers: { 'retry-after': '1800' } })
    await source.minute()
    expect((await readRatesState(source.db.kysely)).notBefore).toEqual(new Date(source.now.getTime() + 1800_000))
    source.respond({ status: 429, headers: { 'retry-after': '999999999' } })
    source.advance(hourMs)
    await source.minute()
    expect((await readRatesState(source.db.kysely)).notBefore).toEqual(new Date(source.now.getTime() + hourMs))
  })

  it('is not waited for by others when its asker has died', async () => {
    await source.setUp([{ code: 'EUR' }])
    const dying = await source.tools({ network: { fetch: () => Promise.reject(new Error('never comes back')) } })
    // The state after a crash between the claim and the response.
    await refreshRates(dying)
    const state = await readRatesState(source.db.kysely)
    await writeRatesState(source.db.kysely, { ...state, failures: 0, fault: '', askedAt: null })
    await source.minute()
    expect(source.requests).toBe(0)
    source.advance(2 * minuteMs)
    await source.minute()
    expect(source.requests).toBe(1)
  })
})
