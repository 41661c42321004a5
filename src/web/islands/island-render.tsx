import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { type IslandRender, IslandRenderContext } from './island.tsx'

/**
 * Lets the islands below render their insides; server only. A part that is rendered by itself and put into a page later
 * gives a scope of its own, for instance its name.
 */
export function IslandRenderProvider({ scope = '', children }: { scope?: string; children: ReactNode }) {
  return <IslandRenderContext value={islandRender(scope)}>{children}</IslandRenderContext>
}

function islandRender(scope: string): IslandRender {
  return {
    scope,
    render: (element, prefix) =>
      // Ids inside begin with the prefix already: islands in this one need no scope on top of it.
      renderToString(<IslandRenderProvider>{element}</IslandRenderProvider>, {
        identifierPrefix: prefix,
      }),
  }
}
