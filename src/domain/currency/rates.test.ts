import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  dailyCsv,
  ecbDaysXml,
  ecbXml,
  historyCsv,
  openRatesJson,
  sdmxCsv,
} from '#tests/support/currency/rates-fixtures.ts'
import { exact } from './fraction.ts'
import { changePercent, crossRates, isJump, readRate } from './rates.ts'
import { readRates } from './read-rates.ts'

const read = (text: string) => {
  const got = readRates(text)
  return got.ok ? { ...got.value, rates: Object.fromEntries(got.value.rates), skipped: got.skipped } : got.fault
}

describe('rates as sources write them', () => {
  it('CUR-04 reads the daily XML of the European Central Bank', () => {
    expect(read(ecbXml)).toEqual({
      base: 'EUR',
      day: '2026-01-05',
      rates: { USD: '1.0845', JPY: '163.27', CZK: '24.187', GBP: '0.83465', HUF: '389.93', IDR: '17615.55' },
      skipped: [],
    })
  })

  it('CUR-04 reads the daily CSV of the European Central Bank, whose day is in words', () => {
    expect(read(dailyCsv)).toEqual({
      ...{ base: 'EUR', day: '2026-01-05', skipped: [] },
      rates: { USD: '1.0845', JPY: '163.27', CZK: '24.187' },
    })
    expect(read(dailyCsv.replace('05 January', '5 January'))).toMatchObject({ day: '2026-01-05' })
    for (const wrong of ['05 Janvier 2026', '31 February 2026', '05 January 26'])
      expect(read(dailyCsv.replace('05 January 2026', wrong))).toBe('no row has a day like 2026-01-05')
  })

  it('CUR-04 takes the newest of several days, and of it alone: what has left the list has no rate', () => {
    const newest = { base: 'EUR', day: '2026-01-05', rates: { USD: '1.0845', JPY: '163.27' } }
    expect(read(ecbDaysXml)).toMatchObject(newest)
    expect(read(historyCsv)).toEqual({ ...newest, skipped: [{ code: 'BGN', figure: 'N/A' }] })
    expect(read(sdmxCsv)).toEqual({
      ...{ base: 'EUR', day: '2026-01-05', skipped: [] },
      rates: { GBP: '0.83465', USD: '1.0845' },
    })
  })

  it('CUR-04 reads open rates, whatever the base', () => {
    const rates = { GBP: '0.83465', USD: '1.0845', JPY: '163.27' }
    expect(read(openRatesJson)).toEqual({ base: 'EUR', day: '2026-01-05', rates, skipped: [] })
    expect(read(`\uFEFF ${openRatesJson.replace('EUR', 'CHF')}`)).toMatchObject({ base: 'CHF', rates })
    // A small figure is written with an exponent by programs that write numbers.
    expect(read('{"base":"VND","date":"2026-01-05","rates":{"USD":0.00003871,"KWD":1.19e-5}}')).toMatchObject({
      rates: { USD: '0.00003871', KWD: '0.0000119' },
    })
  })

  it.each([
    ['nothing', '', 'it is empty'],
    ['spaces', ' \n\t', 'it is empty'],
    [
      'a page that says that something is wrong',
      '<!doctype html><html><body>502</body></html>',
      'XML with a document type is not read',
    ],
    ['a page without a document type', '<html><body><br>502</body></html>', 'it is no sound XML at line 1'],
    [
      'XML that ends in the middle of a tag',
      ecbXml.slice(0, ecbXml.indexOf("rate='163")),
      'it is no sound XML at line 10',
    ],
    ['XML that ends between tags', ecbXml.slice(0, ecbXml.indexOf('</Cube>')), 'the XML ends too early'],
    ['XML closed crosswise', '<Cube><a><b></a></b></Cube>', 'it is no sound XML at line 1'],
    ['a comment that never ends', '<Cube><!-- <Cube/>', 'it is no sound XML at line 1'],
    ['two documents', '<Cube/><Cube/>', 'it is no sound XML at line 1'],
    ['XML without rates', '<Cube><Cube time="2026-01-05"/></Cube>', 'there are no rates in it'],
    ['a rate of no day', '<Cube><Cube currency="USD" rate="1.1"/></Cube>', 'a rate stands outside of any day'],
    ['a day that is none', ecbXml.replace('2026-01-05', '2026-02-30'), '"2026-02-30" is not a date like 2026-01-05'],
    ['a code that is none', ecbXml.replace('USD', '&lt;b'), '"&lt;b" is not a currency code'],
    ['broken JSON', openRatesJson.slice(0, -3), 'it is no JSON object'],
    ['a list', '[1, 2]', 'it is no JSON object'],
    [
      'JSON without a base',
      '{"date":"2026-01-05","rates":{"USD":1}}',
      'it does not say for one of which currency ("base")',
    ],
    ['JSON without a day', '{"base":"EUR","rates":{"USD":1}}', 'it does not say of which day ("date")'],
    ['JSON for a hundred', openRatesJson.replace('1.0,', '100,'), 'its rates are not for one of the base ("amount")'],
    ['an error of the service', '{"base":"EUR","date":"2026-01-05","message":"not found"}', 'there are no rates in it'],
    ['JSON with a base that is none', openRatesJson.replace('EUR', 'Euro'), '"Euro" is not a currency code'],
    [
      'a member that poisons objects',
      '{"base":"EUR","date":"2026-01-05","rates":{"__proto__":1}}',
      '"__proto__" is not a currency code',
    ],
    ['CSV of something else', 'name,price\nCup,12', 'there is no column CURRENCY, TIME_PERIOD, OBS_VALUE'],
    ['CSV with an open quotation', sdmxCsv.replace('""2.15', '"2.15'), 'its quotation marks do not match'],
    ['CSV of two bases', sdmxCsv.replace(',GBP,EUR,', ',GBP,USD,'), 'its rates are for one of USD and of EUR'],
    ['CSV without a day', sdmxCsv.replaceAll(/20\d\d-/g, '20-'), 'no row has a day like 2026-01-05'],
    ['binary', '\u0000\u0001\u0002', 'there is no column CURRENCY, TIME_PERIOD, OBS_VALUE'],
  ])('refuses %s', (_, text, fault) => {
    expect(read(text)).toBe(fault)
  })

  it('resolves no entity, its own nor any other', () => {
    const bomb = `<?xml version="1.0"?>\n<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]>\n<Cube>&b;</Cube>`
    expect(read(bomb)).toBe('XML with a document type is not read')
    expect(read(ecbXml.replace('1.0845', '&b;'))).toMatchObject({ skipped: [{ code: 'USD', figure: '&b;' }] })
  })

  it('takes no longer for hostile text than for text', { timeout: 30_000 }, () => {
    const size = 256 * 1024
    for (const start of [
      '<',
      '<Cube ',
      '<Cube a',
      '<!--',
      '<Cube a="',
      '"',
      'a,',
      '{"a":',
      '<?',
      '<Cube a=""',
      '</',
      '<Cube>',
    ])
      for (const filling of [' ', 'a', '"', '""', '<', '-', '\n', '=', '<Cube>', ' a=""', ','])
        expect(typeof read(start + filling.repeat(size / filling.length))).toBe('string')
  })

  it('never throws, whatever it reads', () => {
    const pieces = [
      ...'<>/="\',{}[]:;&-\n 0123456789.eENA',
      'Cube',
      'time',
      '2026-01-05',
      'currency',
      'USD',
      'rate',
      'base',
      'rates',
      'date',
      '<!--',
      '-->',
      '<?',
      '?>',
      'CURRENCY',
      'OBS_VALUE',
      'TIME_PERIOD',
      '\uD800',
      '\u0000',
    ]
    const text = fc.oneof(
      fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((all) => all.join('')),
      // A sound file in which something was overwritten.
      fc
        .tuple(
          fc.constantFrom(ecbXml, openRatesJson, sdmxCsv, historyCsv, dailyCsv),
          fc.nat(),
          fc.constantFrom(...pieces),
          fc.nat(20),
        )
        .map(
          ([file, at, piece, length]) =>
            file.slice(0, at % file.length) + piece + file.slice((at % file.length) + length),
        ),
    )
    fc.assert(
      fc.property(text, (given) => {
        const got = readRates(given)
        if (!got.ok) return void expect(got.fault).not.toBe('')
        for (const rate of got.value.rates.values())
          expect(exact(rate).n > 0n && /^\d{1,12}(\.\d{1,20})?$/.test(rate)).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('one rate', () => {
  it.each([
    ['1.0845', '1.0845'],
    [' 1.0 ', '1'],
    ['+2', '2'],
    ['0.00001190', '0.0000119'],
    ['1.0845E2', '108.45'],
    ['1.19e-5', '0.0000119'],
    ['1e+3', '1000'],
    // Ten digits that say something, the last rounded half up.
    ['1.23456789051', '1.234567891'],
    ['12345678901.23', '12345678901'],
    ['0.000012345678905', '0.00001234567891'],
    ['3.', '3'],
  ])('reads %s as %s', (figure, rate) => {
    expect(readRate(figure)).toBe(rate)
  })

  it.each([
    '',
    ' ',
    '0',
    '0.000',
    '-1.0845',
    '-0',
    'N/A',
    'NaN',
    'Infinity',
    '1,0845',
    '1 084',
    '0x10',
    '.5',
    '1e',
    '1e99',
    '1e-99',
    '1000000000000',
    '9'.repeat(60),
    '١٫٥',
    '1.0845abc',
    '--1',
    '1.2.3',
    'null',
  ])('takes "%s" for no rate', (figure) => {
    expect(readRate(figure)).toBeNull()
  })
})

describe('rates for another base', () => {
  const ecb = {
    base: 'EUR',
    day: '2026-01-05',
    rates: new Map(Object.entries({ USD: '1.0845', JPY: '163.27', IDR: '17615.55' })),
  }

  it('CUR-04 divides exactly, to ten digits', () => {
    // 1 ÷ 1.0845 = 0.92208390963…, 163.27 ÷ 1.0845 = 150.548639926…
    expect(Object.fromEntries(crossRates(ecb, 'USD')?.rates ?? [])).toEqual({
      EUR: '0.9220839096',
      JPY: '150.5486399',
      IDR: '16243.01521',
    })
    // 1 ÷ 17615.55 = 0.0000567680259770…
    expect(crossRates(ecb, 'IDR')?.rates.get('EUR')).toBe('0.00005676802598')
    expect(crossRates(ecb, 'USD')).toMatchObject({ base: 'USD', day: '2026-01-05' })
  })

  it('leaves them as they are for their own base, and has none for a currency that is not among them', () => {
    expect(crossRates(ecb, 'EUR')?.rates).toEqual(ecb.rates)
    expect(crossRates({ ...ecb, rates: new Map([...ecb.rates, ['EUR', '1']]) }, 'EUR')?.rates).toEqual(ecb.rates)
    expect(crossRates(ecb, 'CHF')).toBeNull()
  })

  it('CUR-04 there and back is the same within the tenth digit', () => {
    const figure = fc
      .integer({ min: 1, max: 9_999_999 })
      .map((n) => `${n}`)
      .chain((digits) => fc.nat(4).map((zeros) => readRate(`${digits}e-${zeros}`) ?? '1'))
    fc.assert(
      fc.property(figure, figure, (usd, jpy) => {
        const there = crossRates(
          {
            base: 'EUR',
            day: '2026-01-05',
            rates: new Map([
              ['USD', usd],
              ['JPY', jpy],
            ]),
          },
          'USD',
        )
        const back = there && crossRates(there, 'EUR')
        for (const [code, rate] of [
          ['USD', usd],
          ['JPY', jpy],
        ] as const) {
          const got = back?.rates.get(code)
          expect(Math.abs(Number(got) / Number(rate) - 1)).toBeLessThan(2e-9)
        }
      }),
    )
  })
})

describe('a rate that changes at once', () => {
  it('by more than the merchant lets pass is told from one that does not, up and down', () => {
    expect(isJump('1', '1.2', 20)).toBe(false)
    expect(isJump('1', '1.2000000001', 20)).toBe(true)
    expect(isJump('1', '0.8', 20)).toBe(false)
    expect(isJump('1', '0.7999999999', 20)).toBe(true)
    expect(isJump('0.00003871', '0.3871', 1000)).toBe(true)
    expect(isJump('1.1', '1.2', 9)).toBe(true)
    expect(isJump('1.1', '1.2', 9.1)).toBe(false)
    expect(isJump('1.0845', '1.0845', 1)).toBe(false)
  })

  it('is told in tenths of a percent', () => {
    expect(changePercent('1.0845', '1.5')).toBe('38.3')
    expect(changePercent('2', '1')).toBe('50')
  })
})
