import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { restNonceAction } from '#contract/shared/rest.ts'
import { aGuest, type Guest } from '#tests/security/support/guest.ts'
import { type Staff, staffMember } from '#tests/support/customers/staff.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { size } from '#tests/support/size.ts'

/** What becomes of a text that is put into a statement: whoever lets one of these in counts up a sequence. */
const call = "nextval('witness')"
const bodies = [
  ...[
    `${call}`,
    `(select ${call})`,
    `||${call}||`,
    ` or ${call}>0`,
    ` and ${call}>0`,
    ` union select ${call}`,
    `;select ${call};`,
  ],
  ...[
    `;select ${call},pg_sleep(5);`,
    ` and (select ${call} from pg_sleep(5)) is not null`,
    `::int+${call}`,
    `,${call}`,
  ],
  ...[
    ` limit ${call}`,
    ` order by ${call}`,
    ` desc,${call}`,
    `) or (${call}>0`,
    `));select ${call};`,
    `) union all select ${call},null`,
  ],
  ...[
    `;do $x$begin perform ${call};end$x$;`,
    ` returning ${call}`,
    `||(select ${call}::text)||`,
    ` is null or ${call}=1`,
  ],
  ...[
    ` and case when ${call}>0 then true else false end`,
    `;copy (select ${call}) to program 'true';`,
    ` between 0 and ${call}`,
  ],
]
const breakouts: readonly (readonly [before: string, after: string])[] = [
  ...([
    ['', ''],
    ["'", '--'],
    ["'", "'"],
    ['"', '"'],
    ['"', '--'],
    [')', '--'],
    ["')", '--'],
    ["'))", '--'],
    ['1', '--'],
  ] as const),
  ...([
    ["1'", "or'1'='1"],
    ['-1', '/*'],
    ["\\'", '--'],
    ['%27', '--'],
    ['ʼ', '--'],
    ["''", '--'],
    ["x'/**/", '#'],
    ['$$', '$$'],
  ] as const),
  ...([
    ['{', '}'],
    ["['", "']"],
    ['null', '--'],
    ['*/', '/*'],
    ["E'\\", '--'],
    ['1\n', '--'],
    ['1;\t', ';--'],
    ["'\u00a0", '--'],
  ] as const),
]
const corpus = breakouts.flatMap(([before, after]) => bodies.map((body) => before + body + after))
/** Ends what was begun where the same word is true, and where it is false: the answers must not tell them apart. */
const pairs = ["' and '1'='", '" and "1"="', ' and 1=', "') and ('1'='", "%' and '1%'='"].map(
  (text) => [`${text}1`, `${text}2`] as const,
)

const faults: string[] = []
let shop: TestShop
let staff: Staff
let guest: Guest
beforeAll(async () => {
  const note = (facts: Record<string, unknown>, message: string) =>
    void faults.push(`${message} ${JSON.stringify(facts)}`)
  shop = await aShop({
    settings: { languages: [{ tag: 'de-DE' }] },
    environment: { log: { info: () => {}, warn: () => {}, error: note } },
  })
  staff = await staffMember(shop, 'mona@example.test', 'shop_manager')
  guest = aGuest(shop)
  await guest.add('MUG')
  await shop.db.sql`create sequence witness`
})
afterAll(() => shop?.close())

const html = { headers: { accept: 'text/html' } }
const query = (path: string, names: readonly string[]) =>
  names.map(
    (name): Place => [
      `${path} ${name}`,
      (text) => guest.send(`${path}${path.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(text)}`, html),
    ],
  )
const call2 = (endpoint: string, fixed: Record<string, string>, names: readonly string[]) =>
  names.map(
    (name): Place => [`${endpoint} ${name}`, (text) => guest.post(`/?wc-ajax=${endpoint}`, { ...fixed, [name]: text })],
  )
const asStaff = (path: string, names: readonly string[]) =>
  names.map(
    (name): Place => [
      `${path} ${name}`,
      async (text) => {
        const nonce = await (await staff.send(`/wp-admin/admin-ajax.php?action=${restNonceAction}`)).text()
        return staff.send(`${path}${path.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(text)}`, {
          headers: { accept: 'text/html', 'x-wp-nonce': nonce },
        })
      },
    ],
  )

