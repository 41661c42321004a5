import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeApiKey } from '#shop/operations/api-keys.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

// The guide for programs, followed to the letter: its shell blocks, one after the other, in one folder.

const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/api.md'), 'utf8')
const blocks = [...guide.matchAll(/```sh\n(.*?)```/gs)]
  .map(([, block = '']) => block)
  .filter((block) => !block.startsWith('npm '))

let shop: TestShop
let folder: string
beforeAll(async () => {
  shop = await aShop({ wallet: false })
  folder = await mkdtemp(join(tmpdir(), 'api-guide-'))
})
afterAll(async () => {
  await shop?.close()
  await rm(folder, { recursive: true, force: true })
})

it('the guide for programs: its calls answer as it says', async () => {
  const { consumerKey, consumerSecret } = await makeApiKey(shop.shop.application.tools, {
    description: 'Warehouse',
    permission: 'read_write',
    who: 'tester',
  })
  const script = blocks
    .join('\n')
    .replace('http://localhost:3000', shop.url)
    .replace('ck_…:cs_…', `${consumerKey}:${consumerSecret}`)
    // One answer a line.
    .replace(/^curl (?!-s)/gm, "curl -sS -w '\\n' ")
  const { stdout } = await promisify(execFile)('sh', ['-euc', script], { cwd: folder })
  const answers = stdout
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line))
  expect(answers).toMatchObject([
    [],
    expect.arrayContaining([{ id: expect.any(Number), name: 'Plain mug', price: expect.any(String) }]),
    { sku: 'BLUE-BOWL', price: '24.00' },
    { sku: 'BLUE-BOWL', price: '22.00' },
    { items: [{ sku: 'BLUE-BOWL', quantity: 2 }], items_count: 2 },
    { items_count: 2, totals: { total_items: '4400', currency_minor_unit: 2 } },
    { sku: 'BLUE-BOWL' },
  ])
})
