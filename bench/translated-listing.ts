import { writeSettings } from '#database/operations/configuration.ts'
import { saveOriginalsForIds } from '#database/translation/translations.ts'
import { inTurns } from './support/alternate-requests.ts'
import { aBenchShop, type BenchShop } from './support/bench-shop.ts'
import { report } from './support/report.ts'

/**
 * What does a listing cost in another language that nobody has asked for before, against the same in the language in which
 * the merchant writes? Every text of the page is translated, and every part of every address.
 */
const language = 'de-DE'
const letters = 'abcdefghijklmnopqrstuvwxyz'
const others = 'nopqrstuvwxyzabcdefghijklm'

await using shop = await aBenchShop()
await translateAll(shop)
const { byTime, byProcessor, first, second } = await inTurns(shop, { path: '/shop/' }, { path: '/de/laden/' })
report('translated-listing', [
  {
    what: 'a translated listing against the original, time at 8 connections',
    value: byTime,
    unit: '×',
    budget: { atMost: 1.05 },
  },
  {
    what: 'the same by processor time of shop and database',
    value: byProcessor,
    unit: '×',
    budget: { atMost: 1.05 },
  },
  { what: 'original', value: first, unit: 'a second' },
  { what: 'translated', value: second, unit: 'a second' },
])

/** Says all that the shop has met in another language, and gives each of its addresses words of that language. */
async function translateAll({ db, url, restart }: BenchShop): Promise<void> {
  await writeSettings(db, { languages: [{ tag: language }] })
  await restart()
  // What a page asks for is written down once it has been answered.
  for (let met = 0, before = -1; met === 0 || met > before; ) {
    before = met
    await (await fetch(`${url}/de/shop/?max_price=999999`)).text()
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    const [row] = await db.sql<{ n: number }[]>`
      select count(*)::int as n from translation_originals where area = 'content'`
    met = row?.n ?? 0
  }
  const products = await db.sql<{ slug: string }[]>`select slug from products`
  const categories = await db.sql<{ slug: string }[]>`select slug from categories`
  const slugs = [
    ...products.map(({ slug }) => ({ area: 'slug' as const, context: 'product', text: slug })),
    ...categories.map(({ slug }) => ({ area: 'slug' as const, context: 'category', text: slug })),
  ]
  await saveOriginalsForIds(db.kysely, slugs, new Date())
  const bases = [
    { own: 'product', text: 'produkt' },
    { own: 'product-category', text: 'kategorie' },
    { own: 'shop', text: 'laden' },
    { own: 'cart', text: 'warenkorb' },
  ]
  const ids = await saveOriginalsForIds(
    db.kysely,
    bases.map(({ own }) => ({ area: 'slug' as const, context: 'base', text: own })),
    new Date(),
  )
  for (const [index, { text }] of bases.entries()) {
    await db.sql`insert into translations (original_id, language, translated, status)
      values (${ids[index] ?? 0}::bigint, ${language}, ${text}, 2)`
  }
  // Letter by letter, so that an address has the letters of its name, as one has that is made of a translated name.
  await db.sql`insert into translations (original_id, language, translated, status)
    select id, ${language}, translate(original, ${letters + letters.toUpperCase()}, ${others + others.toUpperCase()}), 2
    from translation_originals where area in ('content', 'slug') on conflict do nothing`
  await restart()
}
