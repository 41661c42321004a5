import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type DevTools, devTools } from '#tests/support/browser/devtools.ts'
import { anOwnChromium } from '#tests/support/browser/own-chromium.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop()
})
afterAll(() => shop.close())

/** Every request that reaches a server of this process, as method, address and purpose. */
function requestsSeen(): Disposable & { readonly list: string[] } {
  const list: string[] = []
  const note = (message: unknown) => {
    const { request } = message as { request: IncomingMessage }
    list.push(`${request.method} ${request.url} ${request.headers['sec-purpose'] ?? ''}`.trim())
  }
  subscribe('http.server.request.start', note)
  return { list, [Symbol.dispose]: () => unsubscribe('http.server.request.start', note) }
}

const patience = { timeout: 20_000, interval: 100 }

describe('pages that are ready before their links are pressed', () => {
  it('a product is made ready under the pointer, asks nothing of the visitor before it is shown, and then does', async () => {
    using seen = requestsSeen()
    await using browser = await anOwnChromium()
    using tools = await devTools(browser.endpoint)
    const page = await opened(tools, `${shop.url}/shop/`)
    // Somebody with a cart: a page that is looked at asks for it.
    await tools.evaluate(page, `document.cookie = 'woocommerce_items_in_cart=1; path=/'`)
    const link = '[...document.querySelectorAll("a.woocommerce-LoopProduct-link")][1]'
    const path = new URL(String(await tools.evaluate(page, `${link}.href`))).pathname
    await vi.waitUntil(async () => {
      await pointAt(tools, page, link)
      return seen.list.some((line) => line.startsWith(`GET ${path} `) && line.includes('prerender'))
    }, patience)

    const ahead = await vi.waitUntil(() => tools.pages.find((session) => session !== page), patience)
    await vi.waitUntil(
      () => tools.evaluate(ahead, `document.prerendering && document.body.classList.contains('woocommerce-js')`),
      patience,
    )
    await vi.waitUntil(() => tools.evaluate(ahead, `document.readyState === 'complete'`), patience)
    expect(calls(seen.list)).toEqual([])

    await tools.evaluate(page, `${link}.click()`).catch(() => undefined)
    await vi.waitUntil(() => tools.evaluate(ahead, '!document.prerendering'), patience)
    expect(
      await tools.evaluate(ahead, `performance.getEntriesByType('navigation')[0].activationStart > 0`),
      'what is shown is what was ready',
    ).toBe(true)
    await vi.waitUntil(() => calls(seen.list).length > 0, patience)
    expect(calls(seen.list)).toEqual(['POST /?wc-ajax=get_refreshed_fragments'])
    // Made once, by the pointer and not again by the press.
    expect(seen.list.filter((line) => line.startsWith(`GET ${path}`))).toHaveLength(1)
  })
})

const calls = (lines: readonly string[]) => lines.filter((line) => line.includes('wc-ajax') || line.includes('wp-json'))

async function opened(tools: DevTools, url: string): Promise<string> {
  const session = await vi.waitUntil(() => tools.pages[0], patience)
  await tools.send('Page.navigate', { url }, session)
  await vi.waitUntil(
    () => tools.evaluate(session, `location.href === ${JSON.stringify(url)} && document.readyState === 'complete'`),
    patience,
  )
  return session
}

async function pointAt(tools: DevTools, session: string, element: string): Promise<void> {
  const [x, y] = (await tools.evaluate(
    session,
    `(() => { const { x, y, width } = ${element}.getBoundingClientRect(); return [x + width / 2, y + 40] })()`,
  )) as [number, number]
  for (const step of [0, 3]) {
    await tools.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: x + step, y }, session)
  }
}
