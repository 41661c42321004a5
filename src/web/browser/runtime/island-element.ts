import type { ComponentType } from 'react'
import type { BareIsland, IslandRegistry } from '../../islands/registry.ts'
import { onceJQuery } from './events.ts'
import type { MountedIsland } from './island-root.ts'
import { islandTag } from './island-tag.ts'

/**
 * The element around an island. It sleeps as plain server markup until its strategy or a visitor wakes it, then loads its
 * chunk, hydrates, and hands over what the visitor did meanwhile. Whatever fails, the markup stays and works natively.
 */

type State = 'asleep' | 'loading' | 'live' | 'failed'

/** Touching the island wakes it. */
const wakingTypes = ['pointerdown', 'keydown', 'focusin', 'input', 'change', 'click', 'submit'] as const
/** These would act, or leave the page, before the island can answer: they wait. The value fields are read from the page itself. */
const heldTypes = new Set(['click', 'submit'])
const replayedTypes = new Set(['pointerdown', 'keydown', 'focusin', 'click', 'submit'])
const heldAtMost = 50

/** What replaced markup needs to know of an island in its way. */
export type LiveIsland = IslandElement & { readonly live: true }
export type IslandElement = HTMLElement & {
  readonly live: boolean
  retire(): void
  connectedCallback(): void
  /** The markup inside has been brought up to date with the `props` attribute. */
  settle(): void
}

/** The outermost island elements below `root` that run. */
export function liveIslandsIn(root: Element): LiveIsland[] {
  const live = [...root.querySelectorAll<HTMLElement>(islandTag)].filter(isLive)
  return live.filter((island) => !live.some((other) => other !== island && other.contains(island)))
}

export function isIsland(node: Node): node is IslandElement {
  return node instanceof HTMLElement && node.localName === islandTag && 'live' in node
}

export function isLive(element: Element): element is LiveIsland {
  return isIsland(element) && element.live
}

export function defineIslands(registry: IslandRegistry): void {
  if (!customElements.get(islandTag)) customElements.define(islandTag, islandElement(registry))
}

