import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { IslandRenderProvider } from '../../islands/island-render.tsx'
import { type ShopContextValue, ShopProvider } from '../../parts/shared/shop-context.tsx'
import { linksIn } from './localize-links.ts'

/**
 * Returns the number of a context: after each change of texts, settings or catalog there is a new context with another
 * number.
 */
export function numberOf(shop: ShopContextValue): number {
  const number = numbers.get(shop) ?? ++lastNumber
  numbers.set(shop, number)
  return number
}

const numbers = new WeakMap<ShopContextValue, number>()
let lastNumber = 0

/**
 * Creates a cache of recently used values, at most twice as large as `most`: a full map becomes the second map, and
 * entries not used since then are evicted with the former second map.
 * @param sizeOf in the unit of `most`
 * @returns a function that returns the cached value of a key, or creates it
 */
export function markupCache<Value>(most: number, sizeOf: (value: Value) => number) {
  let recent = new Map<string, Value>()
  let former = new Map<string, Value>()
  let held = 0
  return (key: string, make: () => Value): Value => {
    const known = recent.get(key)
    if (known !== undefined) return known
    const value = former.get(key) ?? make()
    if (held >= most) {
      former = recent
      recent = new Map()
      held = 0
    }
    held += sizeOf(value)
    recent.set(key, value)
    return value
  }
}

/** Renders markup that many pages share, with localized links. */
export function sharedMarkup(shop: ShopContextValue, element: ReactNode): string {
  const markup = renderToStaticMarkup(
    <ShopProvider value={shop}>
      <IslandRenderProvider>{element}</IslandRenderProvider>
    </ShopProvider>,
  )
  return linksIn(markup, shop)
}
