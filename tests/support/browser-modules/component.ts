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
  expect(scene.errors).toEqual([])
}
