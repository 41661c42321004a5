import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { runCommandWith } from '#tests/support/process/command.ts'
import { size } from '#tests/support/size.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import { importCommand } from './import.ts'

let db: TestDatabase
let folder: string

beforeAll(async () => {
  db = await aDatabase()
  folder = await mkdtemp(join(tmpdir(), 'shop-command-'))
})
afterAll(() => db.close())

/** As `npm run shop` has it, limits of memory included. */
const [, ...command] = packageJson.scripts.shop.split(' ')

async function shop(...args: string[]) {
  const child = spawn(process.execPath, [...command, ...args], {
    env: { ...process.env, DATABASE_URL: db.url, DATA_DIR: folder, NODE_OPTIONS: '' },
  })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { out, err, code: code as number | null }
}

/** The same in this process. */
const imported = (...args: string[]) => runCommandWith({ dataDir: folder }, importCommand, db, ...args)

/** A file of simple products, with variable ones among them, until it has so many rows or bytes. */
async function generated(name: string, { rows = Infinity, bytes = Infinity }, words: number): Promise<string> {
  const file = join(folder, name)
  const stream = createWriteStream(file)
  const prose = Array.from({ length: words }, (_, index) => ['oak', 'linen', 'clay', 'glass', 'brass'][index % 5]).join(
    ' ',
  )
  const write = async (line: string) => stream.write(line) || once(stream, 'drain')
  await write(
    'Type,SKU,Name,Description,Stock,Regular price,Categories,Tags,Parent,Attribute 1 name,Attribute 1 value(s),Attribute 1 global\n',
  )
  for (let row = 0, number = 1; row < rows && stream.bytesWritten < bytes; number += 1) {
    const rest = `"${prose} ${number}"`
    if (number % 10 === 0 && row + 3 <= rows) {
      await write(`variation,V${number}-R,Cup ${number},${rest},4,12.50,,,V${number},Colour,Red,1\n`)
      await write(`variable,V${number},Cup ${number},${rest},,,Table > Cups,clay,,Colour,"Red, Blue",1\n`)
      await write(`variation,V${number}-B,Cup ${number},${rest},0,12.50,,,V${number},Colour,Blue,1\n`)
      row += 3
    } else {
      await write(
        `simple,S${number},Bowl ${number},${rest},${number % 50},${number % 90}.90,Table > Bowls,"clay, new",,,,\n`,
      )
      row += 1
    }
  }
  stream.end()
  await once(stream, 'close')
  return file
}

