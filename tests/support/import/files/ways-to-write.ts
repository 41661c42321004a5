import { type TriedFile, windows1252 } from './tried-file.ts'

const plain = 'SKU,Name,Regular price\nBOWL,Bowl,24.50\nCUP,Cup,9\n'
const two = [
  { sku: 'BOWL', name: 'Bowl', regular: 2450 },
  { sku: 'CUP', name: 'Cup', regular: 900 },
]
const german = 'Artikelnummer;Name;Regulärer Preis\nBOWL;Schüssel groß;24,50\nCUP;Becher;9,00\n'
const germanTwo = [
  { sku: 'BOWL', name: 'Schüssel groß', regular: 2450 },
  { sku: 'CUP', name: 'Becher', regular: 900 },
]
const utf16be = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()

/** Separators, encodings, line ends and quotation marks. */
export const waysToWrite: readonly TriedFile[] = [
  {
    name: 'comma.csv',
    about: 'commas, UTF-8',
    content: plain,
    reading: { separator: ',', encoding: 'utf-8' },
    products: two,
  },
  {
    name: 'semicolon.csv',
    about: 'semicolons',
    content: plain.replaceAll(',', ';'),
    reading: { separator: ';' },
    products: two,
  },
  { name: 'tab.tsv', about: 'tabs', content: plain.replaceAll(',', '\t'), reading: { separator: '\t' }, products: two },
  {
    name: 'pipe.txt',
    about: 'vertical bars',
    content: plain.replaceAll(',', '|'),
    reading: { separator: '|' },
    products: two,
  },
  {
    name: 'sep-line.csv',
    about: 'first line `sep=;`',
    content: `sep=;\r\n${plain.replaceAll(',', ';')}`,
    reading: { separator: ';' },
    products: two,
  },
  {
    name: 'sep-line-utf16.csv',
    about: 'first line `sep=;`, UTF-16',
    content: Buffer.from(`\uFEFFsep=;\r\n${german}`, 'utf16le'),
    reading: { separator: ';', encoding: 'utf-16le' },
    products: germanTwo,
  },
  {
    name: 'separator-stated.csv',
    about: 'separated by `^`, with `--separator "^"`',
    content: plain.replaceAll(',', '^'),
    options: { delimiter: '^' },
    products: two,
  },
  {
    name: 'utf8-bom.csv',
    about: 'UTF-8 with byte order mark',
    content: `\uFEFF${german}`,
    reading: { encoding: 'utf-8' },
    products: germanTwo,
  },
  {
    name: 'utf16le.csv',
    about: 'UTF-16 little-endian with mark: "Unicode text" of Excel',
    content: Buffer.from(`\uFEFF${german.replaceAll(';', '\t')}`, 'utf16le'),
    reading: { encoding: 'utf-16le', separator: '\t' },
    products: germanTwo,
  },
  {
    name: 'utf16be.csv',
    about: 'UTF-16 big-endian with mark',
    content: utf16be(german),
    reading: { encoding: 'utf-16be' },
    products: germanTwo,
  },
  {
    name: 'utf16-no-mark.csv',
    about: 'UTF-16 without mark',
    content: Buffer.from(german, 'utf16le'),
    reading: { encoding: 'utf-16le' },
    products: germanTwo,
  },
  {
    name: 'windows-1252.csv',
    about: 'Windows-1252: "CSV" of Excel in western Europe',
    content: windows1252('SKU;Name;Price\nBOWL;Schüssel – groß;24,50 €\n'),
    reading: { encoding: 'windows-1252' },
    products: [{ sku: 'BOWL', name: 'Schüssel – groß', regular: 2450 }],
  },
  {
    name: 'windows-1251.csv',
    about: 'Windows-1251, with `--encoding windows-1251`',
    content: Buffer.from([...Buffer.from('SKU;Name;Price\nBOWL;'), 0xd7, 0xe0, 0xf8, 0xe0, ...Buffer.from(';24,50\n')]),
    options: { encoding: 'windows-1251' },
    products: [{ sku: 'BOWL', name: 'Чаша', regular: 2450 }],
  },
  {
    name: 'damaged-utf8.csv',
    about: 'UTF-8 with one damaged letter',
    content: Buffer.concat([
      Buffer.from('SKU,Name\nBOWL,Crème brûlée\nCUP,Caf'),
      Buffer.from([0xe9]),
      Buffer.from('\n'),
    ]),
    products: [],
    says: 'is not UTF-8 near "Caf',
  },
  { name: 'crlf.csv', about: 'line ends of Windows', content: plain.replaceAll('\n', '\r\n'), products: two },
  { name: 'cr.csv', about: 'line ends of old Macs', content: plain.replaceAll('\n', '\r'), products: two },
  {
    name: 'mixed-ends.csv',
    about: 'line ends of both kinds, empty lines between',
    content: 'SKU,Name,Regular price\r\nBOWL,Bowl,24.50\n\n\r\nCUP,Cup,9',
    products: two,
  },
  {
    name: 'inch-marks.csv',
    about: 'inch marks in cells with and without quotation marks',
    content: 'SKU,Name,Regular price\nA,Pipe 5",12\nB,"Board 10" wide, oiled",30\nC,"Screw ""M6""",1\n',
    products: [
      { sku: 'A', name: 'Pipe 5"' },
      { sku: 'B', name: 'Board 10" wide, oiled', regular: 3000 },
      { sku: 'C', name: 'Screw "M6"' },
    ],
  },
  {
    name: 'line-break-in-cell.csv',
    about: 'line breaks inside quoted cells',
    content: 'SKU,Name,Regular price,Description\nBOWL,Bowl,24.50,"<p>One</p>\n<p>Two, three</p>"\n',
    products: [{ sku: 'BOWL', description: '<p>One</p>\n<p>Two, three</p>', regular: 2450 }],
  },
  {
    name: 'never-closed.csv',
    about: 'a quotation mark that opens and never closes',
    content: 'SKU,Name\nA,One\nB,"Two\nC,Three\n',
    products: [],
    says: 'opens and never closes',
  },
  {
    name: 'trailing-empty.csv',
    about: 'empty cells and columns at the end',
    content: 'SKU,Name,Regular price,,,\nBOWL,Bowl,24.50,,,,,\nCUP,Cup,9,,,\n',
    products: two,
  },
  {
    name: 'short-rows.csv',
    about: 'rows whose last empty cells are missing',
    content: 'SKU,Name,Regular price,Tags\nBOWL,Bowl,24.50\nCUP,Cup,9,clay\n',
    products: [
      { sku: 'BOWL', tags: [] },
      { sku: 'CUP', tags: ['clay'] },
    ],
    says: 'the missing ones are read as empty',
  },
  {
    name: 'too-many-cells.csv',
    about: 'a row with more cells than titles',
    content: 'SKU,Name,Regular price\nBOWL,Bowl,24,50\n',
    products: [],
    says: 'has 4 cells, but the header has 3',
  },
  {
    name: 'title-above.csv',
    about: 'the name of the list above the titles',
    content: 'Price list 2026,,\n,,\nSKU,Name,Price\nBOWL,Bowl,24.50\n',
    products: [{ sku: 'BOWL', regular: 2450 }],
  },
  {
    name: 'column-twice.csv',
    about: 'one column twice: the last one is used',
    content: 'SKU,Name,Price,Price\nBOWL,Bowl,1,24.50\n',
    products: [{ sku: 'BOWL', regular: 2450 }],
    says: 'column "Price" appears twice; the last one is used',
  },
  { name: 'empty.csv', about: 'nothing', content: '', products: [], says: 'the file is empty' },
  {
    name: 'no-titles.csv',
    about: 'rows without titles',
    content: 'BOWL,Bowl,24.50\nCUP,Cup,9\n',
    products: [],
    says: 'the first row must hold the column names',
  },
]
