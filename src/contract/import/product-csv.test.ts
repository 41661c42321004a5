import { describe, expect, it } from 'vitest'
import { dayIn, listOf, measureIn, priceIn, slugOf, withLineBreaks, withoutGuard } from './product-csv-cells.ts'
import { productCsvLayout } from './product-csv-columns.ts'
import { productRow } from './product-csv-row.ts'

const rules = { decimals: 2, timeZone: 'America/Los_Angeles', taxClasses: ['reduced-rate', 'zero-rate'] }

function layoutOf(header: readonly string[]) {
  const result = productCsvLayout(header)
  if (!result.ok) throw new Error(result.problems.join('; '))
  return result.layout
}

function rowOf(cells: Readonly<Record<string, string>>) {
  return productRow(layoutOf(Object.keys(cells)), Object.values(cells), rules)
}

describe('the header', () => {
  it('understands columns in any order and case, and names those nobody reads', () => {
    const layout = layoutOf([
      'name',
      'SKU',
      'Colour',
      'Weight (lbs)',
      'Attribute 2 name',
      'Attribute 1 name',
      'Meta: _colour',
    ])
    expect(layout.fields.get('name')?.index).toBe(0)
    expect(layout.gramsPerUnit).toBeCloseTo(453.592, 3)
    expect(layout.attributes.map(({ name }) => name?.index)).toEqual([5, 4])
    expect(layout.meta.map(({ key }) => key)).toEqual(['_colour'])
    expect(layout.ignored).toEqual(['Colour'])
  })

  it.each([
    [['Colour', 'Price'], /first row must hold the column names/],
    [['SKU;Name;Type'], /separated by ";"/],
    [['Name', 'Type'], /"SKU" or "ID" is needed/],
    [['SKU', 'Name', 'name'], /"name" appears twice/],
    [['SKU', '__proto__'], /"__proto__" has a name that is not allowed/],
    [['SKU', 'Meta: __proto__'], /not allowed/],
    [['SKU', 'Weight (stone)'], /unit that is not known/],
    [['SKU', 'Attribute 1 value(s)'], /"Attribute 1 name" is missing/],
  ])('refuses %j', (header, problem) => {
    const result = productCsvLayout(header)
    expect(result.ok ? '' : result.problems.join('; ')).toMatch(problem)
  })
})

describe('cells', () => {
  it('keeps an escaped comma inside an element', () => {
    expect(listOf('Red\\, dark, Blue,, Green ')).toEqual(['Red, dark', 'Blue', 'Green'])
  })

  it('takes the guard off cells that a spreadsheet would run, and off no other', () => {
    expect(["'=1+1", "'-5", "'Tis", '=1'].map(withoutGuard)).toEqual(['=1+1', '-5', "'Tis", '=1'])
  })

  it('reads \\n as a line break and \\\\n as itself', () => {
    expect(withLineBreaks('one\\ntwo \\\\n')).toBe('one\ntwo \\n')
  })

  it.each([
    ['12.5', 1250],
    ['0', 0],
    ['.5', 50],
    ['12,50', 1250],
    ['12,5', 1250],
    ['19.90000', 1990],
    ['1234567.89', 123456789],
    ['1000000000', 100_000_000_000],
  ])('reads the price %s exactly', (cell, minor) => {
    expect(priceIn(cell, 2)).toEqual({ value: minor })
  })

  it.each([
    '1,250.00',
    '1,250',
    '1.250,00',
    '12,500',
    ',',
    '-1,50',
    '$5',
    '1e3',
    '.',
    '',
    '0x10',
    '19.999',
    '-1',
    '1000000000.01',
  ])('refuses the price %j', (cell) => {
    expect(priceIn(cell, 2)).toHaveProperty('problem')
  })

  it('turns kilograms into grams', () => {
    expect(measureIn('0.4', 1000)).toEqual({ value: 400 })
    expect(measureIn('.4', 1000)).toEqual({ value: 400 })
    expect(measureIn('-1', 1000)).toHaveProperty('problem')
  })

  it('starts and ends days by the clocks of the shop', () => {
    expect(dayIn('2026-01-31', 'start', 'America/Los_Angeles')).toEqual({ value: new Date('2026-01-31T08:00:00Z') })
    expect(dayIn('2026-01-31', 'end', 'America/Los_Angeles')).toEqual({ value: new Date('2026-02-01T07:59:59.999Z') })
    // A day with a clock change forward has 23 hours.
    expect(dayIn('2026-03-29', 'start', 'Europe/Berlin')).toEqual({ value: new Date('2026-03-28T23:00:00Z') })
    expect(dayIn('2026-03-29', 'end', 'Europe/Berlin')).toEqual({ value: new Date('2026-03-29T21:59:59.999Z') })
    // A clock change skips midnight itself here.
    expect(dayIn('2026-09-06', 'start', 'America/Santiago')).toEqual({ value: new Date('2026-09-06T04:00:00Z') })
    // As the classic export writes them.
    expect(dayIn('2026-01-31 0:00:00', 'start', 'UTC')).toEqual({ value: new Date('2026-01-31T00:00:00Z') })
    expect(dayIn('2026-01-31 23:59:59', 'end', 'UTC')).toEqual({ value: new Date('2026-01-31T23:59:59Z') })
    for (const wrong of ['2026-01-31 24:00', '2026-01-31 :00', '2026-02-30', '31.12.2026', '2026-13-01', 'soon']) {
      expect(dayIn(wrong, 'start', 'UTC')).toHaveProperty('problem')
    }
  })

  it('makes addresses of names', () => {
    expect(slugOf("  Crème brûlée: Anna's 2 bowls! ")).toBe('creme-brulee-annas-2-bowls')
    expect(slugOf('茶碗 / Ø')).toBe('茶碗-ø')
    expect(slugOf('!!!')).toBe('')
  })
})

