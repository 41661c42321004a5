/**
 * The page's events. Third-party scripts trigger and listen through jQuery with positional arguments, which native
 * events do not support. With jQuery on the page events use it; otherwise they are native CustomEvents with the
 * arguments in `detail.args`; never both.
 */

export type ShopEvent = {
  readonly type: string
  readonly target: EventTarget | null
  preventDefault(): void
  stopPropagation(): void
  /** Set on a native event; jQuery's has the function instead. */
  readonly defaultPrevented?: boolean
  isDefaultPrevented?(): boolean
  /** Set for presses, as far as the trigger provides it. */
  readonly button?: number
  readonly ctrlKey?: boolean
  readonly metaKey?: boolean
  readonly shiftKey?: boolean
  readonly altKey?: boolean
}
/** Returning false vetoes an event that asks for permission. */
// biome-ignore lint/suspicious/noConfusingVoidType: a listener may return nothing or a veto.
export type ShopListener = (event: ShopEvent, ...args: unknown[]) => void | boolean

type JQueryEvent = ShopEvent & { isDefaultPrevented(): boolean; originalEvent?: Event }
type JQueryHandler = (event: JQueryEvent, ...args: unknown[]) => unknown
type JQueryNodes = {
  trigger(event: string | JQueryEvent, args: unknown[]): unknown
  triggerHandler(event: JQueryEvent, args: unknown[]): unknown
  on(event: string, handler: JQueryHandler): unknown
  off(event: string, handler: JQueryHandler): unknown
  data(name?: string, value?: unknown): unknown
  removeData(name: string): unknown
}
export type JQuery = ((target: unknown) => JQueryNodes) & {
  Event(name: string): JQueryEvent
  /** Delays jQuery's ready event; removed in version 4. */
  holdReady?(hold: boolean): void
}

type Binding = { target: EventTarget; name: string; listener: ShopListener; viaJQuery: boolean; unbind: () => void }
const bindings = new Set<Binding>()
const waiting: ((jQuery: JQuery) => void)[] = []

/** Returns the page's jQuery, from any source. */
export function pageJQuery(): JQuery | undefined {
  // For a missing global a browser would search the whole page for an element of that name, on every access.
  const candidate: unknown = Object.hasOwn(window, 'jQuery') ? Reflect.get(window, 'jQuery') : undefined
  // Proof of the cast: jQuery is the one public library under this name; `Event` distinguishes it from a stray
  // variable.
  return typeof candidate === 'function' && 'Event' in candidate ? (candidate as JQuery) : undefined
}

/** Notifies all listeners on `target` or above it. */
export function trigger(target: EventTarget, name: string, ...args: unknown[]): void {
  const jQuery = adoptJQuery()
  if (jQuery) jQuery(target).trigger(name, wrapped(jQuery, args))
  else target.dispatchEvent(nativeEvent(name, args))
}

/** Asks the listeners on `target` for permission. @returns false when one of them vetoes. */
export function triggerHandler(target: EventTarget, name: string, ...args: unknown[]): boolean {
  const jQuery = adoptJQuery()
  if (!jQuery) return target.dispatchEvent(nativeEvent(name, args))
  const event = jQuery.Event(name)
  return jQuery(target).triggerHandler(event, wrapped(jQuery, args)) !== false && !event.isDefaultPrevented()
}

/**
 * Listens to public events, and to browser events that scripts imitate with jQuery, such as `change` and `click` on
 * `document`.
 * @returns a function that stops listening.
 */
export function listen(target: EventTarget, name: string, listener: ShopListener): () => void {
  const binding: Binding = { target, name, listener, viaJQuery: false, unbind: () => {} }
  bind(binding, adoptJQuery())
  bindings.add(binding)
  return () => {
    binding.unbind()
    bindings.delete(binding)
  }
}

/**
 * Moves native listeners to jQuery when it loads late, because its triggers never reach native listeners. Called at
 * every event of the shop, after every inserted script, and once the page has loaded.
 */
export function adoptJQuery(): JQuery | undefined {
  const jQuery = pageJQuery()
  if (jQuery) {
    for (const binding of bindings) {
      if (binding.viaJQuery) continue
      binding.unbind()
      bind(binding, jQuery)
    }
    for (const work of waiting.splice(0)) work(jQuery)
  }
  return jQuery
}

/** Runs work that only jQuery scripts need: as soon as the page has jQuery, or never. */
export function onceJQuery(work: (jQuery: JQuery) => void): void {
  waiting.push(work)
  adoptJQuery()
}

/**
 * Checks for jQuery after each event that may have loaded it. Scripts inserted by a tag manager fire no other event.
 */
export function watchForJQuery(): void {
  addEventListener('load', adoptJQuery)
  document.addEventListener('load', adoptJQuery, true)
  adoptJQuery()
}

function bind(binding: Binding, jQuery: JQuery | undefined): void {
  const { target, name, listener } = binding
  if (jQuery) {
    // A native event of the same name reaches jQuery's listeners too, with its arguments in the detail only.
    const handler: JQueryHandler = (event, ...args) =>
      listener(event, ...(args.length > 0 || !event.originalEvent ? args.map(unwrapped) : argsOf(event.originalEvent)))
    const nodes = jQuery(target)
    nodes.on(name, handler)
    binding.viaJQuery = true
    binding.unbind = () => nodes.off(name, handler)
    return
  }
  const [type = name, ...namespaces] = name.split('.')
  const handler = (event: Event) => {
    if (!inNamespace(event, namespaces)) return
    if (listener(event, ...argsOf(event)) === false) event.preventDefault()
  }
  target.addEventListener(type, handler)
  binding.unbind = () => target.removeEventListener(type, handler)
}

function nativeEvent(name: string, args: unknown[]): CustomEvent {
  const [type = name, ...namespaces] = name.split('.')
  return new CustomEvent(type, { bubbles: true, cancelable: true, detail: { args, namespaces } })
}

/** As in jQuery: an event with a namespace reaches only listeners bound with it, one without reaches all. */
function inNamespace(event: Event, listening: readonly string[]): boolean {
  const wanted = detailOf(event).namespaces
  return !Array.isArray(wanted) || wanted.every((namespace) => listening.includes(namespace))
}

function argsOf(event: Event): unknown[] {
  const { args } = detailOf(event)
  return Array.isArray(args) ? args : []
}

function detailOf(event: Event): { args?: unknown; namespaces?: unknown } {
  const detail: unknown = event instanceof CustomEvent ? event.detail : undefined
  return typeof detail === 'object' && detail !== null ? detail : {}
}

/** jQuery listeners expect a jQuery set for a button, link or wrapper. */
function wrapped(jQuery: JQuery, args: readonly unknown[]): unknown[] {
  return args.map((arg) => (arg instanceof Element ? jQuery(arg) : arg))
}

function unwrapped(arg: unknown): unknown {
  return typeof arg === 'object' && arg !== null && 'jquery' in arg ? Reflect.get(arg, 0) : arg
}
