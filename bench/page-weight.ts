import { setTimeout as sleep } from 'node:timers/promises'
import { aBrowser, desktop, forWholeShop, pointerAtRest } from '#tests/support/browser.ts'
import { rawAnswer } from './support/bare-server.ts'
import { aBenchShop } from './support/bench-shop.ts'
import { measureScripts } from './support/measure-scripts.ts'
import { type Figure, report } from './support/report.ts'
import { atCheckout } from './support/shoppers.ts'

type Kind = 'document' | 'stylesheet' | 'script' | 'measuring'

/** What one page asked its own shop for. What others send (the wallet's script) is theirs. */
export type Asked = ReadonlyMap<string, Kind>

export type Weight = {
  /** Bytes of the bodies as they go over the wire. */
  readonly html: number
  readonly css: number
  readonly script: number
  /** Scripts that ask for consent and measure, which come once the page is there and idle. */
  readonly measuring: number
  readonly requests: number
}

export type PageWeights = { readonly untouched: Weight; readonly hydrated: Weight }

/** Opens a page in Chromium as it is, then wakes every island of it, and weighs what it asked for each time. */
export async function pageWeights(url: string, encoding: 'gzip' | 'br', cookie = ''): Promise<PageWeights> {
  const { origin } = new URL(url)
  const measuring = new Set((await measureScripts()).values())
  const browser = await aBrowser()
  try {
    const context = await browser.newContext({ viewport: desktop })
    const pairs = cookie.split('; ').filter(Boolean)
    const cookies = pairs.map((pair) => ({
      name: pair.slice(0, pair.indexOf('=')),
      value: pair.slice(pair.indexOf('=') + 1),
    }))
    await context.addCookies(forWholeShop(cookies, url))
    const page = await context.newPage()
    await pointerAtRest(page)
    const asked = new Map<string, Kind>()
    page.on('request', (request) => {
      const at = new URL(request.url())
      const kind = /\.js(\?|$)/.test(request.url()) ? 'script' : request.resourceType()
      if (at.origin !== origin) return
      if (measuring.has(at.pathname)) asked.set(request.url(), 'measuring')
      else if (kind === 'document' || kind === 'stylesheet' || kind === 'script') asked.set(request.url(), kind)
    })
    await page.goto(url, { waitUntil: 'load' })
    await settled(asked)
    const untouched = await weigh(asked, encoding, cookie)
    // Both signs of a person: one for islands that wait for that alone, one on each island itself.
    await page.mouse.move(200, 200)
    for (const island of await page.locator('vitrine-island').all()) await island.dispatchEvent('focusin')
    await page.waitForFunction(() =>
      [...document.querySelectorAll('vitrine-island')].every((island) => Reflect.get(island, 'live') === true),
    )
    await settled(asked)
    return { untouched, hydrated: await weigh(asked, encoding, cookie) }
  } finally {
    await browser.close()
  }
}

/** The wallet's script keeps its connections busy, so quiet is when our own origin has not been asked for a while. */
async function settled(asked: Asked): Promise<void> {
  for (let before = -1; before !== asked.size; ) {
    before = asked.size
    await sleep(700)
  }
}

async function weigh(asked: Asked, encoding: string, cookie: string): Promise<Weight> {
  const bytes = { document: 0, stylesheet: 0, script: 0, measuring: 0 }
  for (const [url, kind] of asked) {
    bytes[kind] += (await rawAnswer(url, { 'accept-encoding': encoding, cookie })).body.length
  }
  const { document: html, stylesheet: css, script, measuring } = bytes
  return { html, css, script, measuring, requests: asked.size }
}

const kb = (bytes: number) => bytes / 1024

/** The budgets are for gzip, which every browser takes; Brotli is told. */
export function weightFigures(name: string, { untouched, hydrated }: PageWeights, judged: boolean): Figure[] {
  const light = /^(listing|product)/.test(name)
  const limit = (atMost: number, holds = true) => (judged && holds ? { budget: { atMost } } : {})
  return [
    {
      what: `${name}: JavaScript before anything is touched`,
      value: kb(untouched.script),
      unit: 'KB',
      ...limit(12, light),
    },
    {
      what: `${name}: JavaScript with every island awake`,
      value: kb(hydrated.script),
      unit: 'KB',
      ...limit(90, light),
    },
    { what: `${name}: JavaScript that measures`, value: kb(untouched.measuring), unit: 'KB', ...limit(6) },
    { what: `${name}: CSS`, value: kb(untouched.css), unit: 'KB', ...limit(14) },
    { what: `${name}: HTML`, value: kb(untouched.html), unit: 'KB', ...limit(14) },
    {
      what: `${name}: requests for these`,
      value: untouched.requests,
      unit: '',
      ...limit(6, name.startsWith('listing')),
    },
  ]
}

if (import.meta.main) {
  await using shop = await aBenchShop()
  const { sql } = shop.db
  const [simple] = await sql<{ id: number }[]>`select id from products where type = 'simple' order by id limit 1`
  const [variable] = await sql<
    { slug: string }[]
  >`select slug from products where type = 'variable' order by id limit 1`
  const { cookie } = await atCheckout(shop, simple?.id ?? 0)
  const pages = [
    ['listing', '/shop/', ''],
    ['product', `/product/${variable?.slug}/`, ''],
    ['cart', '/cart/', cookie],
    ['checkout', '/checkout/', cookie],
  ] as const
  const figures: Figure[] = []
  for (const encoding of ['gzip', 'br'] as const) {
    for (const [name, path, cookies] of pages) {
      const weights = await pageWeights(shop.url + path, encoding, cookies)
      figures.push(...weightFigures(`${name}, ${encoding}`, weights, encoding === 'gzip'))
    }
  }
  report('page-weight', figures)
}
