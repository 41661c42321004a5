import { aBenchShop, type BenchShop } from './support/bench-shop.ts'
import { load } from './support/load.ts'
import { aNextShop, type NextShop, nextVersion } from './support/next-shop.ts'
import { cpuSeconds } from './support/processes.ts'
import { median, report } from './support/report.ts'

/**
 * How many listings that nobody has asked for before does the shop answer with, against Next.js that renders the same components
 * with facts read by the same code from the same database for every request? Once they are server components, which is how
 * Next.js makes a page of which nothing is hydrated, and once a client component, all of which is. One process each, sent as they
 * come to a browser that takes gzip alone: Next.js knows no brotli.
 */
const rounds = 5
const seconds = 3
const headers = { 'accept-encoding': 'gzip' }

await using shop = await aBenchShop()
await using next = await aNextShop(shop.databaseUrl)
if (next) await compare(shop, next)
else {
  report('next-listing', [])
  console.log(`  skipped: npm cannot fetch next ${nextVersion}`)
}

type Page = { readonly url: string; readonly pid: number }
type Answer = { readonly perSecond: number; readonly cpuMs: number }

async function compare({ url, pids }: BenchShop, next: NextShop): Promise<void> {
  const pages = {
    own: { url: `${url}/shop/`, pid: pids.shop },
    server: { url: `${next.url}/shop`, pid: next.pid },
    client: { url: `${next.url}/hydrated`, pid: next.pid },
  }
  const html = await eachOf(pages, async (page) => (await fetch(`${page.url}?max_price=1000000`)).text())
  const shapes = Object.values(html).map((text) => JSON.stringify(shapeOf(text)))
  if (shapeOf(html.own).names.length !== 24 || new Set(shapes).size !== 1) {
    throw new Error(`the pages are not alike: ${shapes.join()}`)
  }
  const answers: Record<keyof typeof pages, Answer>[] = []
  // The first round warms all.
  for (let round = 0; round <= rounds; round += 1) {
    const answer = await eachOf(pages, measure)
    if (round > 0) answers.push(answer)
  }
  const of = (pick: (answer: (typeof answers)[number]) => number) => median(answers.map(pick))
  report('next-listing', [
    {
      what: `listing, cache off, against server components of Next.js ${nextVersion}`,
      value: of(({ own, server }) => own.perSecond / server.perSecond),
      unit: '×',
      budget: { atLeast: 6 },
    },
    {
      what: 'the same by processor time of the two processes, PostgreSQL apart',
      value: of(({ own, server }) => server.cpuMs / own.cpuMs),
      unit: '×',
    },
    {
      what: 'against one client component of it',
      value: of(({ own, client }) => own.perSecond / client.perSecond),
      unit: '×',
    },
    { what: 'the same by processor time', value: of(({ own, client }) => client.cpuMs / own.cpuMs), unit: '×' },
    ...(['own', 'server', 'client'] as const).flatMap((name) => [
      { what: `${name}: pages`, value: of((one) => one[name].perSecond), unit: 'a second' },
      { what: `${name}: processor time a page`, value: of((one) => one[name].cpuMs), unit: 'ms' },
      { what: `${name}: HTML`, value: html[name].length / 1024, unit: 'KB' },
    ]),
  ])
}

/** One after the other. */
async function eachOf<Name extends string, Told>(
  pages: Record<Name, Page>,
  tell: (page: Page) => Promise<Told>,
): Promise<Record<Name, Told>> {
  const told: Partial<Record<Name, Told>> = {}
  for (const name in pages) told[name] = await tell(pages[name])
  // Complete: each name of `pages` has been told.
  return told as Record<Name, Told>
}

async function measure({ url, pid }: Page): Promise<Answer> {
  const before = cpuSeconds(pid, { withChildren: true })
  const { perSecond } = await load({ url, seconds, headers, freshAddresses: true })
  return { perSecond, cpuMs: ((cpuSeconds(pid, { withChildren: true }) - before) * 1000) / (perSecond * seconds) }
}

/** What all of them must have in common, or one of them is less work. */
function shapeOf(html: string) {
  const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'))
  const every = (pattern: RegExp) => [...main.matchAll(pattern)].map(([, text]) => text)
  return {
    names: every(/woocommerce-loop-product__title[^>]*>([^<]+)</g),
    // React parts texts that stand side by side by comments where it hydrates.
    prices: every(/woocommerce-Price-amount[^>]*>(.+?)<\/bdi>/g).map((text) => text?.replace(/<[^>]*>/g, '')),
    images: every(/(<img)/g).length,
    links: every(/(<a )/g).length,
  }
}
