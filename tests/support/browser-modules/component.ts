import type { ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect } from 'vitest'
import { IslandRenderProvider } from '#web/islands/island-render.tsx'
import type { PageParts } from './fixture-shop.ts'
import { eventually, type Scene } from './scene.ts'

/** Renders an element with its islands as the shop's pages do. */
export const islandHtml = (element: ReactElement): string => renderToString(IslandRenderProvider({ children: element }))

/** Opens a page with the element in its body, as the server renders it. */
export async function openComponent(
  scene: Scene,
  element: ReactElement,
  { body = '', ...parts }: Partial<PageParts> = {},
): Promise<void> {
  await scene.open({ ...parts, body: `${islandHtml(element)}${body}` })
}

/**
 * Proves that server and browser render the same: the island's markup before it wakes, after an event that a visitor
 * would cause. Differences that React repairs by itself count too: it reports each as an error of the page.
 * @param name of the island in the registry
 */
export async function expectEqualMarkup(scene: Pick<Scene, 'page' | 'errors'>, name: string): Promise<void> {
  const island = scene.page.locator(`vitrine-island[name="${name}"]`).first()
  const inner = () => island.evaluate((element) => element.innerHTML)
  const server = await inner()
  expect(server).not.toBe('')
  await island.evaluate((element) => {
    element.dispatchEvent(new Event('focusin', { bubbles: true }))
    document.dispatchEvent(new Event('pointermove', { bubbles: true }))
  })
  await eventually(() => island.evaluate((element) => Reflect.get(element, 'live'))).toBe(true)
  // Hydration ends before the browser is idle again.
  await scene.page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
  expect(await inner()).toBe(server)
  await expectEqualAttributes(scene.page, name)
  expect(scene.errors).toEqual([])
}

/**
 * Compares the hydrated island with one that the browser renders alone, from the same props: React's production build
 * keeps the server's attributes where the browser's would differ, and reports nothing.
 */
async function expectEqualAttributes(page: Scene['page'], name: string): Promise<void> {
  const [hydrated, alone] = await page.evaluate(async (selector) => {
    const describe = (node: Node): unknown[] =>
      [...node.childNodes].flatMap((child): unknown[] => {
        if (child instanceof Text) return child.data === '' ? [] : [child.data]
        if (!(child instanceof Element)) return []
        const attributes = [...child.attributes].map(({ name: key, value }) => `${key}=${value}`).sort()
        return [[child.localName, attributes, describe(child)]]
      })
    const island = document.querySelector(selector)
    if (!island) throw new Error(`there is no ${selector}`)
    const before = describe(island)
    const copy = island.cloneNode(false) as Element
    island.after(copy)
    copy.dispatchEvent(new Event('focusin', { bubbles: true }))
    document.dispatchEvent(new Event('pointermove', { bubbles: true }))
    while (Reflect.get(copy, 'live') !== true) await new Promise((resolve) => setTimeout(resolve, 20))
    const rendered = describe(copy)
    copy.remove()
    return [before, rendered]
  }, `vitrine-island[name="${name}"]`)
  // Adjacent texts are one in the server's markup, or are kept apart by comments.
  expect(joined(alone)).toEqual(joined(hydrated))
}

/** React numbers the ids of a hydrated root and of a root of its own in different ways. */
const joined = (described: unknown): string =>
  JSON.stringify(described)
    .replaceAll('","', '')
    .replace(/r_[0-9a-v]+_/gi, 'id')
