import type { ComponentType } from 'react'

/** Loads the chunk of one island. The server's props have their type already where it renders them. */
export type IslandRegistry = Readonly<Record<string, () => Promise<ComponentType<never> | BareIsland>>>

/** Takes over the server's markup unchanged, without React. @returns a function that ends it */
export type BareIsland = (element: HTMLElement) => () => void

/** Every island by name: its chunk is loaded when an element of that name wakes up. */
export const islands: IslandRegistry = {
  'accelerated-checkout': async () =>
    (await import('./payments/accelerated/accelerated-checkout.tsx')).AcceleratedCheckout,
  'card-fields': async () => (await import('./payments/card-fields.tsx')).CardFields,
  'currency-switcher': async () => (await import('./currency/currency-switcher.tsx')).CurrencySwitcher,
  'password-strength': async () => (await import('./customers/password-strength.tsx')).PasswordStrength,
  'product-gallery': async () => (await import('./catalog/product-gallery.ts')).startGallery,
  'product-tab-list': async () => (await import('./catalog/product-tab-list.ts')).startTabs,
  'variation-form': async () => (await import('./catalog/variation-form.ts')).startVariationForm,
  'wallet-buttons': async () => (await import('./payments/wallet-buttons.tsx')).WalletButtons,
}
