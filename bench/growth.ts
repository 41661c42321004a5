import { changeChannel } from '#database/engine/change-counts.ts'
import { aBenchShop, type BenchShop } from './support/bench-shop.ts'
import { fillCatalog, wordsOfNames } from './support/many-products.ts'
import { residentMb } from './support/processes.ts'
import { median, report } from './support/report.ts'

/**
 * What does a page cost when the shop has 100,000 products instead of 200? Both shops run side by side and are asked in
 * turns, one request at a time, for the same addresses. Every address is asked once, then both page caches are emptied;
 * nothing else keeps answers.
 */
const rounds = 5
const small = 200
const large = Number(process.env.GROWTH_PRODUCTS ?? 100_000)

const sortings = ['menu_order', 'popularity', 'rating', 'date', 'price', 'price-desc']
const { nouns, makes, colours } = wordsOfNames

/** Addresses by kind, the same for both shops: the larger one has further pages, which are asked for by themselves. */
function addresses(): Record<string, string[]> {
  const listing = sortings.flatMap((sorting) => [1, 2, 3, 5, 8].map((page) => `/shop/page/${page}/?orderby=${sorting}`))
  const departments = ['kitchen', 'table', 'bath', 'bedroom', 'living', 'garden', 'office', 'gifts']
  const category = departments.flatMap((slug) =>
    sortings.map((sorting) => `/product-category/${slug}/?orderby=${sorting}`),
  )
  const facet = departments.flatMap((slug, at) => {
    const three = `${colours[at]},${colours[(at + 4) % 10]},${colours[(at + 7) % 10]}`
    return [
      `/shop/?filter_colour=${three}`,
      `/shop/?filter_material=${makes[at % 6]}&orderby=price`,
      `/shop/?filter_product_cat=${slug}&filter_stock_status=instock`,
      `/shop/?filter_colour=${three}&filter_stock_status=instock&orderby=date`,
      `/shop/?filter_material=${makes[at % 6]},${makes[(at + 3) % 6]}&filter_stock_status=instock&orderby=price-desc`,
      `/shop/?filter_colour=${three}&min_price=20&max_price=${150 + at}`,
    ]
  })
  const search = [
    ...nouns,
    ...makes,
    ...[...nouns, ...makes].map((word) => `${word} every day`),
    // Typing errors.
    ...nouns.map((noun) => `${noun.slice(0, 3)}x${noun.slice(3)}`).filter((noun) => noun.length > 4),
  ].map((term) => `/?s=${term.replaceAll(' ', '+')}&post_type=product`)
  const suggestions = nouns.flatMap((noun) =>
    [2, 3, 4].map((letters) => `/search-suggestions/?term=${noun.slice(0, letters)}`),
  )
  return { listing, category, facet, search, suggestions }
}

await using few = await aBenchShop({ products: 4 })
await using many = await aBenchShop({ products: 4 })
const filled: Record<string, number> = {}
for (const [shop, count] of [
  [few, small],
  [many, large],
] as const) {
  const began = performance.now()
  await fillCatalog(shop.db, count)
  filled[count] = (performance.now() - began) / 1000
  await shop.restart()
}
const firstSearch = performance.now()
await timed(many, '/?s=oak&post_type=product')
const indexed = performance.now() - firstSearch

const paths = addresses()
const emptyTimes = () => Object.fromEntries(Object.keys(paths).map((kind): [string, number[]] => [kind, []]))
const asked = [
  { shop: few, times: emptyTimes() },
  { shop: many, times: emptyTimes() },
]
const deep: number[] = []
for (let round = -1; round < rounds; round += 1) {
  for (const shop of [few, many]) await shop.db.sql`select pg_notify(${changeChannel}, 'configuration')`
  await new Promise((resolve) => setTimeout(resolve, 300))
  for (const [kind, ofKind] of Object.entries(paths)) {
    for (const path of ofKind) {
      for (const { shop, times } of asked) {
        const ms = await timed(shop, path)
        // The first round warms up both.
        if (round >= 0) times[kind]?.push(ms)
      }
    }
  }
  for (const page of [1000, 2000, 3000, 4000]) {
    if (round >= 0 && large >= 100_000) deep.push(await timed(many, `/shop/page/${page + round}/?orderby=price`))
  }
}

const p50 = (at: number, kind: string) => median(asked[at]?.times[kind] ?? [])
const kinds = Object.keys(paths)
report('growth', [
  ...kinds.map((kind) => ({
    what: `${kind} p50, ${large} products against ${small}`,
    value: p50(1, kind) / p50(0, kind),
    unit: '×',
    budget: { atMost: 1.5 },
  })),
  ...kinds.flatMap((kind) => [
    { what: `${kind} p50 with ${small}`, value: p50(0, kind), unit: 'ms' },
    { what: `${kind} p50 with ${large}`, value: p50(1, kind), unit: 'ms' },
  ]),
  ...(deep.length > 0 ? [{ what: 'pages 1,000 to 4,000 by price, p50', value: median(deep), unit: 'ms' }] : []),
  { what: `index of ${large} after a start, first search answered`, value: indexed, unit: 'ms' },
  { what: `start with ${large}`, value: many.startedInMs, unit: 'ms' },
  { what: `resident memory with ${small}`, value: residentMb(few.pids.shop), unit: 'MB' },
  { what: `resident memory with ${large}`, value: residentMb(many.pids.shop), unit: 'MB' },
  { what: `filled with ${large}`, value: filled[large] ?? 0, unit: 's' },
])

/** How long an answer takes until its last byte, in milliseconds. @throws when it was no page */
async function timed({ url }: Pick<BenchShop, 'url'>, path: string): Promise<number> {
  const began = performance.now()
  const response = await fetch(url + path)
  await response.arrayBuffer()
  const took = performance.now() - began
  if (!response.ok && response.status !== 404) throw new Error(`${path} answered ${response.status}`)
  return took
}
