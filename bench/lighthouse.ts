import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import lighthouse from 'lighthouse'
import { anOwnChromium } from '#tests/support/browser/own-chromium.ts'
import { aDemoShop, filledCart } from './support/demo-shop.ts'
import { type Figure, median, report } from './support/report.ts'

/**
 * What does Lighthouse say of the pages that sell? Its mobile preset (a slow phone on a slow network, simulated), the demo shop
 * with the emulator, median of five. `node bench/lighthouse.ts 1 cart` looks once at one page; the reports with what costs
 * points are in `reports/lighthouse/`.
 */

const pages = ['home', 'listing', 'product', 'cart', 'checkout'] as const
type Page = (typeof pages)[number]

const demanded = { performance: 98, accessibility: 100, 'best-practices': 100, seo: 100 } as const
type Category = keyof typeof demanded

export type Verdict = {
  /** 0 to 100. */
  readonly scores: Readonly<Record<Category, number>>
  /** Milliseconds, and the sum of layout shifts. */
  readonly metrics: { readonly lcp: number; readonly tbt: number; readonly cls: number; readonly fcp: number }
  /** Audits that count and were not passed, worst first. */
  readonly faults: readonly string[]
}

const reports = join(import.meta.dirname, '../reports/lighthouse')

/** Looks at a page once. The browser keeps its cookies between two looks, so a filled cart stays. */
async function look(url: string, port: number, name: string): Promise<Verdict> {
  const result = await lighthouse(url, {
    port,
    output: 'json',
    logLevel: 'error',
    onlyCategories: Object.keys(demanded),
  })
  if (!result) throw new Error(`Lighthouse gave no answer for ${url}`)
  const { lhr } = result
  if (lhr.runtimeError) throw new Error(`${url}: ${lhr.runtimeError.message}`)
  mkdirSync(reports, { recursive: true })
  writeFileSync(join(reports, `${name}.json`), JSON.stringify(lhr))
  const figure = (id: string) => lhr.audits[id]?.numericValue ?? Number.NaN
  const score = (category: Category) => Math.round((lhr.categories[category]?.score ?? 0) * 100)
  return {
    scores: {
      performance: score('performance'),
      accessibility: score('accessibility'),
      'best-practices': score('best-practices'),
      seo: score('seo'),
    },
    metrics: {
      lcp: figure('largest-contentful-paint'),
      tbt: figure('total-blocking-time'),
      // To the third digit, as Lighthouse shows it.
      cls: Number(figure('cumulative-layout-shift').toFixed(3)),
      fcp: figure('first-contentful-paint'),
    },
    faults: Object.values(lhr.categories)
      .flatMap(({ title, auditRefs }) => auditRefs.map(({ id, weight }) => ({ title, weight, audit: lhr.audits[id] })))
      .filter(({ weight, audit }) => weight > 0 && audit && audit.score !== null && audit.score < 0.98)
      .map(({ title, audit }) => `${title}: ${audit?.title} ${audit?.displayValue ?? ''}`.trim()),
  }
}

function figuresOf(page: Page, looks: readonly Verdict[]): Figure[] {
  const of = (pick: (look: Verdict) => number) => median(looks.map(pick))
  const categories = Object.entries(demanded) as [Category, number][]
  return [
    ...categories.map(([category, atLeast]) => ({
      what: `${page}: ${category}`,
      value: of(({ scores }) => scores[category]),
      unit: '',
      budget: { atLeast },
    })),
    { what: `${page}: largest contentful paint`, value: of(({ metrics }) => metrics.lcp), unit: 'ms' },
    { what: `${page}: blocking time`, value: of(({ metrics }) => metrics.tbt), unit: 'ms', budget: { atMost: 50 } },
    { what: `${page}: layout shift`, value: of(({ metrics }) => metrics.cls), unit: '', budget: { atMost: 0 } },
  ]
}

if (import.meta.main) {
  const rounds = Number(process.argv[2] ?? 5)
  const wanted = process.argv.slice(3)
  await using shop = await aDemoShop()
  const cookies = (await filledCart(shop.url)).map((cookie) => ({ ...cookie, url: shop.url }))
  const [product] = await productPaths(shop.url)
  const paths: Record<Page, string> = {
    home: '/',
    listing: '/shop/',
    product: product ?? '/',
    cart: '/cart/',
    checkout: '/checkout/',
  }
  const figures: Figure[] = []
  for (const page of pages.filter((it) => wanted.length === 0 || wanted.includes(it))) {
    const looks: Verdict[] = []
    for (let round = 0; round < rounds; round += 1) {
      // A browser of its own each time, as Lighthouse's own command does: what one look leaves behind is no help for the next.
      await using browser = await anOwnChromium(page === 'cart' || page === 'checkout' ? cookies : [])
      looks.push(await look(shop.url + paths[page], browser.port, page))
    }
    for (const fault of new Set(looks.flatMap(({ faults }) => faults))) console.log(`  ${page}: ${fault}`)
    figures.push(...figuresOf(page, looks))
  }
  const { version } = createRequire(import.meta.url)('lighthouse/package.json')
  console.log(`Lighthouse ${version}, ${rounds} looks at each page`)
  report('lighthouse', figures)
}

/** A product with variations first: it has the most to show. */
async function productPaths(url: string): Promise<string[]> {
  const listing = await (await fetch(`${url}/shop/`)).text()
  const cards = [...listing.matchAll(/<li class="([^"]*)">.*?href="([^"]*\/product\/[^"]+)"/gs)]
  const [variable, others] = [cards.filter(([, name]) => name?.includes('product-type-variable')), cards]
  return [...variable, ...others].map(([, , href = '']) => new URL(href, url).pathname)
}
