import { isLive } from './island-element.ts'
import { islandTag } from './island-tag.ts'
import { parseMarkup } from './trusted-markup.ts'

/** Elements that a visitor may be using; replacing them would lose their state. */
const delicate = `input, select, textarea, button:focus, iframe, details, dialog, [contenteditable], ${islandTag}`

export type ReplaceOptions = {
  /** A field that the visitor changed keeps its value unless the response has a new one. Default true. */
  keepTyped?: boolean
}

/**
 * Replaces an element by markup. If focus, typed text or islands are affected, only the differences are changed.
 * @returns the element in its place, or null when the markup was empty.
 */
export async function replaceMarkup(
  target: Element,
  markup: string | Element,
  options: ReplaceOptions = {},
): Promise<Element | null> {
  // The content of an island belongs to the island: it follows its props, not responses.
  if (insideLiveIsland(target)) return target

  const content = typeof markup === 'string' ? parseMarkup(markup) : asFragment(markup)
  const next = content.firstElementChild
  const careful = next?.localName === target.localName && content.childElementCount === 1 && isDelicate(target)
  // A failed load is retried once: without the code typed text is lost, but the figures are still updated.
  const load = () => import('./morph.ts')
  const morphing =
    careful &&
    (await load()
      .catch(load)
      .catch(() => undefined))
  if (!morphing) {
    target.replaceWith(content)
    return next
  }
  if (target.isConnected) morphing.morph(target, next, options)
  return target
}

function isDelicate(target: Element): boolean {
  return target.contains(document.activeElement) || target.matches(delicate) || target.querySelector(delicate) !== null
}

function insideLiveIsland(target: Element): boolean {
  for (let island = target.parentElement?.closest(islandTag); island; ) {
    if (isLive(island)) return true
    island = island.parentElement?.closest(islandTag)
  }
  return false
}

function asFragment(element: Element): DocumentFragment {
  const fragment = document.createDocumentFragment()
  fragment.append(document.importNode(element, true))
  return fragment
}
