import { addedAttribute, overlayHooks } from '#contract/shared/hooks.ts'
import { pageJQuery } from './events.ts'
import { motionMs } from './motion.ts'

/** The blocking overlay: covered content receives no pointer or keyboard input and is marked busy. */

export type OverlayOptions = { colour?: 'white' | 'black'; cursor?: 'wait' | 'default' }

type Blocked = {
  layers: readonly HTMLElement[]
  inertBefore: ReadonlyMap<Element, boolean>
  positioned: boolean
  focused: HTMLElement | undefined
}

const opacity = 0.6
const fadeInMs = 200
const fadeOutMs = 400
const zIndexBase = 1000

const blockedElements = new WeakMap<Element, Blocked>()

export function isBlocked(target: Element): boolean {
  return blockedElements.has(target)
}

/** Blocks an element; a second block replaces the first. */
export function block(target: HTMLElement, options?: OverlayOptions): void {
  blockAll([target], options)
}

/** Blocks several elements separately. */
export function blockAll(targets: readonly HTMLElement[], options?: OverlayOptions): void {
  // All are measured before any is changed, to avoid a style recalculation for each.
  for (const cover of targets.map((target) => readyToCover(target, options))) cover()
}

function readyToCover(target: HTMLElement, { colour = 'black', cursor = 'wait' }: OverlayOptions = {}): () => void {
  const { focused = focusedIn(target), positioned = getComputedStyle(target).position === 'static' } =
    blockedElements.get(target) ?? {}
  return () => {
    release(target, 0)
    // The children are made inert individually: an inert target would pass clicks to elements behind it.
    const inertBefore = new Map([...target.children].map((child) => [child, child.hasAttribute('inert')]))
    for (const child of inertBefore.keys()) child.setAttribute('inert', '')
    // The browser removes the focus from inert markup only at the next paint, and would still accept typing until then.
    focusedIn(target)?.blur()
    target.setAttribute('aria-busy', 'true')

    if (positioned) target.style.position = 'relative'

    const spacer = layer()
    spacer.style.display = 'none'
    const overlay = layer(overlayHooks.overlayClass)
    place(overlay, colour, cursor)
    const message = layer(overlayHooks.messageClass, overlayHooks.elementClass)
    message.style.display = 'none'
    const layers = [spacer, overlay, message]
    target.append(...layers)
    overlay.animate([{ opacity: 0 }, { opacity }], motionMs(fadeInMs))

    blockedElements.set(target, { layers, inertBefore, positioned, focused })
    // Extensions read jQuery's data to find out whether an element is blocked.
    pageJQuery()?.(target).data('blockUI.isBlocked', 1)
  }
}

/** Unblocks the element at once; the overlay fades afterwards. */
export function unblock(target: HTMLElement): void {
  const focused = blockedElements.get(target)?.focused
  release(target, fadeOutMs)
  // The focus returns unless it has moved elsewhere since.
  if (focused?.isConnected && document.activeElement === document.body) focused.focus({ preventScroll: true })
}

function release(target: HTMLElement, fadeMs: number): void {
  const blocked = blockedElements.get(target)
  if (!blocked) return
  blockedElements.delete(target)
  for (const [child, inert] of blocked.inertBefore) child.toggleAttribute('inert', inert)
  target.removeAttribute('aria-busy')
  pageJQuery()?.(target).removeData('blockUI.isBlocked')

  const finish = () => {
    for (const node of blocked.layers) node.remove()
    if (blocked.positioned && !isBlocked(target)) target.style.removeProperty('position')
  }
  const overlay = blocked.layers[1]
  if (!overlay?.isConnected || motionMs(fadeMs) === 0) {
    finish()
    return
  }
  overlay.style.pointerEvents = 'none'
  overlay.animate([{ opacity }, { opacity: 0 }], { duration: fadeMs, fill: 'forwards' }).finished.then(finish, finish)
}

function layer(...classes: string[]): HTMLElement {
  const node = document.createElement('div')
  node.classList.add(overlayHooks.layerClass, ...classes)
  node.toggleAttribute(addedAttribute, true)
  return node
}

/** Uses style properties: the page's policy blocks style attributes in markup, not these. */
function place({ style }: HTMLElement, colour: 'white' | 'black', cursor: string): void {
  Object.assign(style, {
    display: 'block',
    position: 'absolute',
    inset: 0,
    zIndex: zIndexBase,
    background: colour === 'white' ? '#fff' : '#000',
    opacity,
    cursor,
    borderRadius: 'inherit',
  })
}

function focusedIn(target: Element): HTMLElement | undefined {
  const active = document.activeElement
  return active instanceof HTMLElement && target.contains(active) ? active : undefined
}
