import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { anImportBench, csv, type ImportBench } from '#tests/support/import/import-fixtures.ts'

let bench: ImportBench
beforeAll(async () => {
  bench = await anImportBench()
})
afterAll(() => bench.close())
beforeEach(() => bench.empty())

describe('a file with faults', () => {
  it('is refused as a whole, with row, column and value of every fault', async () => {
    const before = await bench.everything()
    const report = await bench.importing(
      csv(
        [
          'ID',
          'Type',
          'SKU',
          'Name',
          'Regular price',
          'Sale price',
          'Parent',
          'Upsells',
          'Images',
          'Attribute 1 name',
          'Attribute 1 value(s)',
        ],
        ['', 'simple', 'OK', 'Fine', '10', '', '', '', '', '', ''],
        ['', 'simple', 'NEG', 'Negative', '-3', '', '', '', '', '', ''],
        ['', 'simple', 'OK', 'Twice', '10', '12', '', '', '', '', ''],
        ['', 'variation', 'V', 'Lost', '10', '', 'NOWHERE', '', '', '', ''],
        ['', 'variation', 'V2', 'Astray', '10', '', 'OK', '', '', '', ''],
        ['', 'variable', 'P', 'Parent', '', '', '', 'P', '', 'Size', 'S'],
        ['', 'variation', 'V3', 'Impossible', '10', '', 'P', '', 'none.jpg', 'Size', 'XXL'],
      ),
    )
    expect(report.ok).toBe(false)
    expect(report.faults.map(({ row, column, value }) => [row, column, value])).toEqual([
      [3, 'Regular price', '-3'],
      [4, 'Sale price', '12'],
      [6, 'Parent', 'OK'],
      [7, 'Upsells', 'P'],
      [8, 'Attribute "Size"', 'XXL'],
      [8, 'Images', 'none.jpg'],
      [5, 'Parent', 'NOWHERE'],
    ])
    expect(await bench.everything()).toEqual(before)
  })

  it('names a duplicate SKU with both of its rows', async () => {
    const { faults } = await bench.importing(csv(['SKU', 'Name'], ['A', 'One'], ['B', 'Two'], ['A', 'Three']))
    expect(faults).toEqual([{ row: 4, column: 'SKU', value: 'A', problem: 'is in row 2 as well' }])
  })

  it('holds a price that stands alone against the other one, which stays as the shop has it', async () => {
    const stocked = csv(
      ['SKU', 'Name', 'Regular price', 'Sale price'],
      ['A', 'Ash', '10', ''],
      ['B', 'Birch', '20', '15'],
      ['C', 'Cedar', '', ''],
    )
    expect(await bench.importing(stocked)).toMatchObject({ ok: true })
    const before = await bench.everything()
    const faultsOf = async (column: string, ...prices: string[]) =>
      (await bench.importing(csv(['SKU', column], ...prices.map((price, row) => ['ABC'[row] ?? '', price])))).faults
    expect(await faultsOf('Sale price', '12', '19.99', '3')).toEqual([
      { row: 2, column: 'Sale price', value: '12.00', problem: 'must be lower than the regular price, 10.00' },
      { row: 4, column: 'Sale price', value: '3.00', problem: 'needs a regular price beside it' },
    ])
    expect(await faultsOf('Regular price', '9', '15', '1')).toEqual([
      { row: 3, column: 'Regular price', value: '15.00', problem: 'must be higher than the sale price, 15.00' },
    ])
    expect(await faultsOf('Regular price', '9', '')).toEqual([
      { row: 3, column: 'Regular price', value: '', problem: 'must be higher than the sale price, 15.00' },
    ])
    expect(await bench.everything()).toEqual(before)
    expect(await faultsOf('Sale price', '9.99', '')).toEqual([])
  })

  it('counts the faults that it does not list', async () => {
    const rows = Array.from({ length: 700 }, (_, index) => [`S${index}`, 'x', '-1'])
    const report = await bench.importing(csv(['SKU', 'Name', 'Regular price'], ...rows))
    expect([report.faults.length, report.faultCount]).toEqual([200, 700])
  })

  it.each([
    ['an empty file', '', 1, /empty/],
    ['a missing header', 'MUG,Mug,12\n', 1, /first row must hold the column names/],
    ['a file without rows is fine, but not one of blanks', '\n\n\n', 1, /empty/],
    ['a quotation mark that never closes', 'SKU,Name\nA,One\nB,"Two\nC,Three\n', 3, /opens and never closes/],
    ['text after a closing quotation mark', 'SKU,Name\nA,One\nB,"Two"x\nC,Three\n', 3, /opens and never closes/],
    ['too many cells', 'SKU,Name\nA,One\nB,Two,Three\n', 3, /3 cells, but the header has 2/],
    ['a NUL byte', 'SKU,Name\nA,One\nB,T\0wo\n', 3, /NUL/],
    [
      'UTF-8 that is damaged in one place',
      Buffer.concat([Buffer.from('SKU,Name\nA,Crème brûlée\nB,Vase fonc'), Buffer.from([0xe9]), Buffer.from('e\n')]),
      3,
      /not UTF-8 near "/,
    ],
    ['a column named Meta: __proto__', 'SKU,Name,Meta: __proto__\nA,One,x\n', 1, /not allowed/],
    ['another separator than the stated one', 'SKU;Name\nA;One\n', 1, /--separator/],
  ])('%s is a clear fault, and nothing is written', async (_, content, row, problem) => {
    const before = await bench.everything()
    const report = await bench.importing(content)
    expect(report.faults[0]).toMatchObject({ row, problem: expect.stringMatching(problem) })
    expect(await bench.everything()).toEqual(before)
  })

  it('takes another delimiter when told', async () => {
    expect(await bench.importing('SKU;Name\nA;One, two\n', { delimiter: ';' })).toMatchObject({ ok: true, created: 1 })
  })
})