describe('npm run shop -- import', () => {
  const rows = size(10_000, 100_000)
  it(`takes ${rows} rows in less than five minutes for each 100,000, and 300 MB`, async () => {
    const file = await generated('many.csv', { rows }, 60)
    const { out, err, code } = await shop('import', file, '--json')
    const report = JSON.parse(out)
    expect({ code, err, ...report }).toMatchObject({ code: 0, ok: true, rows, created: rows })
    console.info(`${rows} rows: ${report.seconds} s, ${report.peakMegabytes} MB at most`)
    // The smaller file has a third of a minute more: a run on a busy machine starts slowly.
    expect(report.seconds).toBeLessThan(size(60, 300))
    expect(report.peakMegabytes).toBeLessThan(300)
  }, 400_000)

  it('reads a file of 100 MB without holding it', async () => {
    const file = await generated('large.csv', { bytes: 100_000_000 }, 3000)
    const { out, code } = await shop('import', file, '--dry-run', '--json')
    const report = JSON.parse(out)
    expect({ code, ...report }).toMatchObject({ code: 0, ok: true, dryRun: true })
    console.info(`100 MB: ${report.rows} rows, ${report.seconds} s, ${report.peakMegabytes} MB at most`)
    expect(report.peakMegabytes).toBeLessThan(300)
  }, 90_000)

  it('names row, column and value of each fault and ends with 1', async () => {
    const file = join(folder, 'faults.csv')
    await writeFile(file, 'SKU,Name,Regular price,Colour\nA,One,12,,x\nB,Two,-3,\n')
    const { err, code } = await shop('import', file)
    expect(code).toBe(1)
    expect(err).toContain('Warning: unknown column "Colour" is ignored.')
    expect(err).toContain('Error: row 2: has 5 cells, but the header has 4')
    expect(err).toContain('Error: row 3, Regular price, "-3": must not be negative')
    expect(err).toContain('Error: nothing was imported: 2 errors in ')
  }, 30_000)

  it('changes products that are here with --update alone, and reports each row that it leaves', async () => {
    const file = join(folder, 'again.csv')
    await writeFile(file, 'SKU,Name,Regular price\nAGAIN,Jar,12\n')
    expect(await imported(file)).toMatchObject({ code: 0, err: expect.stringContaining(': 1 created') })
    await writeFile(file, 'SKU,Name,Regular price\nAGAIN,Jar,14\n')
    for (const dry of [['--dry-run'], []]) {
      const { err, code } = await imported(file, ...dry)
      expect(code).toBe(0)
      expect(err).toMatch(
        /Warning: row 2, SKU, "AGAIN": is "Jar" \(ID \d+, SKU AGAIN\) here and is left as it is; --update changes it/,
      )
      expect(err).toMatch(
        dry.length > 0 ? /0 updated, 1 skipped\. Nothing was changed\./ : /0 updated, 0 unchanged, 1 skipped/,
      )
    }
    expect((await imported(file, '--update')).err).toContain('1 updated')
    expect(await db.sql`select regular_price from products where sku = 'AGAIN'`).toEqual([{ regular_price: 1400 }])
  })

  it('reports the images that still get their other sizes in the background', async () => {
    const file = join(folder, 'picture.csv')
    const solid = { create: { width: 400, height: 300, channels: 3, background: '#3366cc' } } as const
    await sharp(solid).png().toFile(join(folder, 'lamp.png'))
    await writeFile(file, 'SKU,Name,Regular price,Images\nLAMP,Lamp,9,lamp.png\n')
    const hint = 'The shop makes the other sizes of 1 image in the background: npm run shop -- images'
    expect((await imported(file, '--dry-run')).err).not.toContain('npm run shop -- images')
    const { err } = await imported(file)
    expect(err).toMatch(/: 1 created, .*; 1 image\.\n/)
    expect(err.trimEnd().split('\n').at(-1)).toBe(hint)
    expect((await imported(file)).err).toContain(hint)
    const { out, err: withJson } = await imported(file, '--json')
    expect(JSON.parse(out)).toMatchObject({ ok: true, skipped: 1 })
    expect([out.trimEnd().includes('\n'), withJson]).toEqual([false, ''])
    await db.sql`update images set sizes = 'all'`
    expect((await imported(file)).err).not.toContain('npm run shop -- images')
  })

  it('says whose IDs a file has with --ids', async () => {
    const file = join(folder, 'ids.csv')
    const [{ id = 0 } = {}] = await db.sql<{ id: number }[]>`
      insert into products (type, sku, name, slug, created_at, updated_at)
      values ('simple', 'HERE', 'Jar', 'here', now(), now()) returning id`
    await writeFile(file, `ID,SKU,Name,Regular price\n${id},foreign-2,Lamp,9\n`)
    const { err, code } = await imported(file, '--dry-run')
    expect(code).toBe(1)
    expect(err).toContain(
      `row 2, ID, "${id}": "Lamp" (SKU foreign-2) has an ID that is "Jar" (ID ${id}, SKU HERE) here`,
    )
    expect(await imported(file, '--dry-run', '--ids', 'foreign')).toMatchObject({ code: 0 })
    expect((await imported(file, '--dry-run', '--update', '--ids', 'own')).err).toContain('1 updated')
    expect(await imported(file, '--ids', 'mine')).toMatchObject({ code: 2, err: expect.stringContaining('mine') })
    expect(await imported(file, '--update', '--skip-existing')).toMatchObject({ code: 2 })
  })

  it('ends with 2 when it is called wrongly', async () => {
    expect((await shop('import')).code).toBe(2)
    expect((await shop('import', 'a.csv', '--no-such')).code).toBe(2)
    expect((await shop('exprot')).err).toContain('Error: unknown command "exprot".')
  }, 30_000)

  it('names a file that does not exist once', async () => {
    const file = join(folder, 'nowhere.csv')
    const { err, code } = await imported(file)
    expect(code).toBe(1)
    expect(err.trim()).toBe(`Error: ${file}: no such file or folder. Check the path.`)
  })

  it('imports the good rows with --skip-faulty and writes the others to a file that says why', async () => {
    const file = join(folder, 'mixed.csv')
    await writeFile(
      file,
      'SKU,Type,Name,Regular price,Parent,Attribute 1 name,Attribute 1 value(s)\n' +
        'MIX-1,simple,Bowl,12,,,\nMIX-2,simple,"Jar, large",cheap,,,\n' +
        'MIX-3,variable,,,,Size,"S, M"\nMIX-3-S,variation,Cup S,9,MIX-3,Size,S\n',
    )
    const stopped = await imported(file)
    expect([stopped.code, stopped.err]).toEqual([
      1,
      expect.stringContaining('import the other rows with --skip-faulty.'),
    ])
    const { code, err } = await imported(file, '--skip-faulty')
    const faultyFile = join(folder, 'mixed.faulty.csv')
    expect([code, err]).toEqual([
      0,
      expect.stringContaining(`3 rows with errors are left out and written to ${faultyFile}.`),
    ])
    expect(err).toContain(': 1 created')
    expect((await readFile(faultyFile, 'utf8')).trim().split('\r\n')).toEqual([
      'SKU,Type,Name,Regular price,Parent,Attribute 1 name,Attribute 1 value(s),Import error',
      'MIX-2,simple,"Jar, large",cheap,,,,Regular price: must be a number like 12.50',
      'MIX-3,variable,,,,Size,"S, M",Name: must not be empty',
      'MIX-3-S,variation,Cup S,9,MIX-3,Size,S,Parent: names a product that is neither in the file nor in the shop',
    ])
    // Corrected, the file is imported as it is.
    await writeFile(
      faultyFile,
      (await readFile(faultyFile, 'utf8'))
        .replace(',cheap,', ',10,')
        .replace('MIX-3,variable,,', 'MIX-3,variable,Cup,'),
    )
    const corrected = await imported(faultyFile)
    expect(corrected.err).toContain(': 3 created')
    expect(corrected.err).not.toContain('unknown column')
  })

  it('stops before it creates products without a price, unless that is allowed', async () => {
    const file = join(folder, 'unpriced.csv')
    await writeFile(file, 'SKU,Name,Regular price\nUNPRICED-1,Bowl,\nUNPRICED-2,Jar,8\n')
    const { code, err } = await imported(file)
    expect([code, err]).toEqual([1, expect.stringContaining('1 new product would have no price (row 2).')])
    expect(await db.sql`select id from products where sku like 'UNPRICED%'`).toEqual([])
    expect((await imported(file, '--allow-without-price')).err).toContain(': 2 created')
  })

  it('writes a mapping with --guess and imports any file by it with --map', async () => {
    const file = join(folder, 'stocklist.csv')
    await writeFile(file, 'Ware;Mein Code;Kostet;Farbe\nKrug;MAP-1;12,50;Blau\nSchale;MAP-2;1.250,00;Rot\n')
    const map = join(folder, 'stocklist.columns.yaml')
    const { code, err } = await imported(file, '--guess')
    expect([code, err]).toEqual([0, expect.stringContaining(`Wrote ${map}: 4 columns`)])
    const written = await readFile(map, 'utf8')
    expect(written).toContain('separator: semicolon')
    expect((await imported(file, '--guess')).err).toContain(`${map} exists already.`)
    const columns = 'columns:\n  Ware: Name\n  Mein Code: SKU\n  Kostet: Regular price\n  Farbe: "Attribute: Colour"\n'
    await writeFile(map, written.slice(0, written.indexOf('columns:')) + columns)
    expect((await imported(file, '--map', map)).err).toContain(': 2 created')
    const found = await db.sql`
      select p.sku, p.name, p.regular_price::int as price, a.name as attribute, a.options
      from products p join product_attributes a on a.product_id = p.id where p.sku like 'MAP-%' order by 1`
    expect(found).toEqual([
      { sku: 'MAP-1', name: 'Krug', price: 1250, attribute: 'Colour', options: ['blau'] },
      { sku: 'MAP-2', name: 'Schale', price: 125000, attribute: 'Colour', options: ['rot'] },
    ])
    await writeFile(map, 'columns:\n  Ware: Nam\n')
    expect((await imported(file, '--map', map)).err).toContain(
      'columns.Ware: "Nam" is no column of a product file; did you mean "Name"?',
    )
  })
})
