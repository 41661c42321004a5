import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readConfiguration, writeSettings } from '#database/operations/configuration.ts'
import { systemClock } from '#server/operations/startup/environment.ts'
import { ecbXml, openRatesJson, sdmxCsv } from '#tests/support/currency/rates-fixtures.ts'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { runCommandWith } from '#tests/support/process/command.ts'
import { settingsCommand } from '../operations/settings.ts'
import { currenciesCommand } from './currencies.ts'

let db: TestDatabase
let folder: string
beforeAll(async () => {
  db = await aDatabase()
  folder = await mkdtemp(join(tmpdir(), 'vitrine-rates-'))
})
afterAll(async () => {
  await db.close()
  await rm(folder, { recursive: true })
})
beforeEach(() => {
  now = new Date('2026-01-05T18:00:00Z')
  answer = () => new Response(ecbXml)
})
afterEach(async () => {
  await db.sql`delete from currency_rates`
  await db.sql`delete from settings`
})

let now: Date
let answer: (url: string) => Response
const currencies = (...args: string[]) =>
  runCommandWith(
    {
      clock: { now: () => now, sleep: (ms, signal) => systemClock.sleep(ms, signal) },
      network: { fetch: async (url) => answer(String(url)) },
    },
    currenciesCommand,
    db,
    ...args,
  )

const file = async (name: string, content: string | Buffer) => {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}
const source = (rates: object) => writeSettings(db, { exchange: { rates } })
const entries = async () => (await readConfiguration(db)).settings.currencies