/** Everything by which somebody else's text sorts, filters, searches or names something. */
type Place = readonly [name: string, ask: (text: string) => Promise<Response>]
const places: readonly Place[] = [
  ...query('/shop/', [
    'orderby',
    'order',
    'min_price',
    'max_price',
    'filter_colour',
    'query_type_colour',
    'filter_product_cat',
    'filter_stock_status',
    'paged',
    'currency',
    'lang',
  ]),
  ...query('/', ['s', 'p', 'product_tag', 'add-to-cart']),
  ...query('/search-suggestions/', ['term']),
  ...query('/product/linen-shirt/', ['attribute_pa_colour', 'attribute_colour', 'variation_id']),
  ...query('/cart/', ['remove_item', 'undo_item', 'remove_coupon', 'order_again']),
  ...query('/checkout/order-received/1/', ['key']),
  ...query('/checkout/order-pay/1/', ['key']),
  ...query('/checkout/wallet-return/', ['token', 'PayerID']),
  ...query('/pay/kept/', ['key']),
  ...query('/my-account/lost-password/', ['key', 'login', 'id']),
  ...query('/my-account/confirm-email/', ['key', 'token']),
  ...[
    '/product/X/',
    '/product-category/X/',
    '/product-tag/X/',
    '/download/X/',
    '/X/',
    '/media/X',
    '/shop/page/X/',
    '/checkout/order-received/X/?key=1',
    '/product-tag/clay/page/X/',
  ].map((path): Place => [path, (text) => guest.send(path.replace('X', encodeURIComponent(text)), html)]),
  ...call2('add_to_cart', {}, ['product_id', 'quantity', 'variation_id', 'attribute_pa_colour']),
  ...call2('get_variation', {}, ['product_id', 'attribute_pa_colour', 'attribute_size']),
  ...call2('remove_from_cart', {}, ['cart_item_key']),
  [
    'apply_coupon',
    (text) => guest.post('/?wc-ajax=apply_coupon', { security: guest.nonce('apply-coupon'), coupon_code: text }),
  ],
  [
    'remove_coupon',
    (text) => guest.post('/?wc-ajax=remove_coupon', { security: guest.nonce('remove-coupon'), coupon: text }),
  ],
  [
    'update_order_review',
    (text) =>
      guest.post('/?wc-ajax=update_order_review', {
        security: guest.nonce('update-order-review'),
        country: text,
        state: text,
        postcode: text,
        city: text,
        payment_method: text,
        'shipping_method[0]': text,
      }),
  ],
  [
    'log in',
    (text) =>
      guest.post('/my-account/', {
        username: text,
        password: text,
        login: '1',
        'woocommerce-login-nonce': guest.nonce('woocommerce-login'),
      }),
  ],
  [
    'cookies',
    (text) =>
      fetch(`${shop.url}/shop/`, {
        headers: {
          cookie: `__Host-sid=${encodeURIComponent(text)}; sid=${encodeURIComponent(text)}; currency=${encodeURIComponent(text)}`,
        },
      }),
  ],
  [
    'headers',
    (text) =>
      fetch(`${shop.url}/cart/`, {
        headers: {
          'user-agent': text.replaceAll(/[^\x20-\x7e]/g, ''),
          'accept-language': encodeURIComponent(text),
          'x-forwarded-for': encodeURIComponent(text),
          'idempotency-key': encodeURIComponent(text),
        },
      }),
  ],
  [
    'statistics',
    (text) =>
      fetch(
        `${shop.url}/?${new URLSearchParams({ wp_statistics_hit: 'yes', current_page_type: 'shop', current_page_id: '1', page_uri: `/${text}`, search_query: Buffer.from(text).toString('base64'), referred: `https://a.example/${text}`, utm_source: text, utm_campaign: text })}`,
        { headers: { 'sec-fetch-site': 'same-origin', 'user-agent': 'Mozilla/5.0 Firefox/145.0' } },
      ),
  ],
  [
    'translate',
    (text) =>
      guest.post('/api/translate', {
        action: 'trp_get_translations_regular',
        language: 'de_DE',
        original_language: text,
        originals: JSON.stringify([text, `${text}x`]),
      }),
  ],
  ...asStaff('/wp-json/wc/v3/orders', [
    'orderby',
    'order',
    'search',
    'status',
    'page',
    'per_page',
    'after',
    'customer',
    'product',
    'include',
    '_fields',
  ]),
  ...asStaff('/wp-json/wp/v2/media', ['orderby', 'search', 'page', 'media_type']),
  ...asStaff('/translate/texts/', ['s', 'language', 'status', 'page', 'sort', 'area']),
  ...asStaff('/api/stats/report', ['from', 'to', 'report', 'order', 'page']),
]

const heard = async () => (await shop.db.sql<{ is_called: boolean }[]>`select is_called from witness`)[0]?.is_called

