import { createContext, createElement, type ReactNode, useContext } from 'react'
import type { ProductCardProps } from '../catalog/product-card.tsx'

/**
 * What of a page is the same on many others and is put into it once it has been rendered. Nobody else can write what stands for
 * it until then: in all that is not the merchant's own markup a `<` is escaped.
 */
export type PlaceholderParts = {
  /** @returns what stands for a list of cards */
  readonly cards: (cards: readonly ProductCardProps[]) => string
  /**
   * @param name by which the part is known again: with all that it says beside what is known of the shop
   * @returns what stands for it
   */
  readonly part: (name: string, part: ReactNode) => string
  /** @returns what stands for the JSON of what scripts are told */
  readonly settings: (settings: Readonly<Record<string, unknown>>) => string
}

/** Null: everything is rendered with the page. Server only. */
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

/** The same within an element that has no others in it. */
export const placeholderMarkup = (of: string) => `<${placeholderTag}>${of}</${placeholderTag}>`

/** Within parts that are remembered: the page in other languages is another one on each page. */
export const LanguagesPlaceholderContext = createContext(false)
export const languagesPlaceholder = 'languages'
