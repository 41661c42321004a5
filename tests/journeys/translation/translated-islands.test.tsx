import type { Browser, Page } from 'playwright-core'
import { renderToString } from 'react-dom/server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { aBrowser, aVisitor } from '#tests/support/browser.ts'
import { type Bundle, bundle } from '#tests/support/browser-modules/bundle.ts'
import { fixtureShop, pageHtml } from '#tests/support/browser-modules/fixture-shop.ts'
import { foreignMark } from '#web/browser/runtime/translator-guard.ts'
import { Island } from '#web/islands/island.tsx'
import { IslandRenderProvider } from '#web/islands/island-render.tsx'
import { withForeignTranslator } from './fixtures/foreign-translator.ts'
import { Shifting } from './fixtures/translated-island.tsx'

let browser: Browser
let assets: Bundle
beforeAll(async () => {
  ;[browser, assets] = await Promise.all([
    aBrowser(),
    bundle('tests/journeys/translation/fixtures/translated-island-entry.ts'),
  ])
})
afterAll(() => browser.close())

/** Presses the island's button so many times; each press moves what stands before its text. */
async function pressed(translated: boolean, times: number) {
  const shop = await fixtureShop(assets)
  await using visitor = await aVisitor(browser)
  const { page } = visitor
  if (translated) await withForeignTranslator(page.context(), new URL(shop.url).origin, 'translate')
  const island = <Island name="shifting" when="load" component={Shifting} props={{ label: '+' }} />
  const body = renderToString(<IslandRenderProvider scope="">{island}</IslandRenderProvider>)
  shop.page('/', pageHtml({ body, entry: 'translated-island-entry.js' }))
  await page.goto(shop.url)
  await page.waitForFunction(() => Reflect.get(document.querySelector('vitrine-island') ?? {}, 'live') === true)
  // As browsers do: once the page is there, and the island in it lives.
  if (translated) await page.evaluate(() => dispatchEvent(new Event('translate')))
  if (translated) await page.locator('vitrine-island font').first().waitFor()
  for (let press = 1; press <= times; press += 1) {
    await page.getByRole('button').click()
    await expect.poll(() => page.locator('output').innerText()).toBe(String(press))
  }
  const text = await page.locator('vitrine-island p').innerText()
  const steps = await stepsIn(page)
  await shop.close()
  return { text: text.toLowerCase().replaceAll('é', ''), steps, errors: visitor.errors }
}

const stepsIn = (page: Page) => page.evaluate((mark) => performance.getEntriesByName(mark).length, foreignMark)

it('TRN-11 an island whose texts a browser’s translator has wrapped goes on, with what comes and goes in it', async () => {
  const { text, steps, errors } = await pressed(true, 3)
  expect(errors).toEqual([])
  expect(steps).toBeGreaterThan(0)
  expect(text).toContain('put before')
  expect(text).toContain('and always')
  expect(text).not.toContain('only at first')
})

it('TRN-11 steps in nowhere on a page that nobody translates', async () => {
  expect(await pressed(false, 3)).toMatchObject({ steps: 0, errors: [] })
})
