import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { type IslandRender, IslandRenderContext } from './island.tsx'

/**
 * Lets the islands below render their content; server only. A separately rendered part that is inserted into a page
 * later sets its own scope, for instance its name.
 */
export function IslandRenderProvider({ scope = '', children }: { scope?: string; children: ReactNode }) {
  return <IslandRenderContext value={islandRender(scope)}>{children}</IslandRenderContext>
}

function islandRender(scope: string): IslandRender {
  return {
    scope,
    render: (element, prefix) =>
      // Inner ids have the prefix already: nested islands need no additional scope.
      renderToString(<IslandRenderProvider>{element}</IslandRenderProvider>, {
        identifierPrefix: prefix,
      }),
  }
}