describe('texts that would be SQL', () => {
  it('T16 are no SQL in any sort, filter, search or id', { timeout: size(180_000, 1_800_000) }, async () => {
    const bad: string[] = []
    let next = 0
    for (const [name, ask] of places) {
      for (let turn = 0; turn < size(10, corpus.length); turn += 1) {
        // A stride that shares no factor with the length: in the end every place gets every text.
        next = (next + 37) % corpus.length
        const text = corpus[next] ?? ''
        const response = await ask(text)
        await response.body?.cancel()
        if (response.status >= 500) bad.push(`${name} answered ${response.status} to ${text}`)
      }
    }
    await shop.shop.application.statistics.flush()
    expect(bad).toEqual([])
    expect(faults).toEqual([])
    expect(await heard()).toBe(false)
  })

  it('T16 true and false make no difference', { timeout: 120_000 }, async () => {
    const told: string[] = []
    for (const [name, ask] of places.filter(([name]) => /shop|search|product|orders|media|texts/.test(name))) {
      for (const [yes, no] of pairs.slice(0, size(2, pairs.length))) {
        const of = async (text: string) => {
          const response = await ask(`mug${text}`)
          const shown = await response.text()
          // What stands in the answer because it was asked for is not what was found.
          return `${response.status} ${/data-product-ids="[\d,]*"/.exec(shown)?.[0] ?? ''} ${(shown.match(/<li|"id":/g) ?? []).length}`
        }
        const [first, second] = [await of(yes), await of(no)]
        if (first !== second) told.push(`${name}: ${first} and ${second} for ${yes}`)
      }
    }
    expect(told).toEqual([])
    expect(await heard()).toBe(false)
  })

  it('T16 the witness hears of a text that does get into a statement', async () => {
    let statements = 0
    for (const text of corpus.filter((one) => !one.includes('program'))) {
      for (const statement of [`select '${text}'`, `select 1 where 1=${text}`]) {
        // Most are no statement: one that is suffices.
        await shop.db.sql.unsafe(statement.replace('pg_sleep(5)', 'pg_sleep(0)')).then(
          () => (statements += 1),
          () => undefined,
        )
      }
    }
    expect(statements).toBeGreaterThan(3)
    expect(await heard()).toBe(true)
  })
})

/** Where a text becomes a part of a statement, and why it may: nothing of it comes from outside of the code. */
const builtIn: Readonly<Record<string, string>> = {
  'src/database/operations/backup-tables.ts':
    'names of tables and columns, quoted, that the database or a backup has; COPY takes no parameters',
  'src/database/catalog/index-rows.ts': 'columns and conditions written out in the same part',
  'src/database/catalog/product-changes.ts': 'names of columns, from a list in the same statement',
  'src/database/catalog/product-page.ts': 'members of JSON written out in the same part',
  'src/database/catalog/product-rows.ts': 'members of JSON written out in the same part',
  'src/database/catalog/share-rows.ts': 'columns and conditions written out in the same part',
  'src/database/catalog/sitemap-rows.ts': 'conditions written out in the same part',
  'src/database/catalog/store-products.ts': 'members of JSON written out in a part beside it',
  'src/database/catalog/store-terms.ts': 'members of JSON written out in a part beside it',
  'src/database/catalog/variation-choices.ts': 'members of JSON written out in a part beside it',
  'src/database/catalog/write-products.ts': 'names of columns, from a list in the same file',
  'src/database/orders/desk-orders.ts': 'one of two names of columns, by a type of two words',
  'src/database/engine/driver/kysely-pool.ts': 'statements as Kysely has built them, their values apart as parameters',
  'src/database/engine/driver/sql.ts':
    'begin, commit and fetch, written out in the same file; the mode of a transaction is written by its caller',
  'src/database/engine/embedded/embedded.ts': 'one statement without any value',
  'src/database/engine/migrate.ts': 'the migrations themselves',
  'src/database/engine/partition/partition-table.ts':
    'names, quoted, and definitions as the database itself tells them; bounds are whole numbers',
  'src/database/engine/partition/partitions.ts': 'names of tables and an expression, written out in the same file',
  'src/database/payments/payments.ts': 'two whole numbers: of a lock, and from a sequence',
  'src/database/engine/pipeline.ts': 'statements as Kysely has built them, their values apart as parameters',
  'src/database/operations/restore-target.ts': 'names, quoted, and definitions as the database itself tells them',
  'src/database/translation/queue.ts': 'a number of seconds, a constant of the same file',
  'src/shop/operations/doctor/check-invariants.ts': 'lists of states written out in the same file',
  'src/shop/operations/backup/restore-backup.ts':
    'names of tables, quoted, that were compared with those of the database',
}

describe('the code', () => {
  const root = join(import.meta.dirname, '../../..')
  const sources = globSync('src/**/*.{ts,tsx}', { cwd: root })
    .filter((file) => !/\.test\.tsx?$|fixtures/.test(file))
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))

  it('T16 puts values into statements as parameters; what is put in as text stands in a list, with its reason', () => {
    const raw = sources
      .filter(({ text }) => /\bsql\.(?:raw|unsafe|lit|literal)\(|\.unsafe\(/.test(text))
      .map(({ file }) => file)
    expect(raw.sort()).toEqual(Object.keys(builtIn).sort())
  })

  it('T16 gives to those places nothing of a request, a form or a setting', () => {
    const outside = /\b(?:request|visit|fields|params|searchParams|input|query|settings|posted|form|body)\b/
    const found = sources.flatMap(({ file, text }) =>
      [...text.matchAll(/\.(?:raw|unsafe)\(((?:[^()]|\([^()]*\))*)\)/g)]
        .filter(([, argument = '']) => outside.test(argument.replaceAll(/'[^']*'/g, '')))
        .map(([whole]) => `${file}: ${whole}`),
    )
    expect(found).toEqual([])
  })
})
