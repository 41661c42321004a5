import { type ComponentType, createElement, type ReactNode, useEffect } from 'react'
import { createRoot, hydrateRoot, type Root } from 'react-dom/client'
import { guardAgainstTranslators } from './translator-guard.ts'
import { type TypedValue, typedValuesIn } from './typed-values.ts'

/** React enters the page with this chunk, which the first island that wakes loads and all share. */

guardAgainstTranslators()

export type MountedIsland = { update(props: object): void; unmount(): void }

export type IslandReports = {
  /** The island listens. */
  ready(): void
  /** It threw and is gone; the server's markup stands again. */
  failed(error: unknown): void
}

/** @param props those that the markup in `host` was rendered with, or the present ones when it is empty. */
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

  // An update before React has taken the markup over would make it throw the markup away.
  let committed = false
  let latest = props

  const takeOver = () => {
    if (ended) return
    committed = true
    for (const value of typed.splice(0)) value.retype()
    if (latest !== props) root.render(element(latest))
    ready()
  }
  // After the commit that calls it: while React is at work it would put its own values back into the fields first.
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
      // React is still at work on this root; it may be taken down once it has finished.
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
