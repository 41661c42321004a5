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
 * When an island wakes up: at once, when the browser is idle, when it is seen, when it is seen by a person who has shown
 * to be there (moved, scrolled, pressed a key), or when somebody touches it; on a page with jQuery, whose touch is not felt, soon.
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
}

/** How the server renders an island's inside: as a root of its own, so that its ids agree when it hydrates alone. */
export type IslandRender = {
  /** Begins every id prefix, so that islands of two separately rendered parts of one page do not share ids. */
  scope: string
  render(element: ReactElement, prefix: string): string
}

export const IslandRenderContext = createContext<IslandRender | null>(null)

/**
 * A React component that also runs in the browser, in markup that does not. In the browser, inside another island, only the
 * element is rendered: what is in it belongs to the inner island alone.
 * @throws on the server without an `IslandRenderProvider` above it.
 */
export function Island<Props extends object>({
  name,
  when,
  component: Component,
  props,
  className,
  id,
}: IslandProps<Props>) {
  const renderer = useContext(IslandRenderContext)
  const prefix = `${renderer?.scope ?? ''}${name}${useId()}`
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

/** Server markup that a script without React takes over as it stands, see `BareIsland`. */
export function BareIsland({ name, when, children }: { name: string; when: IslandStrategy; children: ReactNode }) {
  return createElement('vitrine-island', { name, when, bare: '' }, children)
}

function inside(renderer: IslandRender | null, element: ReactElement, prefix: string, name: string): string {
  if (renderer) return renderer.render(element, prefix)
  if (typeof document === 'undefined') throw new Error(`the island ${name} needs an IslandRenderProvider above it`)
  return ''
}
