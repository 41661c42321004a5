import { cartEvents } from '#contract/shared/events.ts'
import { drawerHooks } from '#contract/shared/hooks.ts'
import { headerHooks, subMenuHooks } from '#contract/theme/hooks.ts'
import { listen } from '../../runtime/events.ts'
import { clampScroll, headerState, nextReveal, type Reveal, shrunkBy } from './header-state.ts'

/**
 * Extends the sticky header of the styles: publishes its height, sets its state classes, hides and shows it, and limits
 * its shrinking. It shrinks by moving its upper part out of the window, with its content centred in the rest: no layout
 * changes, so nothing shifts.
 */
export function startStickyHeader(scrolled: (update: () => void) => void): void {
  const header = document.querySelector<HTMLElement>(headerHooks.header)
  if (header) new StickyHeader(header, scrolled)
}

const adminBarPx = { desktop: 32, mobile: 46 } as const

class StickyHeader {
  readonly #header: HTMLElement
  readonly #root = document.documentElement
  readonly #desktop: MediaQueryList
  readonly #low = matchMedia(headerHooks.lowWindow)
  #mode = 'none'
  #offset = 0
  /** The row's height at the start. */
  #startHeight = 0
  #lost = 0
  #boxHeight = 0
  #reveal: Reveal = { hidden: false, turn: 0 }

  constructor(header: HTMLElement, scrolled: (update: () => void) => void) {
    this.#header = header
    this.#desktop = matchMedia(`(min-width: ${Number(header.dataset.breakpoint) || 0}px)`)
    const { scrollOffset } = header.dataset
    if (scrollOffset) this.#root.style.setProperty('--scroll-offset', `${Number(scrollOffset)}px`)
    this.#measure()
    const measured = new ResizeObserver(() => this.#measure())
    measured.observe(header)
    // Content above it may appear or disappear, or change the page's length.
    measured.observe(document.body)
    for (const media of [this.#desktop, this.#low]) media.addEventListener('change', () => this.#measure())
    scrolled(() => this.#update())
    // Keyboard users must see the focused element, and shoppers the updated cart.
    header.addEventListener('focusin', () => header.querySelector(':focus-visible') && this.#show())
    listen(document.body, cartEvents.added, () => this.#show())
  }

  #measure(): void {
    const header = this.#header
    const device = this.#desktop.matches ? 'desktop' : 'mobile'
    const { stickyDesktop, stickyMobile, shrinkDesktop, shrinkMobile } = header.dataset
    const wanted = (device === 'desktop' ? stickyDesktop : stickyMobile) ?? 'none'
    const shrinkTo = Number(device === 'desktop' ? shrinkDesktop : shrinkMobile) || 0
    this.#mode = this.#low.matches ? 'none' : wanted

    this.#boxHeight = Math.round(header.offsetHeight)
    this.#startHeight = rowHeight(header)
    this.#lost = this.#mode !== 'none' && shrinkTo > 0 ? Math.max(0, this.#startHeight - shrinkTo) : 0
    setOnce(header, '--header-lost', `${this.#lost}px`, '0px')

    // A stuck header is not at its place in the flow: its next sibling is.
    const below = header.nextElementSibling
    const restsAt = below ? below.getBoundingClientRect().top + scrollY - this.#boxHeight : 0
    const adminBar = document.querySelector(headerHooks.adminBar) ? adminBarPx[device] : 0
    this.#offset = Math.max(0, Math.round(restsAt) - adminBar)

    this.#stayClear(this.#mode === 'none' ? 0 : this.#boxHeight - this.#lost)
    this.#publish()
    this.#update()
  }

  /** Every element inherits the property: for a fraction of a pixel a recalculation of all styles is avoided. */
  #stayClear(height: number): void {
    const styled = Number.parseFloat(getComputedStyle(this.#root).getPropertyValue('--header-h'))
    if (!(Math.abs(styled - height) < 1)) this.#root.style.setProperty('--header-h', `${height}px`)
  }

  /** Sets the classes that themes know, for the current screen size. */
  #publish(): void {
    const { dataset } = this.#header
    dataset.startHeight = String(this.#startHeight)
    dataset.shrink = String(this.#lost > 0)
    dataset.shrinkHeight = String(this.#startHeight - this.#lost)
    dataset.revealScrollUp = String(this.#mode === 'reveal')
  }

  #update(): void {
    const y = clampScroll(scrollY, this.#root.scrollHeight, innerHeight)
    const state = this.#mode === 'none' ? 'static' : headerState(y, this.#offset)
    if (this.#mode === 'reveal') {
      const next = nextReveal(this.#reveal, y, this.#offset + this.#boxHeight)
      this.#reveal = next.hidden && !this.#reveal.hidden && this.#inUse() ? { hidden: false, turn: y } : next
    } else this.#reveal = { hidden: false, turn: y }

    const shrunk = shrunkBy(this.#lost, y, this.#offset)
    setOnce(this.#header, '--header-shrunk', `${shrunk}px`, '0px')
    setOnce(this.#header, '--header-scale', String(1 - shrunk / Math.max(this.#startHeight, 1)), '1')
    this.#say(state)
  }

  #say(state: 'static' | 'at-start' | 'stuck'): void {
    const { classList } = this.#header
    const fixed = state !== 'static'
    this.#header.dataset.state = state
    classList.toggle(headerHooks.fixedClass, fixed)
    classList.toggle(headerHooks.atStartClass, state === 'at-start')
    classList.toggle(headerHooks.stuckClass, state === 'stuck')
    classList.toggle(headerHooks.hiddenClass, this.#reveal.hidden)
    this.#header.parentElement?.classList.toggle(headerHooks.parentClass, fixed)
    document.body.classList.toggle(headerHooks.bodyClass, fixed)
  }

  #show(): void {
    this.#reveal = { hidden: false, turn: clampScroll(scrollY, this.#root.scrollHeight, innerHeight) }
    this.#header.classList.remove(headerHooks.hiddenClass)
  }

  /** A header in use stays visible. */
  #inUse(): boolean {
    const open = `.${subMenuHooks.openItemClass}, :focus-visible`
    return this.#header.querySelector(open) !== null || document.querySelector(`.${drawerHooks.shownClass}`) !== null
  }
}

/** Returns the height of the header's first line, without a menu below it. */
function rowHeight(header: HTMLElement): number {
  const row = header.querySelector<HTMLElement>(headerHooks.row)
  return row ? Math.round(Number.parseFloat(getComputedStyle(row).gridTemplateRows) || row.offsetHeight) : 0
}

/** @param usual the default value of the styles */
function setOnce({ style }: HTMLElement, name: string, value: string, usual: string): void {
  if ((style.getPropertyValue(name) || usual) !== value) style.setProperty(name, value)
}
