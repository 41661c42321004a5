import type { TriedFile } from './tried-file.ts'

const priced = (
  name: string,
  about: string,
  price: string,
  regular: number,
  more: Partial<TriedFile> = {},
): TriedFile => ({
  name,
  about,
  content: `SKU;Name;Price\nA;One;${price}\nB;Two;"1.50"\n`.replace(
    '"1.50"',
    more.reading?.decimal === 'comma' ? '1,50' : '1.50',
  ),
  products: [{ sku: 'A', regular }],
  ...more,
})

/** Values as people and programs write them. */
export const values: readonly TriedFile[] = [
  priced('decimal-comma.csv', 'prices with a decimal comma', '24,50', 2450, { reading: { decimal: 'comma' } }),
  priced('thousands-point.csv', 'thousands with a point: `1.234,50`', '1.234,50', 123450, {
    reading: { decimal: 'comma' },
  }),
  priced('thousands-comma.csv', 'thousands with a comma: `1,234.50`', '"1,234.50"', 123450, {
    reading: { decimal: 'point' },
  }),
  priced('thousands-space.csv', 'thousands with a space: `1 234,50`', '1\u00A0234,50', 123450, {
    reading: { decimal: 'comma' },
  }),
  priced('thousands-apostrophe.csv', 'thousands with an apostrophe: `1’234.50`', '1’234.50', 123450),
  priced('thousands-only.csv', '`1.250` in a file with decimal commas', '1.250', 125000, {
    reading: { decimal: 'comma' },
  }),
  priced('currency-sign.csv', 'currency signs: `€ 24.50`', '€ 24.50', 2450),
  priced('currency-code.csv', 'currency codes: `24,50 EUR`', '24,50 EUR', 2450, { reading: { decimal: 'comma' } }),
  priced('whole-amount.csv', 'whole amounts: `24,-`', '24,-', 2400),
  priced('rounded.csv', 'more decimals than the currency has', '24.4967', 2450, { says: 'is rounded to 24.50' }),
  {
    name: 'other-currency.csv',
    about: 'prices in another currency than that of the shop',
    content: 'SKU,Name,Price\nA,One,24.50 USD\n',
    products: [],
    says: 'is in USD, but prices of this shop are in EUR',
  },
  {
    name: 'two-ways.csv',
    about: '`1,250` where nothing shows which mark separates decimals',
    content: 'SKU;Name;Price\nA;One;1,250\n',
    products: [],
    says: 'state the decimal mark with --decimal',
  },
  {
    name: 'two-ways-stated.csv',
    about: 'the same with `--decimal point`',
    content: 'SKU;Name;Price\nA;One;1,250\n',
    options: { decimal: 'point' },
    products: [{ sku: 'A', regular: 125000 }],
  },
  {
    name: 'excel-words.csv',
    about: '`TRUE` and `FALSE`, `yes` and `no`',
    content:
      'SKU,Name,Price,Published,Is featured?,Backorders allowed?,Stock\nA,One,1,TRUE,FALSE,yes,3\nB,Two,1,FALSE,TRUE,no,4\n',
    products: [
      { sku: 'A', status: 'publish', backorders: 'yes', stock: 3 },
      { sku: 'B', status: 'private', backorders: 'no', stock: 4 },
    ],
  },
  {
    name: 'stock-words.csv',
    about: '`instock`, `outofstock`, `onbackorder` as stock status',
    content: 'SKU,Name,Price,Stock status\nA,One,1,instock\nB,Two,1,outofstock\nC,Three,1,onbackorder\n',
    products: [
      { sku: 'A', stockStatus: 'instock' },
      { sku: 'B', stockStatus: 'outofstock' },
      { sku: 'C', stockStatus: 'onbackorder' },
    ],
  },
  {
    name: 'stock-mixed.csv',
    about: 'numbers and words in the column of the stock',
    content: 'SKU,Name,Price,Stock\nA,One,1,12 pcs\nB,Two,1,sold out\nC,Three,1,\n',
    products: [
      { sku: 'A', stock: 12, stockStatus: 'instock' },
      { sku: 'B', stock: null, stockStatus: 'outofstock' },
      { sku: 'C', stock: null, stockStatus: 'instock' },
    ],
  },
  {
    name: 'pipe-lists.csv',
    about: 'lists with vertical bars, commas inside names',
    content: 'SKU,Name,Price,Categories,Tags\nA,One,1,"Table > Cups, Mugs|Sale",new | clay\n',
    products: [{ sku: 'A', categories: ['Table > Cups, Mugs', 'Sale'], tags: ['clay', 'new'] }],
  },
  {
    name: 'sku-case.csv',
    about: 'a parent and an upsell in another case',
    content:
      'Type,SKU,Name,Price,Parent,Upsells,Attribute 1 name,Attribute 1 value(s)\nvariable,Mug,Mug,,,,Size,"S, M"\nvariation,Mug-S,,9,MUG,,Size,S\nsimple,Bowl,Bowl,5,,mug,,\n',
    products: [
      { sku: 'Mug-S', parent: 'Mug', name: 'Mug - S', chosen: ['size: S'] },
      { sku: 'Bowl', upsells: ['Mug'] },
    ],
  },
  {
    name: 'variation-first.csv',
    about: 'variations before their product and without a name',
    content:
      'Type,SKU,Name,Regular price,Parent,Attribute 1 name,Attribute 1 value(s),Attribute 1 global\nvariation,T-R,,20,T,Colour,Red,1\nvariation,T-B,,20,T,Colour,Blue,1\nvariable,T,Tee,,,Colour,"Red, Blue",1\n',
    products: [
      { sku: 'T', type: 'variable', attributes: ['Colour*: red, blue'] },
      { sku: 'T-R', type: 'variation', name: 'Tee - Red', parent: 'T', chosen: ['pa_colour: red'] },
      { sku: 'T-B', name: 'Tee - Blue', parent: 'T' },
    ],
  },
  {
    name: 'id-references.csv',
    about: '`id:` references to rows of the file, no SKU of the parent',
    content:
      'ID,Type,SKU,Name,Regular price,Parent,Upsells,Attribute 1 name,Attribute 1 value(s)\n801,variable,,Tee,,,,Size,"S, M"\n802,variation,TEE-S,Tee S,20,id:801,,Size,S\n803,simple,CAP,Cap,9,,"id:801, id:999",,\n',
    products: [
      { sku: 'TEE-S', type: 'variation', chosen: ['size: S'] },
      { sku: 'CAP', waiting: ['id:999'] },
    ],
    says: 'the link is made when a file brings the product with this ID',
  },
  {
    name: 'upsell-outside.csv',
    about: 'upsells to products that the shop does not have: kept as names',
    content: 'SKU,Name,Price,Upsells\nA,One,1,"LATER, B"\nB,Two,1,\n',
    products: [{ sku: 'A', upsells: ['B'], waiting: ['LATER'] }],
    says: 'the link is made when the product comes',
  },
  {
    name: 'attributes.csv',
    about: 'attributes of one product and of the whole shop',
    content:
      'SKU,Name,Price,Attribute 1 name,Attribute 1 value(s),Attribute 1 global,Attribute 2 name,Attribute 2 value(s),Attribute 2 global\nA,One,1,Material,Oak | Ash,yes,Finish,"Oiled, waxed",no\n',
    products: [{ sku: 'A', attributes: ['Material*: oak, ash', 'Finish: Oiled, waxed'] }],
  },
  {
    name: 'brands.csv',
    about: 'brands, one below another',
    content: 'SKU,Name,Price,Brands\nA,One,1,Kiln & Co > Studio\nB,Two,1,\n',
    products: [
      { sku: 'A', brands: ['Kiln & Co > Studio'], attributes: [] },
      { sku: 'B', brands: [] },
    ],
  },
  {
    name: 'cost-and-codes.csv',
    about: 'cost of goods, EAN and meta columns',
    content: 'SKU,Name,Price,Cost of goods,EAN,Meta: _maker\nA,One,1,0.40,4006381333931,Ida\n',
    products: [{ sku: 'A', gtin: '4006381333931', meta: { _cogs_total_value: '0.40', _maker: 'Ida' } }],
  },
  {
    name: 'shortened-code.csv',
    about: 'an EAN that a spreadsheet shortened',
    content: 'SKU,Name,Price,EAN\nA,One,1,4.00638E+12\n',
    products: [{ sku: 'A', gtin: '' }],
    says: 'was shortened by a spreadsheet',
  },
  {
    name: 'dates.csv',
    about: 'sale dates with points and slashes',
    content:
      'SKU,Name,Regular price,Sale price,Date sale price ends\nA,One,2,1,31.12.2026\nB,Two,2,1,2026/12/31\nC,Three,2,1,12/31/2026\n',
    products: [
      { sku: 'A', saleTo: '2026-12-31T22:59:59.999Z' },
      { sku: 'B', saleTo: '2026-12-31T22:59:59.999Z' },
      { sku: 'C', saleTo: '2026-12-31T22:59:59.999Z' },
    ],
  },
  {
    name: 'date-two-ways.csv',
    about: 'a date that can be read two ways',
    content: 'SKU,Name,Regular price,Sale price,Date sale price ends\nA,One,2,1,05/06/2026\n',
    products: [],
    says: 'can be read two ways; write it as 2026-12-31',
  },
  {
    name: 'measures.csv',
    about: 'weights with decimal comma and unit, a title without unit',
    content: 'SKU;Name;Preis;Gewicht\nA;One;1,50;0,4\nB;Two;2,50;1,25 kg\n',
    products: [
      { sku: 'A', grams: 400 },
      { sku: 'B', grams: 1250 },
    ],
  },
  {
    name: 'program-in-text.csv',
    about: 'a script in a description: removed',
    content: 'SKU,Name,Price,Description\nA,One,1,"<p onclick=""x()"">Fine</p><script>steal()</script>"\n',
    products: [{ sku: 'A', description: '<p>Fine</p>' }],
    says: 'holds a program, a frame or a form, which is removed',
  },
  {
    name: 'guarded-cells.csv',
    about: "cells that an export guards with `'`",
    content: "SKU,Name,Price,Stock,Backorders allowed?,Published\n'-7,'=Bowl,1,'-3,1,'-1\n",
    products: [{ sku: '-7', name: '=Bowl', stock: -3, status: 'draft' }],
  },
  {
    name: 'negative-price.csv',
    about: 'a negative price',
    content: 'SKU,Name,Price\nA,One,-3\n',
    products: [],
    says: 'must not be negative',
  },
  {
    name: 'same-sku.csv',
    about: 'one SKU twice, in another case',
    content: 'SKU,Name,Price\nA1,One,1\na1,Two,1\n',
    products: [],
    says: 'is in row 2 as well',
  },
]
