import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { editorNonces } from '#contract/translation/editor.ts'
import { translateAction } from '#contract/translation/translate.ts'
import { sha256 } from '#shop/shared/digest.ts'
import { aCustomer } from '#tests/support/customers/customer.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
/** The statements that the shop's own pool has sent since the last count began. */
let statements: string[] = []
let ids: number[] = []

beforeAll(async () => {
  shop = await aShop({ wallet: false, settings: { languages: [{ tag: 'de-DE' }] } })
  shop.shop.application.tools.db.sql.options.onstatement = (statement) => statements.push(statement)
  const products = await shop.db.sql<{ id: number }[]>`
    insert into products (type, name, slug, status, regular_price)
    select 'simple', 'Piece ' || n, 'piece-' || n, 'publish', 100 from generate_series(1, 450) n returning id`
  ids = products.map(({ id }) => Number(id))
})
afterAll(() => shop.close())

/** Statements that work in the background may add to a count; a loop over the fields would add hundreds. */
const ofTheBackground = 10

const manyOf = (count: number, field: (index: number) => [string, string]): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => field(index)))

async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  statements = []
  await work()
  return statements.length
}

/** A completed order of a customer, with a line for each of the 450 products. */
async function completedOrder(email: string): Promise<number> {
  const [order] = await shop.db.sql<{ id: number }[]>`
    insert into orders (key, status, session_id, intention, cart_hash, currency, prices_include_tax, total, billing, shipping,
      payment_method, payment_method_title, created_at, updated_at, customer_id)
    select 'wc_order_' || gen_random_uuid(), 'completed', 'x', gen_random_uuid()::text, 'x', 'USD', false, 45000, '{}', '{}', 'cod', 'Cash', now(), now(), id
    from customers where email = ${email} returning id`
  await shop.db.sql`
    insert into order_items (order_id, position, type, name, product_id, facts)
    select ${order?.id ?? 0}, n, 'line_item', 'Piece', product, '{"attributes":{}}'
    from unnest(${ids}::bigint[]) with ordinality as line (product, n)`
  return order?.id ?? 0
}

const group = async () => String(await shop.idOf('SET'))

describe('the form of a grouped product', () => {
  it('costs the same whether it names two products or 450, and adds children of the group alone', async () => {
    const guest = aCustomer(shop)
    const id = await group()
    const [mug, bowl] = [await shop.idOf('MUG'), await shop.idOf('BOWL')]
    const send = (fields: Record<string, string>) => guest.post('/product/tea-set/', { 'add-to-cart': id, ...fields })
    await guest.page('/product/tea-set/')
    const few = await statementsOf(() => send({ [`quantity[${mug}]`]: '1', [`quantity[${bowl}]`]: '1' }))
    const many = await statementsOf(() =>
      send({ [`quantity[${mug}]`]: '1', ...manyOf(450, (at) => [`quantity[${ids[at]}]`, '1']) }),
    )
    expect(many).toBeLessThanOrEqual(few + ofTheBackground)
    expect(await guest.cart()).toEqual(['2 Plain mug', '1 Soup bowl'])
  })

  it('reads and writes a group of 450 children once', async () => {
    const id = await group()
    const before = await shop.db.sql`select * from product_links where product_id = ${id} and kind = 'grouped'`
    await shop.db.sql`delete from product_links where product_id = ${id} and kind = 'grouped'`
    await shop.db.sql`
      insert into product_links (product_id, kind, position, linked_id)
      select ${id}, 'grouped', n, linked from unnest(${ids}::bigint[]) with ordinality as child (linked, n)`
    try {
      const guest = aCustomer(shop)
      const fields = { 'add-to-cart': id, ...manyOf(450, (at) => [`quantity[${ids[at]}]`, '1']) }
      const many = await statementsOf(() => guest.post('/product/tea-set/', fields))
      expect(many).toBeLessThan(30)
      expect(await guest.cart()).toHaveLength(450)
    } finally {
      await shop.db.sql`delete from product_links where product_id = ${id} and kind = 'grouped'`
      await shop.db.sql`insert into product_links ${shop.db.sql(before)}`
    }
  })

  it('tells of each child that is refused, in one write', async () => {
    const guest = aCustomer(shop)
    const id = await group()
    const bowl = await shop.idOf('BOWL')
    await shop.db.sql`update products set stock_quantity = 1, manage_stock = 'yes' where id = ${bowl}`
    const fields = { 'add-to-cart': id, [`quantity[${await shop.idOf('MUG')}]`]: '2', [`quantity[${bowl}]`]: '5' }
    await guest.post('/product/tea-set/', fields)
    const page = await guest.page('/product/tea-set/')
    expect(page).toContain('There is not enough of “Soup bowl” in stock (1 remaining).')
    expect(page).toContain('2 × “Plain mug” have been added to your cart.')
    expect(await guest.cart()).toEqual(['2 Plain mug'])
  })
})

