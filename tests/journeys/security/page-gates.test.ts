import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aBrowser } from '#tests/support/browser.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { aWatched } from './fixtures/canary.ts'
import { canaryHost, scriptPayloads } from './fixtures/payloads.ts'

let browser: Browser
let shop: TestShop
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([aBrowser(), aShop({ wallet: false })])
})
afterAll(async () => {
  await browser?.close()
  await shop?.close()
})

describe('markup that comes with an answer', () => {
  // As if a hole elsewhere had let it into the shop's own answer, on a page whose policy does not help.
  it('T19 M11 runs no script when it enters the page, even without the policy', {
    timeout: 300_000,
  }, async () => {
    const hostile = scriptPayloads(3000).filter(({ text }) => !text.includes(canaryHost))
    await using watched = await aWatched(browser, shop.url, true)
    let asked = 0
    // Each has a place of its own: what one leaves open must not hide the next.
    await watched.context.route(/wc-ajax=get_refreshed_fragments/, (route) => {
      asked += 1
      const fragments = Object.fromEntries(
        hostile.map(({ text }, at) => [`div.hole-${at}`, `<div class="hole hole-${at}">${text}</div>`]),
      )
      return route.fulfill({ json: { fragments, cart_hash: `hostile-${asked}` } })
    })
    await watched.visit('/shop/')
    await watched.page.evaluate((count) => {
      for (let at = 0; at < count; at += 1) {
        const hole = document.createElement('div')
        hole.className = `hole-${at}`
        document.body.append(hole)
      }
      document.body.dispatchEvent(new CustomEvent('wc_fragment_refresh', { bubbles: true }))
    }, hostile.length)
    const place = watched.page.locator('.hole')
    await expect.poll(() => place.count(), { timeout: 30_000 }).toBeGreaterThan(hostile.length * 0.9)
    // Handlers of what does not load run a moment later; this page has given them one.
    await watched.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 200))))
    const handlers = await place.evaluateAll((places) =>
      places.flatMap((root) =>
        [...root.querySelectorAll('*')]
          .filter(
            (element) =>
              [...element.attributes].some(
                ({ name, value }) =>
                  /^on/i.test(name) ||
                  // As the value of anything else it is a text.
                  (/^(?:src|srcset|srcdoc|href|xlink:href|action|formaction|data|poster)$/i.test(name) &&
                    /^\s*(?:data:(?!image)|javascript:)/i.test(value)),
              ) ||
              /^(?:script|iframe|frame|object|embed|meta|base|style|foreignObject|animate|set|math)$/.test(
                element.localName,
              ),
          )
          .map(({ outerHTML }) => outerHTML.slice(0, 120)),
      ),
    )
    expect([asked > 0, watched.ran, handlers]).toEqual([true, [], []])
  })
})

describe('a frame around the shop', () => {
  it('T27 shows nothing of it, on another site and on its own', async () => {
    await using watched = await aWatched(browser, shop.url, false)
    const frames = ['/shop/', '/cart/', '/my-account/', '/no-such-page/']
      .map((path) => `<iframe src="${shop.url}${path}"></iframe>`)
      .join('')
    const fulfilled = { body: `<!doctype html><p>around</p>${frames}`, contentType: 'text/html' }
    await watched.context.route('http://around.example/', (route) => route.fulfill(fulfilled))
    await watched.context.route(`${shop.url}/around`, (route) => route.fulfill(fulfilled))
    for (const address of ['http://around.example/', `${shop.url}/around`]) {
      await watched.page.goto(address)
      const inside = () => watched.page.frames().slice(1)
      await expect
        .poll(() => inside().map((frame) => frame.url()), { timeout: 30_000 })
        .toEqual(Array.from({ length: 4 }, () => 'chrome-error://chromewebdata/'))
    }
  })
})