describe('the command currencies', () => {
  it('CUR-04 shows what each currency is worth, with its fee, and why one is not offered', async () => {
    await source({ source: 'ecb' })
    await writeSettings(db, {
      currencies: [
        { code: 'EUR', fee: { value: '2.5' } },
        { code: 'GBP', rate: '0.8', fee: { type: 'fixed', value: '0.05' }, rounding: { type: 'up', subtract: '0.01' } },
        { code: 'JPY' },
        { code: 'CHF' },
        { code: 'ABC', rate: '3' },
      ],
    })
    const updated = await currencies('update')
    expect(updated.out.split('\n')).toEqual([
      'Code          Rate  Change',
      'EUR   0.9220839096          taken',
      'JPY    150.5486399          taken',
      'CHF                         not in the source',
    ])
    expect(updated).toMatchObject({ code: 0, err: 'Read 3 rates of 2026-01-05.' })
    now = new Date('2026-01-06T09:00:00Z')
    const shown = await currencies()
    // 0.9220839096 × 1.025 = 0.94513600734, (0.8 + 0.05) × 100 − 0.01 = 84.99
    expect(shown.out.split('\n')).toEqual([
      'Code          Rate    Fee       With it  Of          From     100 USD',
      'EUR   0.9220839096  2.5 %  0.9451360073  2026-01-05  ECB        94.51  offered',
      'GBP            0.8  +0.05          0.85              by hand    84.99  offered',
      'JPY    150.5486399          150.5486399  2026-01-05  ECB        15055  offered',
      'CHF                                                                    not offered: no rate yet',
      'ABC              3                                   by hand           not offered: there is no currency ABC',
    ])
    expect(shown.err).toBe(
      'Rates come from the European Central Bank (https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml) every 24 hours, last received at 2026-01-05 18:00 UTC.',
    )
    expect(JSON.parse((await currencies('list', '--json')).out)).toMatchObject({
      own: 'USD',
      source: 'ecb',
      currencies: [
        {
          code: 'EUR',
          rate: '0.9220839096',
          effective: '0.9451360073',
          sample: '94.51',
          state: 'offered',
          refused: null,
        },
        { code: 'GBP', source: 'hand', day: null },
        { code: 'JPY' },
        { code: 'CHF', rate: null, effective: null, sample: null, state: 'no-rate' },
        { code: 'ABC', state: 'unworkable', problem: 'there is no currency ABC' },
      ],
    })
    now = new Date('2026-01-14T09:00:00Z')
    expect((await currencies()).out).toContain('not offered: the rate is older than 7 days')
  })

  it('CUR-04 tells of a rate that has changed too much, until it is accepted', async () => {
    await source({ source: 'ecb' })
    await currencies('set', 'jpy', 'auto')
    await currencies('update')
    now = new Date('2026-01-06T18:00:00Z')
    answer = () => new Response(ecbXml.replace('2026-01-05', '2026-01-06').replace('163.27', '245'))
    expect(await currencies('update')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/JPY\s+225.9105579\s+50.1 %\s+refused: changed too much$/),
      err: expect.stringMatching(/^Warning: 1 rate changed too much.*--accept\.\nRead \d+ rates? of 2026-01-06\.$/),
    })
    const shown = await currencies()
    expect(shown.out).toMatch(/^JPY\s+150\.5486399 .* offered$/m)
    expect(shown.err.split('\n')[0]).toBe(
      'Warning: the rate 225.9105579 of JPY of 2026-01-06 (ECB) differs by 50.1 % from 150.5486399 and is not used. Accept it with: currencies update --accept',
    )
    expect((await currencies('rates', 'jpy')).out.split('\n')).toEqual([
      'Day         Code    For 1 USD  From',
      '2026-01-06  JPY   225.9105579  ECB   refused',
      '2026-01-05  JPY   150.5486399  ECB',
    ])
    expect((await currencies('rates', '--csv')).out).toContain('2026-01-06,JPY,225.9105579,ecb,refused')

    expect((await currencies('update', '--accept')).out).toMatch(/JPY\s+225.9105579\s+50.1 %\s+taken$/)
    const after = await currencies()
    expect(after.out).toMatch(/^JPY\s+225\.9105579 /m)
    expect(after.err).not.toContain('not used')
  })

  it('takes rates from a file in each of the formats', async () => {
    await currencies('set', 'EUR', 'auto')
    const days = ['2026-01-02', '2026-01-03', '2026-01-04']
    const files = [ecbXml, sdmxCsv, openRatesJson].map((text, at) => text.replaceAll('2026-01-05', days[at] ?? ''))
    for (const [at, text] of files.entries()) {
      const done = await currencies('import', await file(`rates${at}`, text))
      expect(done).toMatchObject({ code: 0, err: expect.stringContaining(`of ${days[at]}.`) })
    }
    expect((await currencies('rates')).out.split('\n').slice(1)).toEqual(
      days.toReversed().map((day) => `${day}  EUR   0.9220839096  a file`),
    )
    expect((await currencies()).err).toContain('No rates are fetched.')
    expect(JSON.parse((await currencies('import', await file('again', ecbXml), '--json')).out)).toEqual({
      day: '2026-01-05',
      rates: [{ code: 'EUR', outcome: 'taken', rate: '0.9220839096', changedPercent: '0' }],
    })
  })

  it('says what is wrong with a file, and takes nothing of it', async () => {
    const nothingWanted = await currencies('import', await file('sound', ecbXml))
    expect(nothingWanted).toMatchObject({ code: 1, err: expect.stringContaining('no currency takes its rate from') })
    await currencies('set', 'EUR', 'auto')
    const big = await file('big', Buffer.alloc(8 * 1024 * 1024, ' '))
    expect(await currencies('import', big)).toMatchObject({
      code: 1,
      err: expect.stringContaining('is larger than 1 MB'),
    })
    const wrong = await file('wrong', ecbXml.replace('USD', 'AUD'))
    expect(await currencies('import', wrong)).toMatchObject({
      code: 1,
      err: `Error: no rates were updated: ${wrong}: there is no rate of USD, the shop's own currency, in it`,
    })
    const latin = await file('latin', Buffer.from('Date,USD\n2026-01-05,1\xe9', 'latin1'))
    expect(await currencies('import', latin)).toMatchObject({ code: 1, err: expect.stringContaining('UTF-8') })
    expect(await currencies('import', join(folder, 'none'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('no such file or folder'),
    })
    expect(await currencies('import', folder)).toMatchObject({
      code: 1,
      err: `Error: ${folder}: is a folder. Name a file.`,
    })
    expect(await currencies('rates')).toMatchObject({ err: 'No rate was received yet. Fetch rates: currencies update' })
  })

  it('tells how asking has gone', async () => {
    expect(await currencies()).toMatchObject({ code: 0, err: expect.stringContaining('no currency beside USD') })
    expect(await currencies('update')).toMatchObject({
      code: 1,
      err: 'Error: no rates were updated: no source of rates is set up',
    })
    await source({ source: 'open-rates', address: 'https://rates.example/v1', everyHours: 1 })
    await currencies('set', 'EUR', '0.9')
    expect((await currencies()).err).toBe('No currency has the rate auto, so no rates are fetched.')
    await currencies('set', 'EUR', 'auto')
    expect((await currencies()).err).toBe(
      'Rates come from open rates (https://rates.example/v1) every hour and were not received yet.',
    )
    const asked: string[] = []
    answer = (url) => {
      asked.push(url)
      return new Response('', { status: 503, headers: { 'retry-after': '600' } })
    }
    expect(await currencies('update')).toMatchObject({ code: 1, err: 'Error: no rates were updated: HTTP 503' })
    expect(asked).toEqual(['https://rates.example/v1'])
    expect((await currencies()).err).toMatch(
      /The last request failed at 2026-01-05 18:00 UTC: HTTP 503\. The next one is at 2026-01-05 18:(?:09|10) UTC\.$/,
    )
  })

  it('lets no source steer the terminal', async () => {
    await source({ source: 'ecb' })
    await currencies('set', 'EUR', 'auto')
    answer = () => new Response('{"base":"EUR","date":"\\u001b[2J\\u202e2026","rates":{"USD":1}}')
    expect(await currencies('update')).toMatchObject({
      code: 1,
      err: 'Error: no rates were updated: " [2J 2026" is not a date like 2026-01-05',
    })
    expect((await currencies()).err).toContain(': " [2J 2026" is not a date')
  })

  it('CUR-04 sets a currency up, changes it and takes it away', async () => {
    expect(
      await currencies('set', 'eur', 'auto', '--fee', '2.5%', '--round', 'up', '--step', '1', '--subtract', '0.01'),
    ).toMatchObject({ code: 0, err: 'Added currency EUR with the rate of its source. Running shops were notified.' })
    expect(await entries()).toMatchObject([
      {
        code: 'EUR',
        rate: 'auto',
        fee: { type: 'percentage', value: '2.5' },
        rounding: { type: 'up', step: '1', subtract: '0.01' },
      },
    ])
    const options = ['--symbol', 'EUR ', '--position', 'left_space', '--decimals', '0', '--checkout', 'no']
    await currencies('set', 'EUR', '0.92', ...options, '--fee', '+0.05', '--countries', 'de,AT', '--methods', 'bacs')
    expect(await entries()).toMatchObject([
      {
        ...{ code: 'EUR', rate: '0.92', fee: { type: 'fixed', value: '0.05' }, rounding: { type: 'up', step: '1' } },
        ...{ symbol: 'EUR ', position: 'left_space', decimals: 0, checkout: false },
        ...{ countries: ['DE', 'AT'], paymentMethods: ['bacs'] },
      },
    ])
    await currencies('set', 'EUR', '--symbol', '', '--decimals', '', '--countries', '', '--methods', '', '--fee', '0')
    const [bare] = (await entries()) as Record<string, unknown>[]
    expect(bare).toMatchObject({ rate: '0.92', fee: { value: '0' }, countries: [], paymentMethods: 'all' })
    expect([bare?.symbol, bare?.decimals]).toEqual([undefined, undefined])

    await currencies('set', 'GBP', '0.8')
    expect(await currencies('remove', 'eur')).toMatchObject({ code: 0 })
    expect(await currencies('remove', 'EUR')).toMatchObject({
      code: 1,
      err: 'Error: currency "EUR" is not set up. List currencies: currencies list',
    })
    expect(await entries()).toMatchObject([{ code: 'GBP' }])
  })

  it('loses no currency where two are set up at once', async () => {
    const set = await Promise.all([currencies('set', 'GBP', '0.8'), currencies('set', 'CAD', '1.4')])
    expect(set.map(({ code }) => code)).toEqual([0, 0])
    const codes = ((await entries()) as { code: string }[]).map(({ code }) => code)
    expect(codes.sort()).toEqual(['CAD', 'GBP'])
  })

  it.each([
    [['set', 'Euro', '1'], '"Euro" is not a currency code.'],
    [['set', 'EUR', 'soon'], 'the rate: '],
    [['set', 'EUR', '-1'], 'Error: the rate'],
    [['set', 'EUR', '0'], 'the rate: '],
    [['set', 'EUR', '--fee', '2'], '--fee "2" is neither a percentage nor an addition'],
    [['set', 'EUR', '--checkout', 'maybe'], '--checkout "maybe" is unknown. Choose one of: yes, no.'],
    [['set', 'EUR', '--decimals', '9'], '--decimals "9": '],
    [['set', 'EUR', '--step', '0'], '--step "0": must be more than zero'],
    [['set', 'EUR', '--round', 'sideways'], '--round "sideways": must be one of disabled, up, down, nearest'],
    [['set', 'EUR', '--countries', 'Germany'], '--countries 0: '],
    [
      ['set', 'EUR', '1', '--methods', 'bacs,foo'],
      '--methods "bacs,foo": "foo" must be one of ppcp, ppcp_card, bacs, ',
    ],
    [['set', 'USD', '1'], "it is the shop's own currency, which needs no entry"],
    [['set', 'ABC', '1'], 'there is no currency ABC'],
    [['set', 'EUR', '0.0000000001'], '100 USD would be nothing in it at the rate 0.0000000001'],
  ])('refuses %j', async (args, problem) => {
    const { code, err } = await currencies(...args)
    expect(err).toContain(problem)
    expect(code).toBeGreaterThan(0)
    expect(await entries()).toBeUndefined()
  })
})

it('the guide to currencies shows what its commands print', async () => {
  const guide = await readFile(join(import.meta.dirname, '../../../docs/guides/currencies.md'), 'utf8')
  const shown = [...guide.matchAll(/^```console\n(.*?)^```$/gms)].flatMap(([, block = '']) =>
    block.split(/^\$ npm run shop -- /m).slice(1),
  )
  expect(shown.length).toBeGreaterThan(4)
  for (const part of shown) {
    const [line = '', ...output] = part.trimEnd().split('\n')
    const [name, ...args] = line.split(' ')
    const lines: string[] = []
    const note = (text: string) => void lines.push(text)
    const network = { fetch: async () => new Response(ecbXml) }
    const context = { clock: { now: () => now, sleep: systemClock.sleep }, network, print: note, say: note }
    await runCommandWith(context, name === 'settings' ? settingsCommand : currenciesCommand, db, ...args)
    expect(lines).toEqual(output)
  }
})
