import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { writeSettings } from '#database/operations/configuration.ts'
import { aBrowser } from '#tests/support/browser.ts'
import { aCustomer } from '#tests/support/customers/customer.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { nightly, sampled } from '#tests/support/size.ts'
import { asKept, compare, readSmall, sideBySide } from './compare.ts'
import { smallDemo } from './small-demo.ts'
import { type State, states, widths } from './states.ts'

/**
 * What the pages look like, against pictures that are kept. One state and width in ten, by the seed; VISUAL=all looks at every state in every width, VISUAL=update keeps
 * what is seen; `npm run visual` sets them. What differs is written to reports/visual, side by side.
 */

const references = join(import.meta.dirname, 'references')
const reports = join(import.meta.dirname, '../../reports/visual')
const mode = process.env.VISUAL ?? (nightly ? 'all' : '')
const update = mode === 'update'
const everything = mode !== ''
/** Part of a picture that may differ: a page that has changed on purpose differs in more, one on another machine in less. */
const mayDiffer = 0.03

type Look = { readonly state: State; readonly width: number }
const allLooks: readonly Look[] = states
  .flatMap((state) => widths.map((width) => ({ state, width })))
  .filter(({ state, width }) => state.widths?.includes(width) ?? true)

const looks = sampled(allLooks, !everything)

let shop: TestShop
let browser: Browser
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([aBrowser(), aShop({ fill: smallDemo })])
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

const readable = update || existsSync(references)

describe.skipIf(!readable)('what the pages look like', () => {
  it('is what it was', { timeout: everything ? 3_600_000 : 240_000 }, async () => {
    const changed: string[] = []
    const lookThrough = async (ordering: boolean) => {
      for (const width of new Set(looks.map((look) => look.width))) {
        const here = looks.filter((look) => look.width === width).map(({ state }) => state)
        const wanted = here.filter(({ name }) => (name === 'order-received') === ordering)
        if (wanted.length > 0) changed.push(...(await walk(width, wanted, { light: 'light', dark: 'dark' })))
      }
    }
    await lookThrough(false)
    // Last: what was bought is what others like from then on.
    await lookThrough(true)
    expect(changed).toEqual([])
  })

  it.runIf(everything)(
    'is what it was, mirrored for a language that is written from the right',
    { timeout: 900_000 },
    async () => {
      await speak('ar', 'rtl')
      const wanted = states.filter(({ mirrored }) => mirrored)
      const changed = [...(await walk(360, wanted, { rtl: 'light' })), ...(await walk(1280, wanted, { rtl: 'light' }))]
      await speak('en-US', 'ltr')
      expect(changed).toEqual([])
    },
  )

  it.runIf(everything)('is what it was: an order on paper', { timeout: 300_000 }, async () => {
    const wanted = states.filter(({ name }) => name === 'order-received')
    expect(await walk(768, wanted, { print: 'print' })).toEqual([])
  })
})

type Medium = 'light' | 'dark' | 'print'

/** Shows each state once and looks at it in each medium. @returns what is not as it was */
async function walk(width: number, wanted: readonly State[], media: Readonly<Record<string, Medium>>) {
  const changed: string[] = []
  const contexts = await contextsOf(width)
  for (const state of wanted) {
    const context = contexts[state.as ?? 'stranger']
    const first = await lookAt(context, state, width, media)
    // Something that came late on a busy machine is there the second time.
    changed.push(...(first.length > 0 ? await lookAt(context, state, width, media) : []))
  }
  for (const context of Object.values(contexts)) await context.close()
  return changed
}

async function lookAt(context: BrowserContext, state: State, width: number, media: Readonly<Record<string, Medium>>) {
  const changed: string[] = []
  const page = await context.newPage()
  try {
    await show(page, state)
    for (const [word, medium] of Object.entries(media)) {
      changed.push(...(await look(page, `${width}-${word}/${state.name}`, width, medium)))
    }
  } catch (error) {
    // One state that cannot be reached is no reason not to look at the others.
    changed.push(`${state.name}-${width}: ${String(error).split('\n', 3).join(' ')}`)
  }
  await page.close()
  return changed
}

/** Pages are made anew soon after the setting. */
async function speak(language: string, direction: 'ltr' | 'rtl'): Promise<void> {
  await writeSettings(shop.db, { language })
  await vi.waitUntil(async () => (await (await fetch(shop.url)).text()).includes(`dir="${direction}"`), 10_000)
}

