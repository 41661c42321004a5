import { isLive } from './island-element.ts'
import { islandTag } from './island-tag.ts'
import { parseMarkup } from './trusted-markup.ts'

/** What a visitor may be in the middle of; replacing it node by node would lose it. */
const delicate = `input, select, textarea, button:focus, iframe, details, dialog, [contenteditable], ${islandTag}`

export type ReplaceOptions = {
  /** A field that the visitor changed keeps its value unless the answer has a new one. Default true. */
  keepTyped?: boolean
}

/**
 * Puts markup in an element's place. Where focus, typed text or islands are at stake only what differs is changed.
 * @returns the element that stands there now, or null when the markup was empty.
 */
export async function replaceMarkup(
  target: Element,
  markup: string | Element,
  options: ReplaceOptions = {},
): Promise<Element | null> {
  // What an island rendered is the island's: it follows its props, not answers.
  if (insideLiveIsland(target)) return target

  const content = typeof markup === 'string' ? parseMarkup(markup) : asFragment(markup)
  const next = content.firstElementChild
  const careful = next?.localName === target.localName && content.childElementCount === 1 && isDelicate(target)
  // Asked for once more where it was lost on its way: without it what is being typed goes, and figures are right all the same.
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
