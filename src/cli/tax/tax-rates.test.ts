import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TaxRateFields } from '#contract/tax/tax-rates-csv.ts'
import { changeChannel } from '#database/engine/change-counts.ts'
import { taxRatesCsv } from '#shop/tax/import-tax-rates.ts'
import { showTaxRates } from '#shop/tax/manage-tax-rates.ts'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { runCommand } from '#tests/support/process/command.ts'
import { exportCommand } from '../export/export.ts'
import { taxRatesCommand } from './tax-rates.ts'

let db: TestDatabase
let folder: string
beforeAll(async () => {
  db = await aDatabase()
  folder = await mkdtemp(join(tmpdir(), 'tax-rates-'))
})
afterAll(async () => {
  await db.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  await db.sql`delete from tax_rates`
})

const header = 'Country code,State code,Postcode / ZIP,City,Rate %,Tax name,Priority,Compound,Shipping,Tax class'
const taxRates = (...args: string[]) => runCommand(taxRatesCommand, db, ...args)
const rows = () => db.sql`select * from tax_rates order by id`

async function imported(text: string, ...options: string[]) {
  const file = join(folder, 'rates.csv')
  await writeFile(file, text)
  return taxRates('import', file, ...options)
}

const sample = `${header}
US,CA,90210...90220;94*,LOS ANGELES;Fresno,7.2500,Sales tax,1,0,0,
DE,*,*,*,19.0000,MwSt,1,0,1,
de,,,,7,MwSt,1,0,1,Reduced rate
CA,QC,*,*,9.975,QST,2,1,1,standard
`

