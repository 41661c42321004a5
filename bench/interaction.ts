import type { Browser, Locator, Page } from 'playwright-core'
import { interactionMs, noteInteractions, scriptWork, slowedDown } from '#tests/support/browser/web-vitals.ts'
import { aBrowser, phone } from '#tests/support/browser.ts'
import { aDemoShop, filledCart } from './support/demo-shop.ts'
import { type Figure, median, report } from './support/report.ts'

/**
 * How long does a press take until the page shows that it was heard, and what do scripts take before anything is pressed? On a
 * phone's screen, with a processor four times slower than this one, as the browser itself counts it.
 */

const slowdown = 4

export type Presses = Readonly<Record<'add to cart' | 'open drawer' | 'change quantity', readonly number[]>> & {
  /** The same on an empty page with one button: what the machine itself takes just now. */
  readonly bare: readonly number[]
}

/** The longest interaction of each press, in milliseconds; what took less than 16 counts as 0. */
export async function presses(browser: Browser, url: string, productPath: string, rounds: number): Promise<Presses> {
  const times = {
    'add to cart': [] as number[],
    'open drawer': [] as number[],
    'change quantity': [] as number[],
    bare: [] as number[],
  }
  for (let round = 0; round < rounds; round += 1) {
    const context = await browser.newContext({ baseURL: url, viewport: phone, isMobile: true, hasTouch: true })
    const page = await context.newPage()
    await noteInteractions(page)
    await slowedDown(page, slowdown)
    times.bare.push(await barePress(page))
    await page.goto('/shop/')
    await page.waitForLoadState('networkidle')
    // The first press of a visit: nothing that it needs has come yet.
    await scrolledTo(page.locator('.ajax_add_to_cart').first())
    times['add to cart'].push(await interactionMs(page, () => addToCart(page)))
    times['open drawer'].push(await interactionMs(page, () => openDrawer(page)))
    await page.goto(productPath)
    await page.waitForLoadState('networkidle')
    await scrolledTo(page.locator('form.cart .quantity .plus').first())
    times['change quantity'].push(await interactionMs(page, () => changeQuantity(page)))
    await context.close()
  }
  return times
}

async function barePress(page: Page): Promise<number> {
  // Nothing of the shop's runs in it. Answers of the shop that are no page let no script run at all.
  await page.route('**/empty-page', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }))
  await page.goto('/empty-page')
  await page.evaluate(() => {
    const button = document.createElement('button')
    button.textContent = 'Press'
    button.addEventListener('click', () => button.setAttribute('aria-pressed', 'true'))
    document.body.append(button)
  })
  return interactionMs(page, () => page.getByRole('button').tap())
}

/** Until every picture that has come is decoded and two frames show it. */
const picturesDrawn = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const seen = [...document.images].filter((image) => image.complete && image.naturalWidth > 0)
    await Promise.all(seen.map((image) => image.decode().catch(() => {})))
    await frame()
    await frame()
  })

/** As a thumb does, which looks at what it has scrolled to before it presses: the browser draws the new pictures meanwhile. */
async function scrolledTo(button: Locator): Promise<void> {
  await button.scrollIntoViewIfNeeded()
  await button.page().waitForLoadState('networkidle')
  await picturesDrawn(button.page())
}

async function addToCart(page: Page): Promise<void> {
  const button = page.locator('.ajax_add_to_cart').first()
  await button.tap()
  await button.and(page.locator('.added')).waitFor()
}

async function openDrawer(page: Page): Promise<void> {
  await page.locator('a.cart-contents, [data-toggle-target="#mini-cart"]').locator('visible=true').first().tap()
  await page.locator('#mini-cart.pop-animated').waitFor()
}

async function changeQuantity(page: Page): Promise<void> {
  const field = page.locator('form.cart input.qty').first()
  const before = await field.inputValue()
  await page.locator('form.cart .quantity .plus').first().tap()
  while ((await field.inputValue()) === before) await page.evaluate(() => new Promise(requestAnimationFrame))
}

if (import.meta.main) {
  const rounds = Number(process.argv[2] ?? 5)
  await using shop = await aDemoShop()
  const browser = await aBrowser()
  try {
    const simple = await productOf(shop.url, 'simple')
    const variable = await productOf(shop.url, 'variable')
    const times = await presses(browser, shop.url, simple, rounds)
    const figures: Figure[] = Object.entries(times).map(([what, values]) => ({
      what: `${what}: to the next paint, at ${slowdown} × slow-down`,
      value: median(values),
      unit: 'ms',
      ...(what === 'bare' ? {} : { budget: { atMost: 100 } }),
    }))
    const cookies = await filledCart(shop.url)
    const pages = [
      ['listing', '/shop/', 60],
      ['product', variable, 90],
      ['checkout', '/checkout/', 180],
    ] as const
    for (const [name, path, atMost] of pages) {
      const works = []
      for (let round = 0; round < rounds; round += 1) {
        works.push(await scriptWork(browser, new URL(path, shop.url).href, { slowdown, cookies }))
      }
      figures.push(
        {
          what: `${name}: script time at ${slowdown} × slow-down`,
          value: median(works.map(({ scriptMs }) => scriptMs)),
          unit: 'ms',
          budget: { atMost },
        },
        {
          what: `${name}: blocking time`,
          value: median(works.map(({ blockingMs }) => blockingMs)),
          unit: 'ms',
          budget: { atMost: 50 },
        },
      )
    }
    report('interaction', figures)
  } finally {
    await browser.close()
  }
}

/** The first product of its kind that one may have more than one of. */
async function productOf(url: string, type: 'simple' | 'variable'): Promise<string> {
  const listing = await (await fetch(`${url}/shop/`)).text()
  const cards = listing.split('<li class="').filter((card) => card.split('"')[0]?.includes(`product-type-${type}`))
  for (const card of cards) {
    const path = /href="([^"?]*\/product\/[^"?]+)"/.exec(card)?.[1] ?? '/'
    const page = await (await fetch(new URL(path, url))).text()
    if (page.includes('class="plus') && !/class="[^"]*qty[^"]*"[^>]*max="1"/.test(page)) return path
  }
  throw new Error(`${url}/shop/ lists no ${type} product that comes in pieces`)
}
