import type { ComponentType } from 'react'
import type { components } from './components.ts'

/** Loads the chunk of one island. The server's props have their type already where it renders them. */
export type IslandRegistry = Readonly<Record<string, () => Promise<ComponentType<never> | BareIsland>>>

/** Takes over the server's markup unchanged, without React. @returns a function that ends it */
export type BareIsland = (element: HTMLElement) => () => void

/** Every island by name: its chunk is loaded when an element of that name wakes up. */
export const islands: IslandRegistry = {
  'accelerated-checkout': component('accelerated-checkout'),
  'card-fields': component('card-fields'),
  'currency-switcher': component('currency-switcher'),
  'password-strength': component('password-strength'),
  'product-gallery': async () => (await import('./catalog/product-gallery.ts')).startGallery,
  'product-tab-list': async () => (await import('./catalog/product-tab-list.ts')).startTabs,
  'variation-form': async () => (await import('./catalog/variation-form.ts')).startVariationForm,
  'wallet-buttons': component('wallet-buttons'),
}

/** Loads a component by way of a list that comes beside React, so that its chunks are not named on every page. */
function component(name: keyof typeof components) {
  return async () => (await import('./components.ts')).components[name]()
}
