import type { Page } from 'playwright-core'

/**
 * Lets `ms` milliseconds of the page's own time pass at once: every timer that is due by then has run when this returns, and the
 * requests that they sent have reached the server. A fixed wait proves less, since timers are late on a busy machine.
 * The caller installs the clock before it opens the page: `await page.clock.install()`. Until then time flows as usual.
 */
export async function passTime(page: Page, ms: number): Promise<void> {
  await page.clock.runFor(ms)
  await settled(page)
}

let barriers = 0

/**
 * Waits until everything that the page has begun is visible outside: a page sends its requests in order, so when a request that
 * is made now has been seen and answered, the earlier ones have been sent. Two rounds, since an answer may start another request.
 */
export async function settled(page: Page): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    const address = `/__barrier/${++barriers}`
    const match = (url: URL) => url.pathname === address
    await page.route(match, (route) => route.fulfill({ status: 204 }))
    await page.evaluate((address) => fetch(address).then(() => {}), address)
    await page.unroute(match)
    await new Promise((done) => setImmediate(done))
  }
}
