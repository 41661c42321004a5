import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { changeChannel } from '#database/engine/change-counts.ts'
import { readConfiguration } from '#database/operations/configuration.ts'
import { shopConfiguration } from '#shop/operations/settings/shop-configuration.ts'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { runCommand } from '#tests/support/process/command.ts'
import { couponsCommand } from '../coupons/coupons.ts'
import { shippingZonesCommand } from '../shipping/shipping-zones.ts'
import { taxRatesCommand } from '../tax/tax-rates.ts'
import { configCommand } from './config.ts'
import { settingsCommand } from './settings.ts'

let db: TestDatabase
let folder: string
beforeAll(async () => {
  db = await aDatabase()
  folder = await mkdtemp(join(tmpdir(), 'config-'))
  await db.sql`insert into products (type, sku, name, slug) values ('simple', 'BOWL', 'Bowl', 'bowl')`
})
afterAll(async () => {
  await db.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  for (const table of ['coupons', 'tax_rates', 'shipping_zones', 'settings']) await db.sql`delete from ${db.sql(table)}`
})

async function config(text: string, verb = 'apply', ...options: string[]) {
  const file = join(folder, 'shop.config.ts')
  await writeFile(file, text)
  return runCommand(configCommand, db, verb, '--file', file, ...options)
}

const whole = `
const german: { country: string; name: string } = { country: 'DE', name: 'MwSt' }

export default {
  settings: {
    name: 'Fogline',
    currency: 'EUR',
    taxes: { pricesIncludeTax: true },
  },
  taxRates: [
    { ...german, rate: 19 },
    { ...german, rate: '7', class: 'reduced-rate' },
  ],
  shippingZones: [
    {
      name: 'Germany',
      countries: ['DE'],
      methods: [
        { method: 'flat_rate', title: 'Parcel', cost: '4.90 + [qty] * 0.5', classCosts: { bulky: 12.5, a: '1' } },
        { method: 'free_shipping', minimum: 75 },
      ],
    },
    { name: 'Rest', fallback: true, methods: [{ method: 'local_pickup' }] },
  ],
  coupons: [{ code: 'Spring', type: 'percent', amount: 12.5, products: ['BOWL'], expires: '2026-12-31' }],
  fees: [{ name: 'Gift wrap', amount: 2.5 }],
  swatches: { colour: { Sand: '#d9c8a9' } },
}
`

