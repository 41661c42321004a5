import type { TriedFile } from './tried-file.ts'

const titles =
  'Handle,Title,Body (HTML),Vendor,Product Category,Type,Tags,Published,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Option3 Name,Option3 Value,Variant SKU,Variant Grams,Variant Inventory Tracker,Variant Inventory Qty,Variant Inventory Policy,Variant Fulfillment Service,Variant Price,Variant Compare At Price,Variant Requires Shipping,Variant Taxable,Variant Barcode,Image Src,Image Position,Image Alt Text,Gift Card,SEO Title,SEO Description,Variant Image,Variant Weight Unit,Variant Tax Code,Cost per item,Status'
const names = titles.split(',')

/** A row of Shopify's export by its titles. */
function row(cells: Readonly<Record<string, string>>): string {
  return names
    .map((name) => cells[name] ?? '')
    .map((cell) => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(',')
}
const file = (...rows: readonly Readonly<Record<string, string>>[]) => `${[titles, ...rows.map(row)].join('\n')}\n`
const simple = {
  Handle: 'bowl',
  Title: 'Bowl',
  'Body (HTML)': '<p>Round</p>',
  Vendor: 'Kiln',
  Type: 'Table',
  Tags: 'clay, new',
  Published: 'TRUE',
  'Option1 Name': 'Title',
  'Option1 Value': 'Default Title',
  'Variant SKU': 'BOWL',
  'Variant Grams': '450',
  'Variant Inventory Tracker': 'shopify',
  'Variant Inventory Qty': '7',
  'Variant Inventory Policy': 'deny',
  'Variant Price': '24.50',
  'Variant Requires Shipping': 'TRUE',
  'Variant Taxable': 'TRUE',
  'Variant Barcode': "'4006381333931",
  Status: 'active',
}
const shirt = {
  ...simple,
  Handle: 'tee',
  Title: 'Tee',
  'Option1 Name': 'Size',
  'Option1 Value': 'S',
  'Variant SKU': 'TEE-S',
}
const shirtM = {
  Handle: 'tee',
  'Option1 Value': 'M',
  'Variant SKU': 'TEE-M',
  'Variant Price': '20',
  'Variant Compare At Price': '25',
  'Variant Inventory Tracker': 'shopify',
  'Variant Inventory Qty': '-2',
  'Variant Inventory Policy': 'continue',
  'Variant Taxable': 'FALSE',
}

/** Shopify's product export, and spreadsheets that no shop exported. */
export const shopifyAndSheets: readonly TriedFile[] = [
  {
    name: 'shopify-simple.csv',
    about: 'Shopify: a product without options',
    content: file(simple),
    reading: { format: 'shopify' },
    products: [
      {
        sku: 'BOWL',
        type: 'simple',
        name: 'Bowl',
        description: '<p>Round</p>',
        regular: 2450,
        sale: null,
        stock: 7,
        grams: 450,
        gtin: '4006381333931',
        categories: ['Table'],
        tags: ['clay', 'new'],
        brands: ['Kiln'],
      },
    ],
  },
  {
    name: 'shopify-variants.csv',
    about: 'Shopify: options become a variable product with variations',
    content: file(shirt, shirtM),
    reading: { format: 'shopify' },
    products: [
      { sku: 'tee', type: 'variable', brands: ['Kiln'], attributes: ['Size: S, M'] },
      { sku: 'TEE-S', type: 'variation', parent: 'tee', name: 'Tee - S', regular: 2450, stock: 7, chosen: ['size: S'] },
      {
        sku: 'TEE-M',
        parent: 'tee',
        regular: 2500,
        sale: 2000,
        stock: -2,
        backorders: 'yes',
        taxStatus: 'none',
        chosen: ['size: M'],
      },
    ],
  },
  {
    name: 'shopify-two-options.csv',
    about: 'Shopify: two options, variants without SKU',
    content: file(
      { ...shirt, 'Variant SKU': '', 'Option2 Name': 'Colour', 'Option2 Value': 'Red, dark' },
      { ...shirtM, 'Variant SKU': '', 'Option2 Value': 'Blue' },
    ),
    products: [
      { sku: 'tee', brands: ['Kiln'], attributes: ['Size: S, M', 'Colour: Red, dark, Blue'] },
      { sku: 'tee-s-red-dark', chosen: ['colour: Red, dark', 'size: S'] },
      { sku: 'tee-m-blue', chosen: ['colour: Blue', 'size: M'] },
    ],
  },
  {
    name: 'shopify-draft.csv',
    about: 'Shopify: drafts, archived and unpublished products',
    content: file(
      { ...simple, Status: 'draft' },
      { ...simple, Handle: 'b', 'Variant SKU': 'B', Status: 'archived' },
      { ...simple, Handle: 'c', 'Variant SKU': 'C', Published: 'FALSE' },
    ),
    products: [
      { sku: 'BOWL', status: 'draft' },
      { sku: 'B', status: 'private' },
      { sku: 'C', status: 'private' },
    ],
  },
  {
    name: 'shopify-digital.csv',
    about: 'Shopify: no shipping, stock not tracked, no SKU',
    content: file({
      ...simple,
      'Variant SKU': '',
      'Variant Requires Shipping': 'FALSE',
      'Variant Inventory Tracker': '',
      'Cost per item': '3.20',
    }),
    products: [
      { sku: 'bowl', virtual: true, stock: null, stockStatus: 'instock', meta: { _cogs_total_value: '3.20' } },
    ],
  },
  {
    name: 'shopify-oversold.csv',
    about: 'Shopify: a negative stock that may not be sold becomes 0',
    content: file({ ...simple, 'Variant Inventory Qty': '-3' }),
    products: [{ sku: 'BOWL', stock: 0, stockStatus: 'outofstock' }],
  },
  {
    name: 'shopify-new-titles.csv',
    about: 'Shopify: titles of its present template',
    content:
      'Title,URL handle,Description,Vendor,Published on online store,Status,SKU,Barcode,Option1 name,Option1 value,Price,Compare-at price,Charge tax,Inventory tracker,Inventory quantity,Continue selling when out of stock,Weight value (grams),Requires shipping\n' +
      'Cap,cap,Warm,Loom,TRUE,Active,CAP-R,,Colour,Red,12.00,15.00,TRUE,shopify,4,DENY,90,TRUE\n,cap,,,,,CAP-B,,,Blue,12.00,,TRUE,shopify,5,CONTINUE,90,TRUE\n',
    reading: { format: 'shopify' },
    products: [
      { sku: 'cap', type: 'variable', brands: ['Loom'], attributes: ['Colour: Red, Blue'] },
      { sku: 'CAP-R', regular: 1500, sale: 1200, stock: 4, grams: 90, backorders: 'no' },
      { sku: 'CAP-B', regular: 1200, sale: null, backorders: 'yes' },
    ],
  },
  {
    name: 'shopify-metafields.csv',
    about: 'Shopify: metafields are kept, columns of markets are left out',
    content: file(simple)
      .replace(',Status\n', ',Status,Colour (product.metafields.custom.colour),Price / Europe\n')
      .replace(',active\n', ',active,Sand,22\n'),
    products: [{ sku: 'BOWL', meta: { 'custom.colour': 'Sand' } }],
  },
  {
    name: 'sheet-english.csv',
    about: 'a bare spreadsheet: Name, Price, Stock',
    content: 'Name,Price,Stock\nStone Bowl,24.50,7\nCup,9,0\n',
    reading: { format: 'spreadsheet' },
    products: [
      { sku: 'stone-bowl', name: 'Stone Bowl', regular: 2450, stock: 7 },
      { sku: 'cup', stock: 0, stockStatus: 'outofstock' },
    ],
    says: 'each product gets one that is made from its name',
  },
  {
    name: 'sheet-german.csv',
    about: 'a spreadsheet in German, saved by Excel',
    content: Buffer.from('Bezeichnung;Art.-Nr.;Preis;Menge;Warengruppe\nSchüssel;S1;24,50;7;Tisch\n', 'latin1'),
    reading: { format: 'spreadsheet', encoding: 'windows-1252', separator: ';' },
    products: [{ sku: 'S1', name: 'Schüssel', regular: 2450, stock: 7, categories: ['Tisch'] }],
  },
  {
    name: 'sheet-french.csv',
    about: 'a spreadsheet in French',
    content: 'Désignation;Réf;Prix;Quantité;Marque\nBol;B1;24,50 €;7;Four\n',
    products: [{ sku: 'B1', name: 'Bol', regular: 2450, stock: 7, brands: ['Four'] }],
  },
  {
    name: 'sheet-japanese.csv',
    about: 'a spreadsheet in Japanese, full-width figures',
    content: '商品名,品番,価格,在庫数\n茶碗,C1,２４．５０,７\n',
    products: [{ sku: 'C1', name: '茶碗', regular: 2450, stock: 7 }],
  },
  {
    name: 'sheet-arabic.csv',
    about: 'a spreadsheet in Arabic, Arabic figures',
    content: 'اسم المنتج,رقم الصنف,السعر,الكمية\nوعاء,W1,٢٤٫٥٠,٧\n',
    products: [{ sku: 'W1', name: 'وعاء', regular: 2450, stock: 7 }],
  },
  {
    name: 'sheet-unknown-columns.csv',
    about: 'columns without a meaning: left out and reported',
    content: 'SKU,Name,Price,Supplier,Shelf\nA,One,1,Ida,7b\n',
    products: [{ sku: 'A', regular: 100 }],
  },
  {
    name: 'sheet-mapped.csv',
    about: 'any titles, with `--map`',
    content: 'Ware;Nummer intern;Kostet;Farbe\nKrug;K1;12,50;Blau\n',
    options: {
      map: { Ware: 'Name', 'Nummer intern': 'SKU', Kostet: 'Regular price', Farbe: 'Attribute: Colour' },
    },
    reading: { format: 'mapped' },
    products: [{ sku: 'K1', name: 'Krug', regular: 1250, attributes: ['Colour*: blau'] }],
  },
  {
    name: 'sheet-same-names.csv',
    about: 'two products of one name and no SKU',
    content: 'Name,Price\nBowl,1\nBowl,2\n',
    products: [],
    says: 'is in row 2 as well',
  },
]
