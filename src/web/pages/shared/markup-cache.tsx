import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { type ShopContextValue, ShopProvider } from '../../parts/shared/shop-context.tsx'
import { linksIn } from './localize-links.ts'

/** After each change of words, settings or catalogue the context is another one, and has another number. */
export function numberOf(shop: ShopContextValue): number {
  const number = numbers.get(shop) ?? ++lastNumber
  numbers.set(shop, number)
  return number
}

const numbers = new WeakMap<ShopContextValue, number>()
let lastNumber = 0

/**
 * Remembers what was asked for last, twice as much as `most` at the most: when a map is full it becomes the second, and what
 * nobody has asked for since leaves with the one that was the second.
 * @param sizeOf in the unit of `most`
 * @returns what a key stands for, made where it is not remembered
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

/** Markup that is the same on many pages, with its links in the language of the page. */
export function sharedMarkup(shop: ShopContextValue, element: ReactNode): string {
  return linksIn(renderToStaticMarkup(<ShopProvider value={shop}>{element}</ShopProvider>), shop)
}
