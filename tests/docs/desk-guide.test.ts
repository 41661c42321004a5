import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadCommand } from '#cli/commands.ts'
import { deriveColumns } from '#database/catalog/derived-columns.ts'
import type { NewRow } from '#database/engine/schema/schema.ts'
import { insertOrder, replaceOrderItems } from '#database/orders/orders.ts'
import { emptyAddress } from '#shop/customers/sessions/session-state.ts'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { runCommandWith } from '#tests/support/process/command.ts'

const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/desk.md'), 'utf8')
const now = new Date('2026-05-12T09:30:00Z')

let db: TestDatabase
beforeAll(async () => {
  db = await aDatabase()
  await stock()
  await anOrder(1001, '2026-05-10T08:12Z', { status: 'processing', payment_state: 'paid', stock_reduced: true })
  await anOrder(1002, '2026-05-11T16:40Z', {
    status: 'on-hold',
    stock_reduced: true,
    attribution: { source_type: 'organic', utm_source: 'google', utm_medium: 'organic', device_type: 'Mobile' },
  })
  await anOrder(1003, '2026-05-12T09:05Z', { payment_method: 'ppcp', payment_method_title: 'PayPal' })
})
afterAll(() => db.close())

async function stock(): Promise<void> {
  await db.sql`insert into products (type, sku, name, slug, regular_price, manage_stock, stock_quantity, low_stock_amount, total_sales) values
    ('simple', 'BOWL', 'Salt bowl', 'salt-bowl', 2400, 'yes', 12, 5, 31),
    ('variable', 'MUG', 'Tide mug', 'tide-mug', null, 'no', null, null, 84)`
  await db.sql`insert into products (type, sku, name, slug, parent_id, regular_price, manage_stock, stock_quantity) values
    ('variation', 'MUG-SAND', 'Tide mug', 'v1', 2, 1500, 'no', null), ('variation', 'MUG-SEA', 'Tide mug', 'v2', 2, 1800, 'yes', 2)`
  await db.sql`insert into variation_attributes (product_id, slug, value) values (3, 'pa_colour', 'sand'), (4, 'pa_colour', 'sea')`
  await db.sql`insert into categories (name, slug) values ('Ceramics', 'ceramics')`
  await db.sql`insert into product_categories (product_id, category_id) values (1, 1), (2, 1)`
  await db.sql`insert into customers (email, username, first_name, last_name, display_name, password, billing, created_at, updated_at)
    values ('ida@example.test', 'ida', 'Ida', 'Vale', 'Ida', 'x', ${db.sql.json(ida)}, '2026-03-02T10:00Z', '2026-03-02T10:00Z')`
  await db.kysely.transaction().execute((tx) => deriveColumns(tx, [1, 2], now))
}

const ida = {
  ...emptyAddress,
  first_name: 'Ida',
  last_name: 'Vale',
  address_1: '1 Quay Street',
  city: 'Oakland',
  state: 'CA',
  postcode: '94607',
  country: 'US',
  email: 'ida@example.test',
}

/** Two bowls at 24.00, 8 % tax on them, 5.00 to ship: 56.84. */
async function anOrder(id: number, at: string, change: Partial<NewRow<'orders'>>): Promise<void> {
  const placed = new Date(at)
  const total = 4800 + 384 + 500
  await db.kysely.transaction().execute(async (tx) => {
    await insertOrder(tx, {
      id,
      key: `wc_order_Kz81hNq${id}aT`,
      status: 'pending',
      session_id: 's',
      intention: String(id),
      cart_hash: '',
      currency: 'USD',
      prices_include_tax: false,
      total,
      billing: ida,
      shipping: ida,
      payment_method: 'bacs',
      payment_method_title: 'Bank transfer',
      created_at: placed,
      updated_at: placed,
      paid_at: change.payment_state === 'paid' ? placed : null,
      customer_id: 1,
      ...change,
    })
    const none = { product_id: null, variation_id: null }
    const facts = { choices: [], attributes: {}, stockOwner: 1 }
    const bowls = { name: 'Salt bowl', sku: 'BOWL', quantity: 2, subtotal: 4800, total: 4800, total_tax: 384 }
    await replaceOrderItems(
      tx,
      id,
      [
        { type: 'line_item', ...none, ...bowls, product_id: 1, facts },
        { type: 'shipping', ...none, name: 'Standard', total: 500 },
        { type: 'tax', ...none, name: 'Sales tax', total: 384 },
      ],
      true,
    )
  })
}

/** The commands of the guide, each with the lines that it shows below them. */
const shown = [...guide.matchAll(/^```console\n(.*?)^```$/gms)].flatMap(([, block = '']) =>
  block
    .split(/^\$ npm run shop -- /m)
    .slice(1)
    .map((part) => {
      const [line = '', ...output] = part.trimEnd().split('\n')
      return { line, output: output.join('\n').trim() }
    }),
)

describe('the guide to the desk', () => {
  it('shows what its commands print, one after the other', async () => {
    expect(shown.length).toBeGreaterThan(15)
    const printed: { line: string; output: string }[] = []
    for (const { line } of shown) {
      const [name = '', ...args] = words(line)
      const command = await loadCommand(name)
      if (!command) throw new Error(`there is no command ${name}`)
      const lines: string[] = []
      const terminal = { print: (text: string) => lines.push(text), say: (text: string) => lines.push(text) }
      const clock = { now: () => now, sleep: async () => {} }
      const shop = { publicUrl: 'https://shop.example', clock }
      await runCommandWith({ ...terminal, ...shop }, command, db, ...args)
      printed.push({ line, output: lines.join('\n').trim() })
    }
    expect(printed).toEqual(shown)
  })
})

/** A line as a shell takes it apart. */
function words(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '')
}