describe('npm run shop -- tax-rates', () => {
  it('refuses a class that the shop does not have', async () => {
    const problem = 'must be a tax class of the shop: reduced-rate, zero-rate'
    expect(await imported(`${header}\nDE,,,,7,MwSt,1,0,1,Reduced\n`, '--dry-run')).toMatchObject({
      code: 1,
      err: expect.stringContaining(`line 2, Tax class, "Reduced": ${problem}`),
    })
    expect(await taxRates('add', '5', '--country', 'DE', '--class', 'luxury')).toMatchObject({
      code: 1,
      err: `Error: --class: "luxury" ${problem}`,
    })
    expect(await rows()).toEqual([])
  })

  it('reads the file that WooCommerce writes', async () => {
    expect(await imported(sample)).toMatchObject({
      code: 0,
      err: 'Imported tax rates: 4 added, 0 changed, 0 removed, 0 unchanged.',
    })
    const any = { state: '', postcodes: [], cities: [], compound: false, shipping: true, class: '' }
    expect((await rows()).map(({ id, ...row }) => row)).toEqual([
      {
        ...any,
        country: 'US',
        state: 'CA',
        postcodes: ['90210...90220', '94*'],
        cities: ['LOS ANGELES', 'FRESNO'],
        rate_ppm: 72_500,
        name: 'Sales tax',
        priority: 1,
        shipping: false,
      },
      { ...any, country: 'DE', rate_ppm: 190_000, name: 'MwSt', priority: 1 },
      { ...any, country: 'DE', rate_ppm: 70_000, name: 'MwSt', priority: 1, class: 'reduced-rate' },
      { ...any, country: 'CA', state: 'QC', rate_ppm: 99_750, name: 'QST', priority: 2, compound: true },
    ])
  })

  it('takes the same file without a header, with a mark at its beginning, other line ends, another order or separator', async () => {
    await imported(sample)
    const wanted = (await rows()).map(({ id, ...row }) => row)
    const lines = sample.trim().split('\n')
    const turned = lines.map((line) =>
      line
        .split(',')
        .reverse()
        .join(';')
        .replace('90210...90220;94*', '"90210...90220;94*"')
        .replace('LOS ANGELES;Fresno', '"LOS ANGELES;Fresno"'),
    )
    for (const [text, ...options] of [
      [lines.slice(1).join('\n')],
      [`\uFEFF${lines.join('\r\n')}\r\n`],
      [turned.join('\n'), '--delimiter', 'semicolon'],
    ] as const) {
      await db.sql`delete from tax_rates`
      expect(await imported(text, ...options)).toMatchObject({ code: 0 })
      expect((await rows()).map(({ id, ...row }) => row)).toEqual(wanted)
    }
  })

  it('changes nothing when the same file comes again, and no running shop hears of it', async () => {
    await imported(sample)
    const before = await rows()
    const told: string[] = []
    const listening = await db.sql.listen(changeChannel, (what) => told.push(what))
    for (const option of ['--replace', '--json']) {
      const { out, err } = await imported(sample, option)
      expect(out + err).toMatch(/0 removed, 4 unchanged|"unchanged":4/)
    }
    expect(await rows()).toEqual(before)
    await taxRates('add', '5', '--country', 'FR')
    await expect.poll(() => told).toEqual(['configuration'])
    await listening.unlisten()
  })

  it('changes the rate of a place it has, adds what is new, and keeps what the file does not name', async () => {
    await imported(sample)
    const next = `${header}\nDE,*,*,*,16,MwSt,1,0,1,\nFR,*,*,*,20,TVA,1,0,1,\n`
    expect((await imported(next)).err).toBe('Imported tax rates: 1 added, 1 changed, 0 removed, 0 unchanged.')
    expect((await rows()).map(({ country, rate_ppm }) => [country, rate_ppm])).toEqual([
      ['US', 72_500],
      ['DE', 160_000],
      ['DE', 70_000],
      ['CA', 99_750],
      ['FR', 200_000],
    ])
  })

  it('with --replace the table becomes the file, in its order', async () => {
    await imported(sample)
    const next = `${header}\nFR,*,*,*,20,TVA,1,0,1,\nDE,*,*,*,19,MwSt,1,0,1,\n`
    expect((await imported(next, '--replace')).err).toBe(
      'Imported tax rates: 1 added, 0 changed, 3 removed, 1 unchanged.',
    )
    expect((await rows()).map(({ country }) => country)).toEqual(['FR', 'DE'])
  })

  it('writes nothing on a dry run', async () => {
    expect((await imported(sample, '--dry-run')).err).toBe(
      'Dry run: 4 added, 0 changed, 0 removed, 0 unchanged. Nothing was changed.',
    )
    expect(await rows()).toEqual([])
  })

  it('names the mark by which a file is separated otherwise than was stated', async () => {
    expect(await imported(sample.replaceAll(';', '|').replaceAll(',', ';'), '--separator', ',')).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /^Error: line 1: seems to be separated by ";": .*\nError: nothing was imported: 1 error in /,
      ),
    })
    expect((await imported('DE\t\t\t\t19\tMwSt\t1\t0\t1\t\n', '--separator', 'comma')).err).toContain(
      'separated by "tab"',
    )
  })

  it.each([
    ['tabs and no titles', 'DE\t\t\t\t19\tMwSt\t1\t0\t1\t\n'],
    [
      'semicolons, decimal commas and German titles',
      'Ländercode;Bundesland-Code;Postleitzahl;Stadt;Steuersatz %;Steuername;Priorität;Kombinierbar;Versand;Steuerklasse\nDE;*;*;*;19,0000 %;MwSt;1;nein;ja;\n',
    ],
    [
      'French titles in Windows-1252',
      Buffer.from(
        'Code pays;Code état;Code postal;Ville;Taux %;Nom de la taxe;Priorité;Composé;Livraison;Classe de taxe\nDE;;;;19,0;MwSt;1;0;1;\n',
        'latin1',
      ),
    ],
    [
      'a line sep=; and UTF-16',
      Buffer.from(`\uFEFFsep=;\r\n${header.replaceAll(',', ';')}\r\nDE;;;;19;MwSt;1;0;1;\r\n`, 'utf16le'),
    ],
    [
      'titles in another style and order',
      'rate %,tax name,country code,state code,postcode/zip,city,priority,compound,shipping,tax class\n19.0000,MwSt,DE,,,,1,0,1,standard\n',
    ],
    ['the columns of a short list', 'Country,Rate,Name,Shipping\nDE,19%,MwSt,yes\n'],
    ['empty cells at the end', `${header},,\nDE,,,,19,MwSt,1,0,1,,,\n`],
    ['a row without its last empty cell', `${header}\nDE,,,,19,MwSt,1,0,1\n`],
    ['the classic sample, quoted', `${header}\n"DE","","","","19.0000","MwSt","1","0","1",""\n`],
  ])('reads a file with %s', async (_, text) => {
    const file = join(folder, 'rates.csv')
    await writeFile(file, text)
    expect(await taxRates('import', file)).toMatchObject({ code: 0, err: expect.stringContaining('1 added') })
    const any = { state: '', postcodes: [], cities: [], compound: false, shipping: true, class: '', priority: 1 }
    expect((await rows()).map(({ id, ...row }) => row)).toEqual([
      { ...any, country: 'DE', rate_ppm: 190_000, name: 'MwSt' },
    ])
  })

  it('names a file that does not exist once', async () => {
    const file = join(folder, 'nowhere.csv')
    expect(await taxRates('import', file)).toMatchObject({
      code: 1,
      err: `Error: ${file}: no such file or folder. Check the path.`,
    })
  })

  it('takes all or nothing, and names line, column and value of every fault', async () => {
    const { code, err } = await imported(`${header}
DE,*,*,*,19,MwSt,1,0,1,
XX,*,*,*,19,Tax,1,0,1,
US,Atlantis,*,*,x,Tax,0,perhaps,1,
US,CA,1...2...3;9*4,*,,Tax,1,0,1,
DE,*,*,*,1001,Tax,1,0
DE,*,*,*,7.00001,Tax,1,0,1,
`)
    expect(code).toBe(1)
    expect(err.split('\n')).toEqual([
      'Error: line 3, Country code, "XX": is no country: write its two letters, like DE',
      'Error: line 4, State code, "Atlantis": is no state of US',
      'Error: line 4, Rate %, "x": must be a number like 12.50, with a point and without thousands separators',
      'Error: line 4, Priority, "0": must be at least 1',
      'Error: line 4, Compound, "perhaps": must be 1 or 0, yes or no',
      'Error: line 5, Postcode / ZIP, "1...2...3": is no range of postcodes like 90210...90220',
      'Error: line 5, Postcode / ZIP, "9*4": has a * that is not at the end, like CB23*',
      'Error: line 5, Rate %: is missing',
      'Error: line 6: has 8 cells, and 10 are expected',
      'Error: line 7, Rate %, "7.00001": has more than 4 decimals',
      expect.stringContaining('nothing was imported: 10 errors in '),
    ])
    expect(await rows()).toEqual([])
  })

  it.each([
    ['Country code,Rate %,Colour\nDE,19,red\n', /has a column "Colour"/],
    ['', /the file is empty/],
    [`${header}\nDE,*,*,*,"19,MwSt,1,0,1,\n`, /quotation mark opens and never closes/],
  ])('refuses a file like %j as a whole', async (text, words) => {
    expect(await imported(text)).toMatchObject({ code: 1, err: expect.stringMatching(words) })
  })

  it('exports what it imports: a file of ours comes back byte by byte, any table comes back rate by rate', async () => {
    // U+FFFD is what damaged text is read as: such a file is refused.
    const text = fc
      .string({ unit: 'grapheme', maxLength: 12 })
      .map((word) => word.replace(/[;\uFFFD\p{Cc}]/gu, '').trim())
    const rate: fc.Arbitrary<TaxRateFields> = fc.record({
      country: fc.constantFrom('', 'US', 'DE', 'GB'),
      state: fc.constant(''),
      postcodes: fc.array(fc.constantFrom('90210', 'CB23*', '90210...90220', 'SW1A 1AA'), { maxLength: 3 }),
      cities: fc.array(
        text.map((city) => city.toUpperCase()).filter((city) => !/^['=+\-@*]|^$/.test(city)),
        { maxLength: 2 },
      ),
      ratePpm: fc.integer({ min: 0, max: 10_000_000 }),
      name: text.filter((name) => name !== '' && name !== '*' && !name.startsWith("'")),
      priority: fc.integer({ min: 1, max: 1000 }),
      compound: fc.boolean(),
      shipping: fc.boolean(),
      class: fc.constantFrom('', 'reduced-rate', 'zero-rate'),
    })
    const states = rate.chain((row) =>
      row.country === 'US' ? fc.constantFrom('', 'CA', 'NY').map((state) => ({ ...row, state })) : fc.constant(row),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(states, { minLength: 1, maxLength: 8 }), async (rates) => {
        const csv = taxRatesCsv(rates)
        expect(await imported(csv, '--replace')).toMatchObject({ code: 0 })
        expect((await showTaxRates({ db })).map(({ id, ...stored }) => stored)).toEqual(rates)
        expect(`${(await taxRates('export')).out}\n`).toBe(csv)
      }),
      { numRuns: 60 },
    )
  })

  it.each([{ options: [] }, { options: ['--replace'] }])(
    'changes nothing by an import of what "export tax" wrote ($options)',
    async ({ options }) => {
      expect(await imported(`${sample},,,,0,"'=Ünal, ""x""",3,0,1,zero-rate\n`)).toMatchObject({ code: 0 })
      const before = await rows()
      const file = join(folder, 'exported.csv')
      const written = await runCommand(exportCommand, db, 'tax', file)
      expect(written).toMatchObject({ code: 0, err: `Exported 5 rates to ${file}.` })
      const again = await taxRates('import', file, '--json', ...options)
      expect(JSON.parse(again.out)).toMatchObject({ ok: true, counts: { added: 0, changed: 0, removed: 0 } })
      expect(await rows()).toEqual(before)
    },
  )

  it('does not let a spreadsheet run a name', async () => {
    await taxRates('add', '5', '--name', '=1+1')
    const file = join(folder, 'out.csv')
    expect((await taxRates('export', file)).err).toContain('Exported 1 tax rate to')
    expect(await readFile(file, 'utf8')).toContain(",'=1+1,")
  })

  it('adds, lists and removes single rates', async () => {
    expect(
      (
        await taxRates(
          'add',
          '7.25',
          '--country',
          'us',
          '--state',
          'california',
          '--name',
          'Sales tax',
          '--no-shipping',
        )
      ).err,
    ).toBe('Added tax rate Sales tax 7.25 % in US CA.')
    expect((await taxRates('add', '8', '--country', 'US', '--state', 'CA')).err).toBe(
      'Changed tax rate Tax 8 % in US CA.',
    )
    const { out } = await taxRates('list')
    expect(out.split('\n')[1]?.trim().split(/ {2,}/).slice(1)).toEqual([
      'US',
      'CA',
      '*',
      '*',
      '8',
      'Tax',
      '1',
      'no',
      'yes',
    ])
    const [{ id = 0 } = {}] = JSON.parse((await taxRates('list', '--json')).out)
    expect((await taxRates('remove', String(id))).err).toBe('Removed tax rate Tax 8 % in US CA.')
    expect(await taxRates('remove', String(id))).toMatchObject({ code: 1 })
    expect(await rows()).toEqual([])
  })

  it.each([
    [['add'], 2, /^Error: "tax-rates add" needs <rate in %>\. Example: /],
    [['add', '7', '--country', 'Germany'], 1, /^Error: --country[^:]*: "Germany" is no country/],
    [['add', '7', '--state', 'CA'], 1, /^Error: --state[^:]*: "CA" needs a country$/],
    [['add', '-7'], 1, /^Error: the rate: "-7"/],
    [['add', '7', '--priority', 'high'], 1, /^Error: --priority[^:]*: "high" must be a whole number/],
    [['add', '7', '--postcodes', '9*9'], 1, /^Error: --postcodes[^:]*: "9\*9" has a \*/],
    [['add', 'seven'], 1, /^Error: the rate: "seven" must be a number/],
    [['import'], 2, /rates\.csv/],
    [['import', '/nowhere/rates.csv'], 1, /no such file or folder/],
    [['import', 'a.csv', '--delimiter', 'ab'], 2, /^Error: --delimiter "ab" is not one character/],
    [['exprt'], 2, /Did you mean "tax-rates export"/],
  ])('%j ends with %i and says why', async (args, code, words) => {
    expect(await taxRates(...args)).toMatchObject({ code, err: expect.stringMatching(words), out: '' })
  })
})
