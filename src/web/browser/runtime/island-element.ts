import type { ComponentType } from 'react'
import type { BareIsland, IslandRegistry } from '../../islands/registry.ts'
import { closestTo } from './elements.ts'
import { onceJQuery } from './events.ts'
import type { MountedIsland } from './island-root.ts'
import { islandTag } from './island-tag.ts'

/**
 * The element around an island. It is plain server markup until its strategy or a visitor wakes it. Then it loads its
 * chunk, hydrates, and replays the visitor's events. After any failure the markup stays and works natively.
 */

type State = 'asleep' | 'loading' | 'live' | 'failed'

/** Events within the island that wake it. */
const wakingTypes = ['pointerdown', 'keydown', 'focusin', 'input', 'change', 'click', 'submit'] as const
/**
 * These would act, or leave the page, before the island can answer: they are held back. Field values are read from the
 * page itself.
 */
const heldTypes = new Set(['click', 'submit'])
const replayedTypes = new Set(['pointerdown', 'keydown', 'focusin', 'click', 'submit'])
const heldAtMost = 50

/** The interface that replaced markup uses for islands. */
export type LiveIsland = IslandElement & { readonly live: true }
export type IslandElement = HTMLElement & {
  readonly live: boolean
  retire(): void
  connectedCallback(): void
  /** Records that the markup inside matches the `props` attribute. */
  settle(): void
}

/** Returns the outermost running island elements below `root`. */
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
    /** The props that the markup inside was rendered with; an outer island may have set new ones since. */
    #rendered: string | null = null

    get live(): boolean {
      return this.#state === 'live'
    }

    connectedCallback(): void {
      this.#rendered ??= this.getAttribute('props')
      if (this.#state === 'asleep' && !this.#watch) this.#arm()
    }

    /** A move does not restart the island. */
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

    /** Stops the island; its element is asleep again. */
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
        // jQuery scripts access the content without native events, and wait for the island's events.
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
      // An island with `display: contents` has no box to observe, and after its end nothing in it.
      if (this.firstElementChild) observer.observe(this.firstElementChild)
      else wake()
      signal.addEventListener('abort', () => observer.disconnect())
    }

    #hold(event: Event): void {
      const modified = event instanceof MouseEvent && (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
      // The browser opens a `details` element without a script.
      const opens = event.type === 'click' && closestTo(event, 'summary')
      if (event.defaultPrevented || modified || opens) return
      if (heldTypes.has(event.type)) {
        event.preventDefault()
        event.stopImmediatePropagation()
        // A second press on a submitting control adds nothing.
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
          // Proof of the cast: the server marks as bare only islands that the registry has as functions of an element.
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
      // The native control that an island replaces is shown again.
      this.setAttribute('failed', '')
      this.#mounted = undefined
      this.#release()
    }

    /** Releases held events: the island handles them or, after a failure, the plain markup. */
    #release(): void {
      this.#watch?.abort()
      const held = this.#held.splice(0)
      for (const event of held) {
        // A failed island has no listeners: only prevented actions are replayed.
        if (this.#state === 'live' || heldTypes.has(event.type)) replay(this, event)
      }
    }

    #props(): object {
      return parseProps(this.getAttribute('props'))
    }
  }
}

/**
 * Events that only a person, or a tool used by a person, causes. Of a press only the end: its own handler runs first.
 */
const signsOfLife = ['pointermove', 'click', 'keydown', 'scroll', 'focusin'] as const
let presence: Promise<unknown> | undefined

/**
 * Resolves after the first user activity, once the browser has handled it. Each waiting part continues in its own idle
 * task, so that it delays no press.
 */
export function firstUserActivity(): Promise<unknown> {
  presence ??= new Promise((resolve) => {
    for (const type of signsOfLife) document.addEventListener(type, resolve, { capture: true, once: true })
  })
  return presence.then(idle)
}

/** Resolves when the browser is idle, after a second at the latest. */
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

function submits(event: Event): boolean {
  if (event.type === 'submit') return true
  const button = closestTo(event, 'button, input')
  return (button instanceof HTMLButtonElement || button instanceof HTMLInputElement) && button.type === 'submit'
}

function replay(island: HTMLElement, event: Event): void {
  const target = standIn(island, event.target)
  if (!target) return
  if (event instanceof SubmitEvent && target instanceof HTMLFormElement) {
    target.requestSubmit(event.submitter?.isConnected ? event.submitter : undefined)
    return
  }
  // Every event object serves as the dictionary that its own constructor takes. A synthetic click still follows links
  // and submits. Proof of the cast: the constructor of an event is an event constructor.
  const Constructor = event.constructor as typeof Event
  target.dispatchEvent(new Constructor(event.type, event))
}

/** Returns the event's target, or the node that replaced it on hydration. */
function standIn(island: HTMLElement, target: EventTarget | null): Element | null {
  if (!(target instanceof Element)) return null
  if (target.isConnected) return target
  const name = target.getAttribute('name')
  if (target.id) return island.querySelector(`#${CSS.escape(target.id)}`)
  return name ? island.querySelector(`${target.localName}[name="${CSS.escape(name)}"]`) : null
}
