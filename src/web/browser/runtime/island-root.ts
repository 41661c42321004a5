import { type ComponentType, createElement, type ReactNode, useEffect } from 'react'
import { createRoot, hydrateRoot, type Root } from 'react-dom/client'
import { guardAgainstTranslators } from './translator-guard.ts'
import { type TypedValue, typedValuesIn } from './typed-values.ts'

/** This chunk contains React; the first waking island loads it, and all share it. */

guardAgainstTranslators()

export type MountedIsland = { update(props: object): void; unmount(): void }

export type IslandReports = {
  /** The island has its listeners. */
  ready(): void
  /** The island threw and was unmounted; the server's markup is shown again. */
  failed(error: unknown): void
}

/** @param props the props that the markup in `host` was rendered with, or the current ones if it is empty. */
export function mountIsland(
  host: HTMLElement,
  component: ComponentType<never>,
  props: object,
  { ready, failed }: IslandReports,
): MountedIsland {
  // Proof of the cast: the server rendered these props with this component, found by the same name.
  const Component = component as ComponentType<object>
  const markup = [...host.childNodes].map((node) => node.cloneNode(true))
  let typed: TypedValue[] = []

  // An update before hydration has committed would make React discard the markup.
  let committed = false
  let latest = props

  const takeOver = () => {
    if (ended) return
    committed = true
    for (const value of typed.splice(0)) value.retype()
    if (latest !== props) root.render(element(latest))
    ready()
  }
  // Runs after the commit that calls it: during hydration React would overwrite the fields with its own values.
  const onCommit = () => queueMicrotask(takeOver)
  const element = (props: object) => createElement(Committed, { onCommit }, createElement(Component, props))

  let ended = false
  const end = () => {
    ended = true
    root.unmount()
  }
  const options = {
    identifierPrefix: host.dataset.prefix ?? '',
    onUncaughtError: (error: unknown) => {
      if (ended) return
      ended = true
      // React is still rendering this root; it may be unmounted afterwards.
      setTimeout(() => {
        root.unmount()
        host.replaceChildren(...markup)
        failed(error)
      })
    },
  }

  let root: Root
  if (markup.length > 0) {
    typed = typedValuesIn(host)
    root = hydrateRoot(host, element(props), options)
  } else {
    root = createRoot(host, options)
    root.render(element(props))
  }

  return {
    update: (next) => {
      latest = next
      if (committed && !ended) root.render(element(next))
    },
    unmount: () => {
      if (!ended) end()
    },
  }
}

function Committed({ onCommit, children }: { onCommit: () => void; children?: ReactNode }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: it reports the first commit, not changes.
  useEffect(onCommit, [])
  return children
}
