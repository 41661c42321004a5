import { describe, expect, it } from 'vitest'
import { ecbXml } from '#tests/support/currency/rates-fixtures.ts'
import { dayMs, ratesSource } from '#tests/support/currency/rates-source.ts'
import { ratesIn } from './fetch-exchange-rates.ts'
import { saveAutomaticRates } from './store-exchange-rates.ts'
import { updateRates } from './update-exchange-rates.ts'

const source = ratesSource()

describe('a rate that changes too much at once', () => {
  const jumped = ecbXml.replace('2026-01-05', '2026-01-06').replace('163.27', '245')

  it('CUR-04 is not used until it is accepted, and the one before it stays', async () => {
    await source.setUp([{ code: 'EUR' }, { code: 'JPY' }])
    await source.minute()
    source.respond({ body: jumped })
    source.advance(dayMs)
    await source.minute()
    // EUR is of the new day, JPY of the one before.
    const kept = [
      ['EUR', '0.9220839096', '2026-01-06', 'ecb'],
      ['JPY', '150.5486399', '2026-01-05', 'ecb'],
    ]
    expect(await source.offered()).toEqual(kept)
    expect(source.logged.filter(({ level }) => level === 'warn')).toMatchObject([
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
    await updateRates(await source.tools(), { accept: false })
    expect(source.logged.filter(({ level }) => level === 'warn')).toHaveLength(1)
    expect(await source.stored()).toContain('JPY 2026-01-06 225.9105579 refused')

    expect(await updateRates(await source.tools(), { accept: true })).toMatchObject({
      rates: [
        { code: 'EUR', outcome: 'same' },
        { code: 'JPY', outcome: 'taken', changedPercent: '50.1' },
      ],
    })
    expect((await source.offered()).at(-1)).toEqual(['JPY', '225.9105579', '2026-01-06', 'ecb'])
    // Later changes are compared with it.
    expect(await updateRates(await source.tools(), { accept: false })).toMatchObject({
      rates: [{ outcome: 'same' }, { outcome: 'same' }],
    })
  })

  it('does not cost a good rate of the same day', async () => {
    await source.setUp([{ code: 'JPY' }])
    await source.minute()
    source.respond({ body: ecbXml.replace('163.27', '1632.7') })
    expect(await updateRates(await source.tools(), { accept: false })).toMatchObject({
      rates: [{ outcome: 'refused' }],
    })
    expect(await source.offered()).toEqual([['JPY', '150.5486399', '2026-01-05', 'ecb']])
    // A small correction of the same day is accepted.
    source.respond({ body: ecbXml.replace('163.27', '164') })
    expect(await updateRates(await source.tools(), { accept: false })).toMatchObject({ rates: [{ outcome: 'taken' }] })
    expect(await source.offered()).toEqual([['JPY', '151.2217612', '2026-01-05', 'ecb']])
  })

  it('is as much as the merchant says', async () => {
    await source.setUp([{ code: 'JPY' }], { maxJumpPercent: 60 })
    await source.minute()
    source.respond({ body: jumped })
    source.advance(dayMs)
    await source.minute()
    expect(await source.offered()).toEqual([['JPY', '225.9105579', '2026-01-06', 'ecb']])
  })
})

describe('what is kept of rates', () => {
  it('a shop with another own currency begins anew, and finds its rates again when it comes back', async () => {
    await source.setUp([{ code: 'EUR' }])
    await source.minute()
    await source.setUp([{ code: 'EUR' }], { source: 'hand' }, 'GBP')
    expect(await source.offered()).toEqual([])
    await source.setUp([{ code: 'EUR' }], { source: 'hand' }, 'USD')
    expect(await source.offered()).toHaveLength(1)
  })

  it('an older file becomes history and replaces nothing newer', async () => {
    await source.setUp([{ code: 'EUR' }])
    await source.minute()
    const older = ratesIn(Buffer.from(ecbXml.replace('2026-01-05', '2025-12-30').replace('1.0845', '1.08')))
    if (!older.ok) throw new Error(older.fault)
    expect(
      await saveAutomaticRates(await source.tools(), older.value, { source: 'file', accept: false }),
    ).toMatchObject({
      rates: [{ outcome: 'taken' }],
    })
    expect(await source.offered()).toEqual([['EUR', '0.9220839096', '2026-01-05', 'ecb']])
    expect(await source.stored()).toHaveLength(2)
  })

  it('ends after four hundred days, but for the newest good one', async () => {
    await source.setUp([{ code: 'EUR' }, { code: 'BGN' }])
    await source.db.sql`insert into currency_rates (base, code, day, source, rate, refused, fetched_at) values
      ('USD', 'EUR', '2024-01-05', 'ecb', '0.91', false, now()), ('USD', 'BGN', '2024-01-05', 'ecb', '1.8', false, now()),
      ('USD', 'BGN', '2024-01-06', 'ecb', '9.9', true, now()), ('USD', 'BGN', '2024-01-04', 'ecb', '1.7', false, now())`
    await source.minute()
    expect(await source.stored()).toEqual([
      'EUR 2026-01-05 0.9220839096',
      'BGN 2024-01-06 9.9 refused',
      'BGN 2024-01-05 1.8',
    ])
  })
})
