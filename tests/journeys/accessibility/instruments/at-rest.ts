import type { Page } from 'playwright-core'

/** Waits until nothing on the page is on its way any more: half a fade has a contrast of its own. */
export async function atRest(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(done))
    await frame()
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished))
    await frame()
  })
}
