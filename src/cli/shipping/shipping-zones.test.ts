import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { changeChannel } from '#database/engine/change-counts.ts'
import { readConfiguration, writeSettings } from '#database/operations/configuration.ts'
import { shopConfiguration } from '#shop/operations/settings/shop-configuration.ts'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { runCommand } from '#tests/support/process/command.ts'
import { shippingZonesCommand } from './shipping-zones.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await aDatabase()
})
afterAll(() => db.close())
beforeEach(async () => {
  await db.sql`delete from shipping_zones`
  await db.sql`alter table shipping_methods alter column instance_id restart with 1`
  await db.sql`delete from settings`
})

const zones = (...args: string[]) => runCommand(shippingZonesCommand, db, ...args)
const listed = async () => JSON.parse((await zones('list', '--json')).out)
const order = async () => (await listed()).map(({ name }: { name: string }) => name)

describe('npm run shop -- shipping-zones', () => {
  it('adds zones and methods that the shop then prices by', async () => {
    expect(
      await zones(
        'add',
        'Bay Area',
        '--countries',
        'us:ca',
        '--postcodes',
        '94102...94134;945*, 94601',
        '--continents',
        'eu',
      ),
    ).toMatchObject({
      code: 0,
      out: '1  Bay Area  EU, US:CA, 94102...94134, 945*, 94601\n    no method: orders cannot be shipped there',
    })
    await zones('add', 'Elsewhere', '--fallback')
    expect(
      (
        await zones(
          'add-method',
          '1',
          'flat_rate',
          '--cost',
          '10 + [qty] * 2',
          '--class-cost',
          'bulky=5',
          '--class-cost',
          'fragile=[fee percent="10" min_fee="2"]',
          '--no-class-cost',
          '1',
          '--class-mode',
          'order',
          '--tax-status',
          'none',
        )
      ).code,
    ).toBe(0)
    await zones('add-method', '1', 'free_shipping', '--minimum', '75', '--title', 'Free', '--ignore-discounts')
    await zones('add-method', '0', 'local_pickup', '--cost', '0', '--title', 'Pick up')

    const { shippingZones, faults } = shopConfiguration(await readConfiguration(db))
    expect(faults).toEqual([])
    expect(shippingZones).toMatchObject([
      { id: 0, methods: [{ method: 'local_pickup', cost: '0', taxable: true, title: 'Pick up' }] },
      {
        id: 1,
        countries: ['US:CA'],
        continents: ['EU'],
        postcodes: ['94102...94134', '945*', '94601'],
        methods: [
          {
            method: 'flat_rate',
            title: 'Flat rate',
            cost: '10 + [qty] * 2',
            classCosts: { bulky: '5', fragile: '[fee percent="10" min_fee="2"]', '': '1' },
            classMode: 'order',
            taxable: false,
          },
          {
            method: 'free_shipping',
            requires: 'min_amount',
            minimum: { minor: 7500, currency: 'USD' },
            ignoreDiscounts: true,
          },
        ],
      },
    ])
    expect((await zones()).out.split('\n')).toEqual([
      '1  Bay Area  EU, US:CA, 94102...94134, 945*, 94601',
      '    1  flat_rate      Flat rate  10 + [qty] * 2; no tax; no class: 1; bulky: 5; fragile: [fee percent="10" min_fee="2"]; dearest class only',
      '    2  free_shipping  Free       from 75 USD before discounts',
      '0  Elsewhere  everywhere else',
      '    3  local_pickup  Pick up  0',
    ])
  })

  it('changes, moves and removes zones; the fallback zone stays last', async () => {
    for (const name of ['A', 'B', 'C']) await zones('add', name)
    await zones('add', 'Rest', '--fallback')
    await zones('add', 'First', '--position', '1')
    expect(await order()).toEqual(['First', 'A', 'B', 'C', 'Rest'])
    await zones('move', '3', '2')
    expect(await order()).toEqual(['First', 'C', 'A', 'B', 'Rest'])
    await zones('edit', '1', '--name', 'Alps', '--countries', 'CH,AT')
    await zones('edit', '1', '--postcodes', '1000...1999')
    expect((await listed())[2]).toMatchObject({
      id: 1,
      name: 'Alps',
      countries: ['CH', 'AT'],
      postcodes: ['1000...1999'],
    })
    await zones('edit', '1', '--countries', '')
    expect((await listed())[2]).toMatchObject({ countries: [] })
    expect((await zones('remove', '4')).err).toBe('Removed zone 4 "First" with 0 methods.')
    expect(await order()).toEqual(['C', 'Alps', 'B', 'Rest'])
    expect((await zones('show', '2')).out).toMatch(/^2 {2}B {2}everywhere\n/)
  })

  it('changes, moves, switches off and removes methods', async () => {
    await zones('add', 'A')
    await zones('add-method', '1', 'flat_rate', '--cost', '5', '--class-cost', 'bulky=3', '--class-cost', 'light=1')
    await zones('add-method', '1', 'local_pickup', '--position', '1')
    const methods = async () => (await listed())[0].methods
    expect((await methods()).map(({ instanceId }: { instanceId: number }) => instanceId)).toEqual([2, 1])
    await zones('move-method', '1', '1')
    await zones('edit-method', '1', '--class-cost', 'bulky=', '--class-cost', 'light=2', '--disable')
    expect((await methods())[0]).toMatchObject({ instanceId: 1, cost: '5', classCosts: { light: '2' }, enabled: false })
    expect((await zones('edit-method', '1', '--enable')).code).toBe(0)
    await zones('remove-method', '2')
    expect((await methods()).map(({ enabled }: { enabled: boolean }) => enabled)).toEqual([true])
  })

  it('tells every running shop of a change, and of nothing when it refused', async () => {
    const told: string[] = []
    const listening = await db.sql.listen(changeChannel, (what) => told.push(what))
    await zones('add', 'A', '--countries', 'XX')
    await zones('add', 'A')
    await zones('add-method', '1', 'flat_rate', '--cost', '(')
    await zones('add-method', '1', 'flat_rate', '--cost', '1')
    await expect.poll(() => told.length).toBe(2)
    await listening.unlisten()
  })

  it('points at the place where a formula cannot be read', async () => {
    await zones('add', 'A')
    const { err } = await zones('add-method', '1', 'flat_rate', '--cost', '10 + [qt] * 2')
    expect(err.split('\n')).toEqual([
      expect.stringMatching(/^Error: --cost[^:]*: cannot be read from "\[qt\] \* 2" on/),
      '  10 + [qt] * 2',
      '       ^',
    ])
  })

  it.each([
    [['--cost', '(2 + 1'], /^Error: --cost[^:]*: ends too early\n {2}\(2 \+ 1\n {8}\^$/],
    [['--cost', '1/0'], /^Error: --cost[^:]*: divides by zero$/],
    [['--cost', `1${' + 1'.repeat(200)}`], /^Error: --cost[^:]*: longer than 500 characters$/],
    [['--class-cost', 'bulky=x'], /^Error: --class-cost bulky[^:]*: cannot be read/],
    [['--class-cost', 'bulky'], /^Error: --class-cost[^:]*: "bulky" has no class and cost\. Example: /],
    [['--no-class-cost', '+'], /^Error: --no-class-cost[^:]*: ends too early/],
    [['--class-mode', 'all'], /^Error: --class-mode[^:]*: must be class or order$/],
    [['--tax-status', 'free'], /^Error: --tax-status[^:]*: "free" is unknown\. Choose one of: taxable, none\.$/],
    [['--minimum', '5'], /^Error: --minimum[^:]*: does not apply to flat_rate\. Leave it out\.$/],
    [['--requires', 'coupon'], /^Error: --requires[^:]*: does not apply to flat_rate\. Leave it out\.$/],
  ])('a flat rate with %j is refused by its option', async (args, words) => {
    await zones('add', 'A')
    expect(await zones('add-method', '1', 'flat_rate', '--cost', '1', ...args)).toMatchObject({
      code: 1,
      err: expect.stringMatching(words),
    })
    expect((await listed())[0].methods).toEqual([])
  })

  it.each([
    [['--requires', 'luck'], /^Error: --requires[^:]*: must be coupon, min_amount, either or both$/],
    [['--requires', 'both'], /^Error: --minimum[^:]*: is missing/],
    [['--requires', 'coupon', '--minimum', '5'], /^Error: --minimum[^:]*: is never looked at/],
    [['--minimum', '5.001'], /^Error: --minimum[^:]*: has more than 2 decimals$/],
    [['--minimum', '-5'], /^Error: --minimum[^:]*: must not be negative$/],
    [['--cost', '5'], /^Error: --cost[^:]*: does not apply to free_shipping\. Leave it out\.$/],
  ])('free shipping with %j is refused by its option', async (args, words) => {
    await zones('add', 'A')
    expect(await zones('add-method', '1', 'free_shipping', ...args)).toMatchObject({
      code: 1,
      err: expect.stringMatching(words),
    })
  })

  it('reads the minimum by the decimals of the currency', async () => {
    await writeSettings(db, { currency: 'JPY' })
    await zones('add', 'A')
    expect((await zones('add-method', '1', 'free_shipping', '--minimum', '5.5')).err).toContain(
      'the currency has no decimals',
    )
  })

  it.each([
    [['add'], 2, /^Error: "shipping-zones add" needs <name>\. Example: /],
    [['add', 'A', '--countries', 'DE,XX'], 1, /^Error: --countries[^:]*: "XX" is no country/],
    [['add', 'A', '--countries', 'US:ZZ'], 1, /^Error: --countries[^:]*: "US:ZZ" is no state of US$/],
    [['add', 'A', '--continents', 'Europe'], 1, /^Error: --continents[^:]*: "Europe" is no continent: there are AF/],
    [
      ['add', 'A', '--postcodes', '94134...94102'],
      1,
      /^Error: --postcodes[^:]*: "94134\.\.\.94102" ends before it begins: 94102/,
    ],
    [['add', 'A', '--postcodes', 'SW9...SW1A'], 1, /ends before it begins/],
    [['add', 'A', '--postcodes', '1...'], 1, /^Error: --postcodes[^:]*: "1\.\.\." is no range/],
    [['add', 'A', '--fallback', '--countries', 'DE'], 1, /^Error: --fallback[^:]*: takes what no other zone covers/],
    [['add', 'A', '--position', 'top'], 2, /^Error: --position "top" is not a whole number/],
    [['add', ' '], 1, /^Error: --name[^:]*: is missing$/],
    [['edit', '7', '--name', 'x'], 1, /shipping zone "7" does not exist|There is no shipping zone 7/],
    [['show', 'x'], 1, /^Error: shipping zone "x" does not exist/],
    [['remove', '7'], 1, /shipping zone "7" does not exist|There is no shipping zone 7/],
    [['move', '7', '1'], 1, /shipping zone "7" does not exist|There is no shipping zone 7/],
    [['move', '7', '0'], 2, /^Error: "7 0" is not a number and a position from 1 on/],
    [['add-method', '7', 'flat_rate'], 1, /shipping zone "7" does not exist|There is no shipping zone 7/],
    [['add-method', '7', 'flatrate'], 2, /Did you mean "flat_rate"\?/],
    [['edit-method', '7', '--cost', '1'], 1, /shipping method "7" does not exist|There is no shipping method 7/],
    [['remove-method', '7'], 1, /shipping method "7" does not exist|There is no shipping method 7/],
    [['addmethod'], 2, /Did you mean "shipping-zones add-method"\?/],
  ])('%j ends with %i and says why', async (args, code, words) => {
    expect(await zones(...args)).toMatchObject({ code, err: expect.stringMatching(words), out: '' })
  })

  it('has one fallback zone at most', async () => {
    await zones('add', 'Rest', '--fallback')
    expect((await zones('add', 'More', '--fallback')).err).toBe('Error: --fallback: is there already: the zone "Rest"')
  })
})
