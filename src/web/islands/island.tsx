import {
  type ComponentType,
  createContext,
  createElement,
  type ReactElement,
  type ReactNode,
  useContext,
  useId,
} from 'react'

/**
 * The wake-up time of an island: at once, when idle, when visible, when visible after user activity (movement,
 * scrolling, a key), or on interaction; on a page with jQuery, whose events are not native, soon.
 */
export type IslandStrategy = 'load' | 'idle' | 'visible' | 'presence' | 'interaction'

export type IslandProps<Props extends object> = {
  /** The name in `registry.ts`. */
  name: string
  when: IslandStrategy
  component: ComponentType<Props>
  /** Must survive JSON. */
  props: Props
  className?: string
  id?: string
  /**
   * Begins the ids within, instead of its place among the components: for a part that is also rendered apart, whose
   * markup must be the same there. Unique among the islands of its name.
   */
  prefix?: string
}

/** How the server renders an island's content: as a root of its own, so that its ids agree when it hydrates alone. */
export type IslandRender = {
  /** Begins every id prefix, so that islands of two separately rendered parts of one page do not share ids. */
  scope: string
  render(element: ReactElement, prefix: string): string
}

export const IslandRenderContext = createContext<IslandRender | null>(null)

/**
 * A React component that also runs in the browser, within static markup. In the browser, inside another island, only
 * the element is rendered: the inner island owns its content.
 * @throws on the server without an `IslandRenderProvider` above it.
 */
export function Island<Props extends object>({
  name,
  when,
  component: Component,
  props,
  className,
  id,
  prefix: ownPrefix,
}: IslandProps<Props>) {
  const renderer = useContext(IslandRenderContext)
  const place = useId()
  const prefix = ownPrefix ? `${name}-${ownPrefix}` : `${renderer?.scope ?? ''}${name}${place}`
  return createElement('vitrine-island', {
    ...(id && { id }),
    ...(className && { className }),
    name,
    when,
    props: JSON.stringify(props),
    'data-prefix': prefix,
    suppressHydrationWarning: true,
    dangerouslySetInnerHTML: { __html: inside(renderer, <Component {...props} />, prefix, name) },
  })
}

/** Server markup that a script without React takes over unchanged, see `BareIsland`. */
export function BareIsland({ name, when, children }: { name: string; when: IslandStrategy; children: ReactNode }) {
  return createElement('vitrine-island', { name, when, bare: '' }, children)
}

function inside(renderer: IslandRender | null, element: ReactElement, prefix: string, name: string): string {
  if (renderer) return renderer.render(element, prefix)
  if (typeof document === 'undefined') throw new Error(`the island ${name} needs an IslandRenderProvider above it`)
  return ''
}
