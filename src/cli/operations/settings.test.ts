import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { changeChannel } from '#database/engine/change-counts.ts'
import { readConfiguration, writeSettings } from '#database/operations/configuration.ts'
import { shopConfiguration } from '#shop/operations/settings/shop-configuration.ts'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { runCommand, runCommandWith } from '#tests/support/process/command.ts'
import { couponsCommand } from '../coupons/coupons.ts'
import { doctorCommand } from './doctor.ts'
import { settingsCommand } from './settings.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await aDatabase()
})
afterAll(() => db.close())
beforeEach(async () => {
  await db.sql`delete from settings`
})

const settings = (...args: string[]) => runCommand(settingsCommand, db, ...args)
const stored = async () => (await readConfiguration(db)).settings

describe('npm run shop -- settings', () => {
  it('lists every setting and marks those that differ from the default', async () => {
    await settings('name', 'Fogline')
    const { code, out } = await settings()
    expect(code).toBe(0)
    expect(out).toMatch(/^\* {2}name +"Fogline"$/m)
    expect(out).toMatch(/^ {3}currency +"USD"$/m)
  })

  it('shows one setting, or a member of one, as JSON', async () => {
    expect((await settings('priceFormat.decimals')).out).toBe('null')
    expect((await settings('priceFormat.position')).out).toBe('"left"')
    expect(JSON.parse((await settings('base')).out)).toMatchObject({ country: 'US', state: 'CA' })
  })

  it('speaks JSON to programs', async () => {
    await settings('name', 'Fogline')
    expect(JSON.parse((await settings('--json')).out)).toMatchObject({ name: 'Fogline', currency: 'USD' })
    expect((await settings('base', '--json')).out.split('\n')).toHaveLength(1)
    expect(await settings('--jsn')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^Error: unknown option "--jsn"\. .*\nDid you mean "--json"\?$/),
    })
  })

  it('guesses what was meant', async () => {
    expect((await settings('taxes.pricesIncludTax')).err).toMatch(/Did you mean "taxes\.pricesIncludeTax"\?$/)
    expect((await settings('curency', '"EUR"')).err).toMatch(/Did you mean "currency"\?$/)
  })

  it('changes a member and leaves its neighbours as they are', async () => {
    await settings('taxes', '{"displayShop":"incl"}')
    expect((await settings('taxes.pricesIncludeTax', 'true')).code).toBe(0)
    expect((await stored()).taxes).toMatchObject({ displayShop: 'incl', pricesIncludeTax: true, enabled: true })
  })

  it('CUR-05 changes a member that may be left out, and so far is', async () => {
    expect(await settings('priceFormat.symbol')).toMatchObject({ code: 0, out: 'null' })
    expect(await settings('priceFormat.symbol', 'US$')).toMatchObject({ code: 0 })
    expect(await settings('priceFormat.codePosition', 'right_space')).toMatchObject({ code: 0 })
    expect((await stored()).priceFormat).toMatchObject({ symbol: 'US$', codePosition: 'right_space', position: 'left' })
    expect((await settings('priceFormat.codePosition', 'behind')).err).toMatch(
      /^Error: priceFormat\.codePosition: must be one of .*, not "behind"$/,
    )
    expect(await settings('priceFormat.sign', '€')).toMatchObject({ code: 2 })
  })

  it('takes a text with or without quotation marks, also one that looks like a number', async () => {
    await settings('name', 'Fog & Line')
    expect((await stored()).name).toBe('Fog & Line')
    await settings('name', '"Quoted"')
    expect((await stored()).name).toBe('Quoted')
    await settings('name', '1984')
    expect((await stored()).name).toBe('1984')
  })

  it.each([
    ['a value of the wrong kind', 'productsPerPage', '"many"', /productsPerPage: /],
    ['a value out of range', 'productsPerPage', '0', /productsPerPage: /],
    ['what is no JSON', 'sellTo', '[US', /not valid JSON/],
    [
      'a member that does not exist',
      'taxes',
      '{"pricesIncludesTax":true}',
      /unknown setting "taxes.pricesIncludesTax"/,
    ],
    ['a language that no computer knows', 'language', 'not a language', /language tag/],
    [
      'a time zone that there is not',
      'timeZone',
      'Berlin',
      /timeZone: "Berlin" must be a time zone like Europe\/Berlin/,
    ],
    ['a distance in place of a time zone', 'timeZone', '+02:00', /timeZone: "\+02:00" must be a time zone like/],
    ['to hold pieces for no time', 'holdStockMinutes', '0', /holdStockMinutes: must be from 5 to 43200 minutes/],
    ['to hold pieces for less than no time', 'holdStockMinutes', '-5', /must be from 5 to 43200 minutes/],
    ['a shop without a name', 'name', ' ', /name: must not be empty/],
    ['what is no email address', 'email', 'not-a-mail', /email: "not-a-mail" must be an email address/],
    ['a sender that is none', 'mail.from', 'nonsense', /mail\.from: "nonsense" must be an email address/],
    [
      'a mail server without smtp://',
      'mail.smtpUrl',
      'mail.example:587',
      /mail\.smtpUrl: must be an address like smtp:/,
    ],
    ['one without a host', 'mail.smtpUrl', 'smtp:mail.example:587', /mail\.smtpUrl: must be an address like smtp:/],
    ['a language of two letters that there is not', 'language', 'xx-DE', /language: there is no language "xx"/],
    [
      'what is no language tag',
      'languages',
      '[{"tag":"de_DE"}]',
      /languages\.0\.tag: must be a language tag like en-US/,
    ],
    [
      'the name of a language',
      'languages',
      '[{"tag":"deutsch"}]',
      /languages\[0\]\.tag: there is no language "deutsch"/,
    ],
    ['such a one beside the own', 'languages', '[{"tag":"xx"}]', /languages\[0\]\.tag: there is no language "xx"/],
    ['a currency that there is not', 'currency', 'ERU', /currency: there is no currency "ERU"/],
    ['a country that there is not', 'base', '{"country":"XX"}', /base\.country: "XX" is no country/],
    [
      'a page that there is not',
      'paypal.sections',
      '["prodct"]',
      /paypal\.sections: "prodct" must be one of product, /,
    ],
    [
      'such a page for another button',
      'paypal',
      '{"venmo":{"sections":["shop"]}}',
      /paypal\.venmo\.sections: "shop" must be one of product, cart, /,
    ],
    [
      'a shipping method that there is not',
      'payments.cod.shippingMethods',
      '["flat_rate:2","flatrate:2"]',
      /payments\.cod\.shippingMethods: "flatrate" must be one of flat_rate, /,
    ],
    [
      'a currency for a way to pay that there is not',
      'currencies',
      '[{"code":"CHF","rate":"0.9","paymentMethods":["bacs","foo"]}]',
      /currencies\[0\]\.paymentMethods: "foo" must be one of ppcp, ppcp_card, bacs, cheque, cod/,
    ],
    [
      'a fee for a way to pay that there is not',
      'fees',
      '[{"name":"Wrap","amount":"1","when":{"paymentMethod":"bar"}}]',
      /fees\[0\]\.when\.paymentMethod: "bar" must be one of ppcp, /,
    ],
    [
      'a fee for a country that there is not',
      'fees',
      '[{"name":"Wrap","amount":"1","when":{"country":"Germany"}}]',
      /fees\[0\]\.when\.country: "Germany" must be a country like US/,
    ],
    [
      'a name in braces that nothing is put in place of',
      'mail.messages.customer_invoice.subject',
      'From {site_titel}',
      /customer_invoice\.subject: \{site_titel\} is not filled in here: there are .* Did you mean "site_title"\?/,
    ],
    [
      'one that is filled in for other messages',
      'mail.messages.customer_new_account.heading',
      '{order_number}',
      /\{order_number\} is not filled in here: there are \{site_title\}, \{customer_username\}\./,
    ],
    ['a currency in small letters', 'currency', 'usd', /currency code/],
    [
      'a fee that the currency cannot express',
      'fees',
      '[{"name":"Wrap","amount":"1.005"}]',
      /fees\[0\] "Wrap": amount/,
    ],
    ['a prototype', 'sellTo', '{"__proto__":{"length":1}}', /sellTo/],
  ])('refuses %s and changes nothing', async (_, key, value, problem) => {
    const { code, err } = await settings(key, value)
    expect([code, err]).toEqual([1, expect.stringMatching(problem)])
    expect(await stored()).toEqual({})
  })

  it.each([['colour'], ['taxes.colour'], ['__proto__'], ['constructor'], ['name.length'], ['secret']])(
    'says that there is no setting %s',
    async (key) => {
      const { code, err } = await settings(key, 'true')
      expect([code, err]).toEqual([2, expect.stringContaining(`unknown setting "${key}".`)])
    },
  )

  it('ends with 2 when a value falls apart into several arguments', async () => {
    expect((await settings('name', 'Fog', 'Line')).code).toBe(2)
  })

  it('keeps the file that a setting names, from the folder of the configuration on, and says what was not meant', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'settings-'))
    try {
      const set = (...args: string[]) =>
        runCommandWith({ configFile: join(folder, 'shop.config.ts'), dataDir: folder }, settingsCommand, db, ...args)
      expect(await set('theme.icon', '"sign.svg"')).toMatchObject({
        code: 1,
        err: `Error: theme.icon: there is no file ${join(folder, 'sign.svg')}`,
      })
      expect(await stored()).toEqual({})
      await writeFile(join(folder, 'sign.svg'), '<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32"/>')
      expect((await set('theme.icon', '"sign.svg"')).code).toBe(0)
      const { files } = shopConfiguration(await readConfiguration(db))
      expect(files['sign.svg']).toMatchObject({ kind: 'sign', width: 32, height: 32 })
      expect(await readdir(join(folder, 'media'))).toEqual([`${files['sign.svg']?.hash}.svg`])
      expect((await set('menus.main', '[{"category":"cpus"}]')).err).toContain('there is no category "cpus"')
      expect((await set('theme.light', '{"--acent":"#123456"}')).err).toContain('did you mean --accent')
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('works in UTC where a time zone is stored that there is not, and says so until it is put right', async () => {
    await writeSettings(db, { timeZone: 'Berlin' })
    const { settings: working, faults } = shopConfiguration(await readConfiguration(db))
    expect(working.timeZone).toBe('UTC')
    expect(faults).toEqual([{ rule: 'setting timeZone', problem: '"Berlin" must be a time zone like Europe/Berlin' }])
    expect((await runCommand(doctorCommand, db)).err).toContain(
      'Warning: setting timeZone: "Berlin" must be a time zone',
    )
    const expiring = ['add', 'late', '--amount', '1', '--type', 'percent', '--expires', '2030-01-01']
    expect((await runCommand(couponsCommand, db, ...expiring)).code).toBe(0)
    expect((await settings('name', 'Fogline')).code).toBe(0)
    expect((await settings('timeZone', 'europe/berlin')).code).toBe(0)
    expect(shopConfiguration(await readConfiguration(db)).faults).toEqual([])
  })

  it('holds pieces as long as is usual where no time at all is stored', async () => {
    await writeSettings(db, { holdStockMinutes: 0 })
    const { settings: working, faults } = shopConfiguration(await readConfiguration(db))
    expect(working.holdStockMinutes).toBe(30)
    expect(faults).toEqual([{ rule: 'setting holdStockMinutes', problem: 'must be from 5 to 43200 minutes' }])
  })

  it('TRN-08 takes a language tag in whatever case, and keeps it in the usual one', async () => {
    expect(await settings('language', 'EN-us')).toMatchObject({ code: 0 })
    expect(await settings('languages', '[{"tag":"de-de"},{"tag":"ZH-hant-tw"}]')).toMatchObject({ code: 0 })
    const { settings: working } = shopConfiguration(await readConfiguration(db))
    expect(working.language).toBe('en-US')
    expect(working.languages.map(({ tag }) => tag)).toEqual(['de-DE', 'zh-Hant-TW'])
  })

  it.each([
    ['mail.from', '"Your shop <you@shop.example>"'],
    ['mail.smtpUrl', 'smtps://user:secret@mail.example:465'],
    ['language', 'swg'],
    ['paypal.sections', '["express","order_pay","add_payment_method","minicart"]'],
    ['payments.cod.shippingMethods', '["local_pickup","flat_rate:2"]'],
    ['mail.messages.low_stock.subject', '{site_title}: {product_name} {order_number}'],
  ])('takes %s %s', async (key, value) => {
    expect(await settings(key, value)).toMatchObject({ code: 0 })
  })

  it('starts with what was taken before, tells of it, and lets everything else be changed', async () => {
    const before = {
      ...{ name: '', email: 'not-a-mail', language: 'xx', base: { country: 'XX' }, mail: { from: 'nonsense' } },
      ...{ paypal: { sections: ['prodct', 'cart'] }, payments: { cod: { shippingMethods: ['boat'] } } },
      ...{ currencies: [{ code: 'CHF', rate: '0.9', paymentMethods: ['foo'] }] },
      ...{ fees: [{ name: 'Wrap', amount: '1', when: { paymentMethod: 'bar' } }] },
    }
    await writeSettings(db, before)
    const { settings: working, faults } = shopConfiguration(await readConfiguration(db))
    expect(working).toMatchObject(before)
    expect(faults.map(({ rule }) => rule)).toEqual([
      ...['setting name', 'setting email', 'setting language', 'setting base.country', 'setting paypal.sections'],
      ...['setting payments.cod.shippingMethods', 'setting currencies[0].paymentMethods'],
      ...['setting fees[0].when.paymentMethod', 'setting mail.from'],
    ])
    expect((await settings('timeZone', 'Europe/Berlin')).code).toBe(0)
    expect((await settings('mail.from', 'shop@shop.example')).code).toBe(0)
  })

  it('loses no change where two members of a setting are changed at once', async () => {
    for (const round of [1, 2, 3]) {
      const changes = [
        ['statistics.keepMonths', String(10 + round)],
        ['statistics.needsConsent', String(round % 2 === 1)],
      ]
      const ended = await Promise.all(changes.map((change) => settings(...change)))
      expect(ended.map(({ code }) => code)).toEqual([0, 0])
      expect((await stored()).statistics).toMatchObject({ keepMonths: 10 + round, needsConsent: round % 2 === 1 })
    }
  })

  it('tells every running shop', async () => {
    const told: string[] = []
    const listening = await db.sql.listen(changeChannel, (what) => told.push(what))
    await settings('name', 'Fogline')
    await expect.poll(() => told).toEqual(['configuration'])
    await listening.unlisten()
  })
})