describe('npm run shop -- config', () => {
  it('makes the shop what the file says, and then finds nothing to change', async () => {
    const check = await config(whole, 'check')
    expect(check.out.split('\n')).toEqual([
      '~ setting name: "Vitrine" → "Fogline"',
      '~ setting currency: "USD" → "EUR"',
      '~ setting taxes.pricesIncludeTax: false → true',
      expect.stringMatching(/^~ setting fees: \[\] → nothing, \[0\]\.name nothing → "Gift wrap"/),
      expect.stringMatching(/^~ setting swatches: colour.Sand nothing → "#d9c8a9"$/),
      '+ tax rate MwSt DE',
      '+ tax rate MwSt DE reduced-rate',
      '+ shipping zone Germany',
      '+ shipping zone Rest',
      '+ coupon spring',
    ])
    expect(check.err).toBe('10 changes would be made. Apply them with: config apply')
    expect((await readConfiguration(db)).settings).toEqual({})

    expect(await config(whole)).toMatchObject({ code: 0, out: check.out })
    const shop = shopConfiguration(await readConfiguration(db))
    expect(shop.faults).toEqual([])
    expect(shop.settings).toMatchObject({
      name: 'Fogline',
      currency: 'EUR',
      taxes: { pricesIncludeTax: true, enabled: true },
      fees: [{ name: 'Gift wrap', amount: '2.5' }],
      swatches: { colour: { Sand: '#d9c8a9' } },
    })
    expect(shop.taxRates.map(({ country, ratePpm, class: of }) => [country, ratePpm, of])).toEqual([
      ['DE', 190_000, ''],
      ['DE', 70_000, 'reduced-rate'],
    ])
    expect(shop.shippingZones).toMatchObject([
      { id: 0, methods: [{ method: 'local_pickup', title: 'Local pickup', cost: '' }] },
      {
        id: 1,
        countries: ['DE'],
        methods: [
          { method: 'flat_rate', cost: '4.90 + [qty] * 0.5', classCosts: { bulky: '12.5', a: '1' } },
          { method: 'free_shipping', minimum: { minor: 7500, currency: 'EUR' } },
        ],
      },
    ])
    expect(await db.sql`select code, amount_ppm, expires_at from coupons`).toEqual([
      { code: 'spring', amount_ppm: 125_000, expires_at: new Date('2026-12-31T00:00:00Z') },
    ])

    const written = await rowVersions()
    const told: string[] = []
    const listening = await db.sql.listen(changeChannel, (what) => told.push(what))
    expect(await config(whole)).toMatchObject({ code: 0, out: '', err: 'No changes: the shop matches shop.config.ts.' })
    expect(await rowVersions()).toEqual(written)
    await runCommand(settingsCommand, db, 'tagline', 'x')
    await expect.poll(() => told).toHaveLength(1)
    await listening.unlisten()
  })

  it('changes only what differs: numbers of zones, methods and rates stay, and so do the uses of a coupon', async () => {
    await config(whole)
    await db.sql`update coupons set used = 3`
    const zones = await db.sql`select id, name from shipping_zones order by id`
    const methods = await db.sql`select instance_id, title from shipping_methods order by 1`
    const next = whole
      .replace("cost: '4.90", "cost: '5.90")
      .replace('rate: 19', 'rate: 16')
      .replace('12.5, products', '15, products')
    expect((await config(next)).out.split('\n')).toEqual([
      '~ tax rate MwSt DE: rate "19" → "16"',
      '~ shipping zone Germany: methods[0].cost "4.90 + [qty] * 0.5" → "5.90 + [qty] * 0.5"',
      '~ coupon spring: amount "12.5" → "15"',
    ])
    expect(await db.sql`select id, name from shipping_zones order by id`).toEqual(zones)
    expect(await db.sql`select instance_id, title from shipping_methods order by 1`).toEqual(methods)
    expect((await db.sql`select used, amount_ppm from coupons`)[0]).toEqual({ used: 3, amount_ppm: 150_000 })
  })

  it('wins over a command that came later, and says so', async () => {
    await config(whole)
    await runCommand(settingsCommand, db, 'name', 'Other')
    await runCommand(couponsCommand, db, 'edit', 'spring', '--limit', '5')
    await runCommand(taxRatesCommand, db, 'add', '20', '--country', 'FR', '--name', 'TVA')
    await runCommand(shippingZonesCommand, db, 'edit', '1', '--countries', 'DE,AT')
    expect((await config(whole)).out.split('\n')).toEqual([
      '~ setting name: "Other" → "Fogline" (a command changed it; the file wins)',
      '- tax rate TVA FR (a command changed it; the file wins)',
      '~ shipping zone Germany: countries ["DE","AT"] → ["DE"] (a command changed it; the file wins)',
      '~ coupon spring: limit "5" → "" (a command changed it; the file wins)',
    ])
    expect((await config(whole, 'check')).out).toBe('')
  })

  it('leaves alone what it does not speak of, and takes away coupons that it names no more', async () => {
    await runCommand(couponsCommand, db, 'add', 'mine', '--type', 'percent', '--amount', '5')
    await runCommand(taxRatesCommand, db, 'add', '20', '--country', 'FR')
    await config(`export default { coupons: [{ code: 'a', amount: 1 }, { code: 'b', amount: 1 }] }`)
    expect((await config(`export default { coupons: [{ code: 'b', amount: 1 }] }`)).out).toBe('- coupon a')
    expect((await db.sql`select code from coupons order by code`).map(({ code }) => code)).toEqual(['b', 'mine'])
    expect(await db.sql`select 1 from tax_rates`).toHaveLength(1)
  })

  it('puts the zones into the order of the file', async () => {
    const zones = (...names: string[]) =>
      `export default { shippingZones: [${names.map((name) => `{ name: '${name}' }`).join(', ')}] }`
    await config(zones('A', 'B', 'C'))
    await config(zones('C', 'A'))
    expect(await db.sql`select id, name from shipping_zones order by zone_order`).toEqual([
      { id: 3, name: 'C' },
      { id: 1, name: 'A' },
    ])
  })

  it('names line and member of every fault, and changes nothing', async () => {
    const { code, err, out } = await config(`
export default {
  settings: {
    nam: 'x',
    productsPerPage: 'many',
    taxes: { pricesIncludesTax: true },
    fees: [],
  },
  taxRates: [
    { rate: 19, country: 'XX' },
    { country: 'DE', colour: 'red' },
    { rate: 7, country: 'DE', class: 'reduced' },
  ],
  shippingZones: [
    { name: 'A', fallback: true },
    {
      name: 'B',
      methods: [
        { method: 'flat_rate', cost: '1 +' },
      ],
    },
    { name: 'C', methods: [{ method: 'drone' }] },
    { name: 'D', fallback: true },
  ],
  coupons: [
    { code: 'a', type: 'percent', amount: 101 },
    { code: 'b', products: ['NOPE'] },
    { code: 'c', amount: 1e21 },
    { code: 'd', minimum: '1.005' },
    { code: 'e' },
    { code: 'E' },
  ],
  fees: [{ name: 'x' }],
}
`)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    const lines = err.split('\n').filter((line) => line.startsWith('Error: shop.config.ts, '))
    expect(lines.map((line) => line.slice('Error: shop.config.ts, '.length)).sort()).toEqual([
      'line 10, taxRates[0].country: "XX" is no country: write its two letters, like DE',
      'line 11, taxRates[1].colour: is unknown',
      'line 11, taxRates[1].rate: must be a number',
      'line 12, taxRates[2].class: "reduced" must be a tax class of the shop: reduced-rate, zero-rate',
      'line 19, shippingZones[1].methods[0].cost: ends too early',
      'line 22, shippingZones[2].methods[0].method: must be flat_rate, free_shipping or local_pickup',
      'line 23, shippingZones[3].fallback: another zone is the fallback already',
      'line 26, coupons[0].amount: must be at most 100: it is a percentage',
      'line 27, coupons[1].products: there is no product with the SKU or number "NOPE"',
      expect.stringMatching(/^line 28, coupons\[2\]\.amount: must be a number like/),
      'line 29, coupons[3].minimum: has more than 2 decimals',
      'line 31, coupons[5].code: another coupon has the code "e"',
      'line 33, fees[0]: needs an amount or a percent',
      'line 4, settings.nam: is no setting',
      expect.stringMatching(/^line 5, settings\.productsPerPage: /),
      'line 6, settings.taxes.pricesIncludesTax: is no setting',
      'line 7, settings.fees: stands beside the settings, as fees',
    ])
    expect(err).toContain('ends too early\n  1 +\n     ^')
    expect((await readConfiguration(db)).settings).toEqual({})
    expect(await db.sql`select 1 from shipping_zones`).toHaveLength(0)
    expect((await config("export default {\n  coupons: [],\n  colour: 'red' }")).err).toBe(
      'Error: shop.config.ts, line 3, colour: is unknown',
    )
  })

  it('names a setting that no shop could work with', async () => {
    const { code, err } = await config("export default { settings: { timeZone: 'Europe/Berln' } }", 'check')
    expect(code).toBe(1)
    expect(err).toContain('line 1, settings.timeZone: "Europe/Berln" must be a time zone like Europe/Berlin')
  })

  it('knows the tax classes that the file itself names, and no others', async () => {
    const classes = "settings: { taxes: { classes: ['Luxury goods'], shippingClass: 'Luxury goods' } }"
    const rates = "taxRates: [{ country: 'DE', rate: 40, class: 'luxury-goods' }]"
    const fee = (taxClass: string) => `fees: [{ name: 'Wrap', amount: 1, taxClass: '${taxClass}' }]`
    expect((await config(`export default { ${classes}, ${rates}, ${fee('luxury goods')} }`)).code).toBe(0)
    expect((await readConfiguration(db)).settings.fees).toMatchObject([{ taxClass: 'luxury-goods' }])
    expect((await config(`export default { ${fee('luxry')} }`)).err).toContain(
      'fees[0].taxClass: "luxry" must be a tax class of the shop: luxury-goods',
    )
  })

  it('takes back everything when the last rule is refused', async () => {
    await config(`export default { coupons: [{ code: 'a', amount: 1, limit: 9 }] }`)
    await db.sql`update coupons set used = 4`
    const { code, err } = await config(
      `export default { settings: { name: 'New' }, coupons: [{ code: 'a', amount: 1, limit: 3 }] }`,
    )
    expect([code, err]).toEqual([
      1,
      'Error: shop.config.ts, line 1, coupons[0].limit: must be at least 4: so often it has been used',
    ])
    expect((await readConfiguration(db)).settings.name).toBeUndefined()
  })

  it.each([
    ['const x = 1', /^Error: shop\.config\.ts exports nothing/],
    ['export default 7', /^Error: shop\.config\.ts: must be an object/],
    ['export default { settings: 7 }', /line 1, settings: must be an object$/],
    ['\n\nthrow new Error("no rates today")', /^Error: shop\.config\.ts, line 3: no rates today$/],
  ])('refuses %j', async (text, words) => {
    expect(await config(text)).toMatchObject({ code: 1, err: expect.stringMatching(words) })
  })

  it('reads figures of every currency by its own decimals', async () => {
    expect(
      (await config(`export default { settings: { currency: 'JPY' }, coupons: [{ code: 'a', amount: 1.5 }] }`)).err,
    ).toContain('the currency has no decimals')
    await config(`export default { settings: { currency: 'KWD' }, coupons: [{ code: 'a', amount: 1.255 }] }`)
    expect((await db.sql`select amount_minor from coupons`)[0]).toEqual({ amount_minor: 1255 })
  })

  it('does not print passwords', async () => {
    const { out } = await config(
      `export default { settings: { mail: { smtpUrl: 'smtp://shop:hunter2@mail.example' } } }`,
    )
    expect(out).toBe('~ setting mail.smtpUrl: … → …')
  })

  it('says that there is no file when none is there', async () => {
    const context = await runCommand(configCommand, db, 'check')
    expect(context).toMatchObject({ code: 0, err: expect.stringContaining('shop.config.ts does not exist') })
    expect(await runCommand(configCommand, db, 'check', '--file', '/nowhere.ts')).toMatchObject({ code: 1 })
  })

  it('lets processes that start at once apply it once', async () => {
    const file = join(folder, 'shop.config.ts')
    await writeFile(file, whole)
    const all = await Promise.all([1, 2, 3].map(() => runCommand(configCommand, db, 'apply', '--file', file)))
    expect(all.map(({ code }) => code)).toEqual([0, 0, 0])
    expect(all.map(({ out }) => out === '').sort()).toEqual([false, true, true])
  })
})

async function rowVersions() {
  return Promise.all(
    ['coupons', 'tax_rates', 'shipping_zones', 'shipping_methods', 'settings'].map(
      (table) => db.sql`select xmin::text, ctid::text from ${db.sql(table)} order by 1, 2`,
    ),
  )
}
