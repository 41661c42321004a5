import { createContext, createElement, type ReactNode, useContext } from 'react'
import type { ProductCardProps } from '../catalog/product-card.tsx'

/**
 * Parts of a page that many pages share, inserted after rendering. Visitor input cannot imitate a placeholder: outside
 * of the merchant's own markup every `<` is escaped.
 */
export type PlaceholderParts = {
  /** @returns the placeholder of a list of cards */
  readonly cards: (cards: readonly ProductCardProps[]) => string
  /**
   * @param name the cache key of the part: includes everything that it shows besides the shop's facts
   * @returns its placeholder
   */
  readonly part: (name: string, part: ReactNode) => string
  /** @returns the placeholder of the script settings' JSON */
  readonly settings: (settings: Readonly<Record<string, unknown>>) => string
}

/** Null: the whole page is rendered directly. Server only. */
export const PlaceholderPartsContext = createContext<PlaceholderParts | null>(null)

/** A part of a page, whose markup nothing changes but the shop and its name. */
export function CachedPart({ name, children }: { name: string; children: ReactNode }) {
  const standIns = useContext(PlaceholderPartsContext)
  return standIns ? <PlaceholderPart of={standIns.part(name, children)} /> : children
}

export const placeholderTag = 'stand-in'

export function PlaceholderPart({ of }: { of: string }) {
  return createElement(placeholderTag, null, of)
}

/** Returns the same for an element without other content. */
export const placeholderMarkup = (of: string) => `<${placeholderTag}>${of}</${placeholderTag}>`

/** Within cached parts: the language links differ on each page. */
export const LanguagesPlaceholderContext = createContext(false)
export const languagesPlaceholder = 'languages'
