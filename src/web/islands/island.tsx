import type { ComponentType } from 'react'

/** When an island wakes up: at once, when the browser is idle, when it is seen, or when somebody touches it. */
export type IslandStrategy = 'load' | 'idle' | 'visible' | 'interaction'

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

/** A React component that also runs in the browser, in markup that does not. */
export function Island<Props extends object>({ component: Component, props }: IslandProps<Props>) {
  return <Component {...props} />
}
