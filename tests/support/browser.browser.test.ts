import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anOwnChromium } from './browser/own-chromium.ts'
import { aBrowser, aVisitor, phone } from './browser.ts'

let browser: Browser
beforeAll(async () => {
  browser = await aBrowser()
})
afterAll(() => browser.close())

describe('a visitor in a browser', () => {
  it('notes uncaught errors and console errors, of pop-ups too, but not those it expects', async () => {
    await using visitor = await aVisitor(browser, { expectedErrors: [/on purpose/] })
    await visitor.page.setContent(
      '<script>console.error("logged"); console.error("on purpose"); setTimeout(() => { throw new Error("thrown") })</script>',
    )
    const popup = visitor.page.waitForEvent('popup')
    await visitor.page.evaluate('window.open("about:blank")')
    await (await popup).evaluate('console.error("from the pop-up")')
    await expect.poll(() => visitor.errors.length).toBe(3)
    expect(visitor.errors.join('\n')).toMatch(/logged.*thrown.*from the pop-up/s)
  })

  it('has the size of a phone when asked, and a touch screen', async () => {
    await using visitor = await aVisitor(browser, { size: phone })
    await visitor.page.setContent('<meta name="viewport" content="width=device-width">')
    expect(await visitor.page.evaluate('[innerWidth, navigator.maxTouchPoints > 0]')).toEqual([360, true])
  })
})

describe('a Chromium of one’s own', () => {
  it('is gone once it is closed, not only the program that started it', async () => {
    const own = await anOwnChromium()
    const asked = `http://127.0.0.1:${own.port}/json/version`
    expect((await fetch(asked)).ok).toBe(true)
    await own[Symbol.asyncDispose]()
    await expect(fetch(asked)).rejects.toThrow('fetch failed')
  })
})
