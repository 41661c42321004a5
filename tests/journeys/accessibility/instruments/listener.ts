import type { Page } from 'playwright-core'

/**
 * Notes what live regions say, much as a screen reader does: the text that is new in one, or that of a region that is new
 * itself, once for all changes of a moment, and nothing of what is hidden.
 */
export async function listenTo(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const said: string[] = []
    Object.assign(window, { said })
    const live = '[role=alert], [role=status], [role=log], [aria-live]:not([aria-live=off])'
    /** The outermost: what lies in a region is said by it. */
    const regionOf = (node: Node): Element | undefined => {
      let region: Element | undefined
      for (let it = node instanceof Element ? node : node.parentElement; it; it = it.parentElement) {
        if (it.matches(live)) region = it
      }
      return region
    }
    const heard = (element: Element) =>
      element.isConnected &&
      element.checkVisibility({ visibilityProperty: true }) &&
      !element.closest('[aria-hidden=true], [inert]')
    const textOf = (node: Node) => (node.textContent ?? '').replace(/\s+/g, ' ').trim()
    new MutationObserver((mutations) => {
      const now = new Map<Element, string[]>()
      for (const { type, target, addedNodes } of mutations) {
        const changed = type === 'characterData' ? [target] : [...addedNodes]
        for (const node of changed) {
          const around = regionOf(node)
          const inside = node instanceof Element ? [...node.querySelectorAll(live)] : []
          for (const region of around ? [around] : inside.filter((it) => regionOf(it) === it)) {
            // An alert and a status are read whole, whatever of them is new.
            const whole = region.matches('[role=alert], [role=status]') && region.ariaAtomic !== 'false'
            const text = whole || !around ? textOf(region) : textOf(node)
            if (text !== '' && heard(region)) now.set(region, [...(now.get(region) ?? []), text])
          }
        }
      }
      for (const texts of now.values()) said.push([...new Set(texts)].join(' '))
    }).observe(document, { childList: true, characterData: true, subtree: true })
  })
}

/** What has been said since the last time, once it has been quiet for a while. */
export async function heard(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const said: string[] = Reflect.get(window, 'said')
    for (let quiet = 0, before = said.length; quiet < 8; quiet += 1) {
      await new Promise((done) => setTimeout(done, 100))
      if (said.length === before) continue
      before = said.length
      quiet = 0
    }
    return said.splice(0)
  })
}