function islandElement(registry: IslandRegistry) {
  return class extends HTMLElement {
    static observedAttributes = ['props', 'name']

    #state: State = 'asleep'
    #mounted: MountedIsland | undefined
    #held: Event[] = []
    #watch: AbortController | undefined
    /** The props that the markup inside was rendered with; an outer island may have given new ones since. */
    #rendered: string | null = null

    get live(): boolean {
      return this.#state === 'live'
    }

    connectedCallback(): void {
      this.#rendered ??= this.getAttribute('props')
      if (this.#state === 'asleep' && !this.#watch) this.#arm()
    }

    /** Being moved is no reason to start again. */
    connectedMoveCallback(): void {}

    disconnectedCallback(): void {
      // An element that is moved by removing and inserting is back in the document by now.
      queueMicrotask(() => {
        if (!this.isConnected) this.retire()
      })
    }

    attributeChangedCallback(attribute: string, before: string | null): void {
      if (before === null) return
      if (attribute === 'name') {
        this.retire()
        if (this.isConnected) this.#arm()
      } else if (this.#state === 'live') {
        this.#attempt(() => this.#mounted?.update(this.#props()))
      }
    }

    settle(): void {
      this.#rendered = this.getAttribute('props')
    }

    /** Ends the island and leaves the element asleep. */
    retire(): void {
      this.#watch?.abort()
      this.#watch = undefined
      this.#mounted?.unmount()
      this.#mounted = undefined
      this.#held = []
      this.#state = 'asleep'
    }

    #arm(): void {
      this.#watch = new AbortController()
      const { signal } = this.#watch
      for (const type of wakingTypes) {
        this.addEventListener(type, (event) => this.#hold(event), { capture: true, signal })
      }
      const wake = () => {
        if (!signal.aborted) void this.#wake()
      }
      const when = this.getAttribute('when')
      if (when === 'interaction') {
        // Scripts that speak jQuery touch what is in it without anything that the browser would tell of, and wait to be told.
        onceJQuery(() => void idle().then(wake))
      } else if (when === 'visible') {
        this.#whenVisible(signal, wake)
      } else if (when === 'presence') {
        void firstUserActivity().then(() => this.#whenVisible(signal, wake))
      } else if (when === 'idle') {
        void idle().then(wake)
      } else {
        wake()
      }
    }

    #whenVisible(signal: AbortSignal, wake: () => void): void {
      if (signal.aborted) return
      const observer = new IntersectionObserver((entries) => {
        if (entries.some((entry) => entry.isIntersecting)) {
          observer.disconnect()
          wake()
        }
      })
      // An island may be laid out as if it were not there (`display: contents`), and then has no box to be seen.
      observer.observe(this.firstElementChild ?? this)
      signal.addEventListener('abort', () => observer.disconnect())
    }

    #hold(event: Event): void {
      const modified = event instanceof MouseEvent && (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
      if (event.defaultPrevented || modified) return
      if (heldTypes.has(event.type)) {
        event.preventDefault()
        event.stopImmediatePropagation()
        // A second press on what submits says nothing that the first did not.
        if (this.#held.some((held) => held.type === event.type && held.target === event.target && submits(event)))
          return
      }
      if (replayedTypes.has(event.type)) {
        this.#held.push(event)
        if (this.#held.length > heldAtMost) this.#held.shift()
      }
      void this.#wake()
    }

    async #wake(): Promise<void> {
      if (this.#state !== 'asleep') return
      this.#state = 'loading'
      const watch = this.#watch
      try {
        const name = this.getAttribute('name') ?? ''
        const load = Object.hasOwn(registry, name) ? registry[name] : undefined
        if (!load) throw new Error(`no island is called ${name}`)
        const [part, root] = await Promise.all([
          load(),
          this.hasAttribute('bare') ? undefined : import('./island-root.ts'),
        ])
        if (watch !== this.#watch || !this.isConnected) return
        if (!root) {
          // Proof of the cast: the server marks as bare what the registry has under this name as a function of an element.
          this.#mounted = { update() {}, unmount: (part as BareIsland)(this) }
          this.#state = 'live'
          this.#release()
          return
        }
        const rendered = parseProps(this.hasChildNodes() ? this.#rendered : this.getAttribute('props'))
        this.#mounted = root.mountIsland(this, part as ComponentType<never>, rendered, {
          ready: () => this.#release(),
          failed: (error) => this.#fail(error),
        })
        this.#state = 'live'
        if (this.#rendered !== this.getAttribute('props')) this.#mounted.update(this.#props())
      } catch (error) {
        if (watch === this.#watch) this.#fail(error)
      }
    }

    #attempt(work: () => void): void {
      try {
        work()
      } catch (error) {
        this.#fail(error)
      }
    }

    #fail(error: unknown): void {
      if (this.#state === 'failed') return
      console.error(`the island ${this.getAttribute('name')} stopped; its plain markup remains`, error)
      this.#state = 'failed'
      // Where a control stands in for a plain one, the plain one is shown again.
      this.setAttribute('failed', '')
      this.#mounted = undefined
      this.#release()
    }

    /** Nothing is held any longer; what was is done now, by the island or, when it failed, by the plain markup. */
    #release(): void {
      this.#watch?.abort()
      const held = this.#held.splice(0)
      for (const event of held) {
        // A failed island has no listeners of its own to tell: only what was kept from happening happens.
        if (this.#state === 'live' || heldTypes.has(event.type)) replay(this, event)
      }
    }

    #props(): object {
      return parseProps(this.getAttribute('props'))
    }
  }
}

/** What only a person, or a tool in a person's hands, does to a page. Of a press its end: what it asks for comes first. */
const signsOfLife = ['pointermove', 'click', 'keydown', 'scroll', 'focusin'] as const
let presence: Promise<unknown> | undefined

/**
 * Settles after the first sign of a person, when the browser has answered it. All that waits for somebody goes on in a task of
 * its own, while there is nothing better to do: no press is kept waiting by what nobody has asked for.
 */
export function firstUserActivity(): Promise<unknown> {
  presence ??= new Promise((resolve) => {
    for (const type of signsOfLife) document.addEventListener(type, resolve, { capture: true, once: true })
  })
  return presence.then(idle)
}

/** When the browser has nothing better to do, after a second at the latest. */
function idle(): Promise<unknown> {
  return new Promise((resolve) => {
    // Safari has no idle callback.
    if ('requestIdleCallback' in window) requestIdleCallback(resolve, { timeout: 1000 })
    else setTimeout(resolve, 200)
  })
}

function parseProps(text: string | null): object {
  const props: unknown = JSON.parse(text ?? '{}')
  if (typeof props !== 'object' || props === null) throw new Error('the props of an island are an object')
  return props
}

function submits({ type, target }: Event): boolean {
  if (type === 'submit') return true
  const button = target instanceof Element ? target.closest('button, input') : null
  return (button instanceof HTMLButtonElement || button instanceof HTMLInputElement) && button.type === 'submit'
}

function replay(island: HTMLElement, event: Event): void {
  const target = standIn(island, event.target)
  if (!target) return
  if (event instanceof SubmitEvent && target instanceof HTMLFormElement) {
    target.requestSubmit(event.submitter?.isConnected ? event.submitter : undefined)
    return
  }
  // Every event object serves as the dictionary its own constructor takes. A click made so still follows links and submits.
  // Proof of the cast: the constructor of an event is an event constructor.
  const Constructor = event.constructor as typeof Event
  target.dispatchEvent(new Constructor(event.type, event))
}

/** The node that was meant, or the one that hydration put in its place. */
function standIn(island: HTMLElement, target: EventTarget | null): Element | null {
  if (!(target instanceof Element)) return null
  if (target.isConnected) return target
  const name = target.getAttribute('name')
  if (target.id) return island.querySelector(`#${CSS.escape(target.id)}`)
  return name ? island.querySelector(`${target.localName}[name="${CSS.escape(name)}"]`) : null
}