describe('a row', () => {
  it('holds what the cells say, and nothing for columns that are not there', () => {
    const { row, faults } = rowOf({
      Type: 'simple, virtual',
      SKU: 'V-1',
      Name: 'Vase',
      Published: '-1',
      Stock: '3',
      Categories: 'Home > Glass, Sale',
      'Regular price': '20',
      'Sale price': '15',
      'Date sale price starts': '',
      Upsells: 'id:7, V-2',
      'Attribute 1 name': 'Colour',
      'Attribute 1 value(s)': 'Sea green, Amber',
      'Attribute 1 global': '1',
      'Attribute 1 default': 'amber',
    })
    expect(faults).toEqual([])
    expect(row).toEqual({
      type: 'simple',
      virtual: true,
      downloadable: false,
      sku: 'V-1',
      name: 'Vase',
      status: 'draft',
      stock: { manage: 'yes', quantity: 3 },
      categories: [['Home', 'Glass'], ['Sale']],
      regularPrice: 2000,
      salePrice: 1500,
      saleFrom: null,
      upsells: [{ id: 7 }, { sku: 'V-2' }],
      attributes: [
        {
          name: 'Colour',
          slug: 'pa_colour',
          values: ['Sea green', 'Amber'],
          visible: true,
          global: true,
          preset: 'Amber',
        },
      ],
    })
  })

  it('that waits for a review is a draft', () => {
    expect(rowOf({ SKU: 'A', Published: '2' })).toMatchObject({ row: { status: 'draft' }, faults: [] })
  })

  it.each([
    [{ SKU: 'A', 'Regular price': '-1' }, 'Regular price', /negative/],
    [{ SKU: 'A', 'Regular price': '10', 'Sale price': '10' }, 'Sale price', /lower than the regular/],
    [{ SKU: 'A', 'Regular price': '', 'Sale price': '10' }, 'Sale price', /needs a regular price/],
    [{ SKU: '', Name: 'x' }, 'SKU', /needs an SKU or an ID/],
    [{ SKU: 'A', Name: '' }, 'Name', /empty/],
    [{ SKU: 'A', Type: 'simple, variable' }, 'Type', /exclude each other/],
    [{ SKU: 'A', Type: 'bundle' }, 'Type', /"bundle" is not a product type/],
    [{ SKU: 'A', Type: 'variation', Parent: '' }, 'Parent', /needs its parent/],
    [{ SKU: 'A', Type: 'simple', Parent: 'B' }, 'Parent', /only a variation/],
    [{ SKU: 'A', Type: 'external', 'External URL': 'javascript:alert(1)' }, 'External URL', /https:/],
    [{ SKU: 'A', Stock: '1.5' }, 'Stock', /whole number/],
    [{ SKU: 'A', Published: '3' }, 'Published', /one of 0, 1, 2, -1/],
    [{ SKU: 'A', Published: 'constructor' }, 'Published', /one of/],
    [
      { SKU: 'A', 'Date sale price starts': '2026-05-02', 'Date sale price ends': '2026-05-01' },
      'Date sale price ends',
      /before/,
    ],
    [{ SKU: 'A', Categories: 'Home > ' }, 'Categories', /without a name/],
    [
      { SKU: 'A', 'Attribute 1 name': 'Size', 'Attribute 1 value(s)': 'S', 'Attribute 1 default': 'M' },
      'Attribute 1 default',
      /not among/,
    ],
  ])('with %j has a fault in %s', (cells, column, problem) => {
    const { faults } = rowOf(cells)
    expect(faults).toHaveLength(1)
    expect(faults[0]).toMatchObject({ column, problem: expect.stringMatching(problem) })
  })

  it('reads names as text where the classic shop exports them as markup, and texts as they are', () => {
    const { row } = rowOf({
      SKU: 'A',
      Name: 'Tea &amp; Coffee',
      Description: '<p>5 &lt; 6 &amp; 7</p>',
      Categories: 'Tea &amp; Coffee > Pots &gt; 1 l, Mum&#039;s',
      Tags: 'salt &amp; pepper, &amp;amp; &copy;',
      'Shipping class': 'Large &amp; heavy',
      'Attribute 1 name': 'Size &amp; weight',
      'Attribute 1 value(s)': 'S &lt; M, Black &amp; white',
      'Attribute 1 default': 'black &amp; white',
    })
    expect(row).toMatchObject({
      name: 'Tea & Coffee',
      description: '<p>5 &lt; 6 &amp; 7</p>',
      categories: [['Tea & Coffee', 'Pots > 1 l'], ["Mum's"]],
      tags: ['salt & pepper', '&amp; &copy;'],
      shippingClass: 'large-heavy',
      attributes: [
        { name: 'Size & weight', slug: 'size-weight', values: ['S < M', 'Black & white'], preset: 'Black & white' },
      ],
    })
  })

  it('with too few cells is refused as a whole', () => {
    const { faults } = productRow(layoutOf(['SKU', 'Name']), ['A'], rules)
    expect(faults).toEqual([
      { column: '', value: '', problem: expect.stringContaining('1 cells, but the header has 2') },
    ])
  })
})
