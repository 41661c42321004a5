import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfiguration } from '#database/operations/configuration.ts'
import { shopConfiguration } from '#shop/operations/settings/shop-configuration.ts'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'

describe('shop.config.ts, as Node runs it', () => {
  /** Below the project, as the merchant's is: there `#contract` means what it says. */
  let place: string
  let db: TestDatabase
  beforeAll(async () => {
    db = await aDatabase()
    const reports = join(import.meta.dirname, '../../../reports')
    await mkdir(reports, { recursive: true })
    place = await mkdtemp(join(reports, 'config-'))
  })
  afterAll(async () => {
    await db.close()
    await rm(place, { recursive: true, force: true })
  })

  async function shop(content: string, verb: string) {
    const file = join(place, 'shop.config.ts')
    await writeFile(file, content)
    const child = spawn(process.execPath, ['src/cli/main.ts', 'config', verb], {
      env: { ...process.env, DATABASE_URL: db.url, SHOP_CONFIG: file, NODE_OPTIONS: '' },
    })
    const [err, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
    return { err, code: code as number | null }
  }

  it('applies the worked example of the guide, which the compiler has nothing to say against', async () => {
    const guide = await readFile(join(import.meta.dirname, '../../../docs/guides/configuration.md'), 'utf8')
    const [, example = ''] = /```ts\n(.*?)```/s.exec(guide) ?? []
    expect(await shop(example, 'apply')).toEqual({
      code: 0,
      err: expect.stringMatching(/^Applied \d+ changes\. Running shops/),
    })
    const { settings, taxRates, shippingZones, faults } = shopConfiguration(await readConfiguration(db))
    expect(faults).toEqual([])
    expect([settings.name, settings.currency, settings.taxes.pricesIncludeTax]).toEqual(['Fogline', 'EUR', true])
    expect(taxRates.map(({ ratePpm }) => ratePpm)).toEqual([190_000, 70_000, 200_000])
    expect(shippingZones.map(({ methods }) => methods.length)).toEqual([1, 3, 1])
    expect((await db.sql`select code from coupons order by 1`).map(({ code }) => code)).toEqual(['hello', 'postage'])
    expect(await shop(example, 'check')).toEqual({ code: 0, err: 'No changes: the shop matches shop.config.ts.\n' })

    const misspelt = example.replace('limitPerCustomer', 'limitPerCostumer')
    await writeFile(join(place, 'misspelt.config.ts'), misspelt)
    const files = ['shop.config.ts', 'misspelt.config.ts']
    const project = { extends: '../../tsconfig.json', files, include: [] }
    await writeFile(join(place, 'tsconfig.json'), JSON.stringify(project))
    const { stdout } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', place], {
      encoding: 'utf8',
    })
    const complaints = stdout.split('\n').filter((line) => line.includes('.config.ts'))
    expect(complaints).toEqual([expect.stringMatching(/misspelt\.config\.ts.*limitPerCostumer/)])
  }, 60_000)

  it.each([
    [
      'export default {\n  coupons: [1,\n  amount: = 4,\n}',
      /^Error: shop\.config\.ts, line 3: Expected ',', got ':'\n$/,
    ],
    ['enum Colour { Red }\nexport default {}', /^Error: shop\.config\.ts, line 1: .*enum/],
    ["import './nowhere.ts'\nexport default {}", /^Error: shop\.config\.ts: Cannot find module/],
    ['export default {\n  coupons: rates,\n}', /^Error: shop\.config\.ts, line 2: rates is not defined\n$/],
  ])(
    'names the line of what cannot be read as code: %j',
    async (content, words) => {
      expect(await shop(content, 'check')).toEqual({ code: 1, err: expect.stringMatching(words) })
    },
    30_000,
  )
})