type As = NonNullable<State['as']>

/** In every name as many letters, so that no line breaks elsewhere. */
let visitor = 10_000

/** Those who look: a stranger, one with a cart, one who is logged in. */
async function contextsOf(width: number): Promise<Record<As, BrowserContext>> {
  visitor += 1
  const customer = aCustomer(shop, `grace-${width}-${visitor}@example.test`)
  await customer.add('DRIFT-OAT')
  await customer.add('TIDAL-VASE-MOSS')
  await customer.register()
  const context = async (cookies: Iterable<[string, string]>) => {
    const made = await browser.newContext({
      baseURL: shop.url,
      viewport: { width, height: width < 700 ? 740 : 900 },
      reducedMotion: 'reduce',
      locale: 'en-US',
      timezoneId: 'UTC',
      ...(width === 360 ? { isMobile: true, hasTouch: true } : {}),
    })
    made.setDefaultTimeout(30_000)
    await made.addCookies([...cookies].map(([name, value]) => ({ name, value, url: shop.url })))
    return made
  }
  const guest = aCustomer(shop)
  await guest.add('DRIFT-OAT')
  await guest.add('TIDAL-VASE-MOSS')
  return {
    stranger: await context([]),
    'with-cart': await context(guest.cookies),
    customer: await context(customer.cookies),
  }
}

async function show(page: Page, { path, act }: State): Promise<void> {
  await page.goto(path)
  await page.mouse.move(10, 10)
  await settled(page)
  if (!act) return
  await act(page)
  await settled(page)
}

/** Everything that waits to be seen has come, and nothing is under way. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const top = scrollY
    for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight) {
      scrollTo({ top: y, behavior: 'instant' })
      await frame()
    }
    scrollTo({ top, behavior: 'instant' })
    await frame()
  })
  // The provider's frames keep some pages from ever being idle; they are masked.
  await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined)
  await page.locator('.blockOverlay').first().waitFor({ state: 'detached' })
  await page.waitForFunction(
    () =>
      document.fonts.status === 'loaded' &&
      [...document.images].every((image) => image.complete || image.hidden || image.loading === 'lazy'),
  )
}

/** @returns the name, where this is not what was kept */
async function look(page: Page, name: string, width: number, medium: Medium): Promise<readonly string[]> {
  await page.emulateMedia(
    medium === 'print' ? { media: 'print', colorScheme: 'light' } : { media: 'screen', colorScheme: medium },
  )
  // The provider says this when it likes, and the page makes room for it then. A sheet of ours would be refused by the page.
  await page.evaluate(() => {
    for (const said of document.querySelectorAll<HTMLElement>('[class*="wc-ppcp-paylater-msg__"]')) {
      said.style.setProperty('display', 'none', 'important')
    }
  })
  const kept = await asKept(await pictureOf(page), width)
  const file = join(references, `${name}.webp`)
  if (update) {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, kept)
    return []
  }
  const before = await readFile(file).catch(() => null)
  if (!before) return [`${name}: there is no reference, "npm run visual -- --update" keeps one`]
  const [was, is] = await Promise.all([readSmall(before), readSmall(kept)])
  const verdict = compare(was, is)
  if (verdict.differs <= mayDiffer) return []
  const report = join(reports, `${name}.png`)
  await mkdir(dirname(report), { recursive: true })
  await writeFile(report, await sideBySide(was, is, verdict))
  return [`${name}: ${(verdict.differs * 100).toFixed(1)} % differs, see reports/visual/${name}.png`]
}

/** The browser may scroll to what has the focus while it draws the whole page, and the mask lies where things were before: then once more. */
async function pictureOf(page: Page): Promise<Buffer> {
  const top = () => page.evaluate(() => scrollY)
  for (let tries = 0; ; tries += 1) {
    const before = await top()
    const screenshot = await page.screenshot({
      fullPage: true,
      animations: 'disabled',
      caret: 'hide',
      // What others draw, and what no two orders share.
      mask: [page.locator('.wc-ppcp-wallet, .order strong, .date strong, time, .email strong')],
      maskColor: '#888888',
    })
    if (tries === 4 || (await top()) === before) return screenshot
  }
}