describe('other lists that a visitor sends', () => {
  it('an order of 450 lines is bought again by a few statements', async () => {
    const customer = aCustomer(shop, 'grace@example.test')
    await customer.register()
    const orderId = await completedOrder('grace@example.test')
    const nonce = customer.nonce('woocommerce-order_again')
    const many = await statementsOf(() => customer.send(`/cart/?order_again=${orderId}&_wpnonce=${nonce}`))
    expect(many).toBeLessThan(40)
    expect(await customer.cart()).toHaveLength(450)
  })

  it('200 texts that a translator’s page meets are counted at once', async () => {
    const translator = aCustomer(shop, 'translator@example.test')
    await translator.register()
    await shop.db.sql`update customers set role = 'translator' where email = 'translator@example.test'`
    const ask = (count: number, name: string) =>
      translator.post(urls.adminAjax, {
        action: translateAction,
        all_languages: 'true',
        security: translator.nonce(editorNonces.frame),
        language: 'de_DE',
        original_language: 'en_US',
        originals: JSON.stringify(Array.from({ length: count }, (_, at) => `${name} text ${at}`)),
        skip_machine_translation: '[]',
        dynamic_strings: 'true',
        translate_numerals_opt: 'no',
      })
    await ask(1, 'first')
    await shop.db.sql`delete from rate_limits`
    const few = await statementsOf(() => ask(2, 'few'))
    expect(await statementsOf(() => ask(200, 'many'))).toBeLessThanOrEqual(few + ofTheBackground)
  })

  it.each([
    ['quantities of lines', '/cart/', (at: number): [string, string] => [`cart[${sha256(String(at))}][qty]`, '2']],
    ['shipping methods', '/cart/', (at: number): [string, string] => [`shipping_method[${at}]`, 'flat_rate:1']],
    [
      'shipping methods of the review',
      '/?wc-ajax=update_order_review',
      (at) => [`shipping_method[${at}]`, 'flat_rate:1'],
    ],
    ['attributes', '/?wc-ajax=get_variation', (at) => [`attribute_a${at}`, 'x']],
    ['fields of a checkout', '/?wc-ajax=checkout', (at) => [`billing_${at}`, 'x']],
  ] as [string, string, (at: number) => [string, string]][])('900 %s cost no more than two', async (_, path, field) => {
    const guest = aCustomer(shop)
    await guest.add('MUG')
    const nonces = {
      'woocommerce-cart-nonce': guest.nonce('woocommerce-cart'),
      security: guest.nonce('update-order-review'),
      update_cart: '1',
      product_id: String(await shop.idOf('SHIRT')),
    }
    const send = (count: number) => guest.post(path, { ...nonces, ...manyOf(count, field) })
    await send(2)
    const few = await statementsOf(() => send(2))
    expect(await statementsOf(() => send(900))).toBeLessThanOrEqual(few + ofTheBackground)
  })
})
