/**
 * The page's events. Scripts of this ecosystem trigger and listen through jQuery with positional arguments, which a native
 * event neither carries nor hears. So: through jQuery when the page has it, else as a native CustomEvent whose
 * `detail.args` holds the arguments; never both.
 */

export type ShopEvent = {
  readonly type: string
  readonly target: EventTarget | null
  preventDefault(): void
  stopPropagation(): void
  /** Of a native event; jQuery's has the function instead. */
  readonly defaultPrevented?: boolean
  isDefaultPrevented?(): boolean
  /** Of presses, as far as the trigger gave them. */
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
  /** Keeps those who wait for the page waiting; gone from its fourth version on. */
  holdReady?(hold: boolean): void
}

type Binding = { target: EventTarget; name: string; listener: ShopListener; viaJQuery: boolean; unbind: () => void }
const bindings = new Set<Binding>()
const waiting: ((jQuery: JQuery) => void)[] = []

/** The page's jQuery, whoever brought it. */
export function pageJQuery(): JQuery | undefined {
  // Where there is none a browser would look through the whole page for an element of that name, each time anew.
  const candidate: unknown = Object.hasOwn(window, 'jQuery') ? Reflect.get(window, 'jQuery') : undefined
  // Proof of the cast: jQuery is the one public library under this name; `Event` tells it from a stray variable.
  return typeof candidate === 'function' && 'Event' in candidate ? (candidate as JQuery) : undefined
}

/** Tells everybody who listens on `target` or above it. */
export function trigger(target: EventTarget, name: string, ...args: unknown[]): void {
  const jQuery = adoptJQuery()
  if (jQuery) jQuery(target).trigger(name, wrapped(jQuery, args))
  else target.dispatchEvent(nativeEvent(name, args))
}

/** Asks those who listen on `target` for permission. @returns false when one of them vetoes. */
export function triggerHandler(target: EventTarget, name: string, ...args: unknown[]): boolean {
  const jQuery = adoptJQuery()
  if (!jQuery) return target.dispatchEvent(nativeEvent(name, args))
  const event = jQuery.Event(name)
  return jQuery(target).triggerHandler(event, wrapped(jQuery, args)) !== false && !event.isDefaultPrevented()
}

/**
 * Also for the browser's own events that scripts imitate with jQuery, such as `change` and `click` on `document`.
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
 * jQuery may arrive after our listeners were bound natively, and its triggers never reach native listeners: they move over.
 * Called at every event of ours, after every script that comes, and once the page has loaded.
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

/** For what only scripts that speak jQuery need: done as soon as the page has it, now or later, or never. */
export function onceJQuery(work: (jQuery: JQuery) => void): void {
  waiting.push(work)
  adoptJQuery()
}

/** Looks for jQuery when it may have come. A script that a tag manager puts in tells of itself to nobody else. */
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

/** Listeners in jQuery expect a jQuery set where the interface says button, link or wrapper. */
function wrapped(jQuery: JQuery, args: readonly unknown[]): unknown[] {
  return args.map((arg) => (arg instanceof Element ? jQuery(arg) : arg))
}

function unwrapped(arg: unknown): unknown {
  return typeof arg === 'object' && arg !== null && 'jquery' in arg ? Reflect.get(arg, 0) : arg
}
