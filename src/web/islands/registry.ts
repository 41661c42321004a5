import type { ComponentType } from 'react'

/** Loads the chunk of one island. The props are the server's own, so their type is settled where it rendered them. */
export type IslandRegistry = Readonly<Record<string, () => Promise<ComponentType<never>>>>

/** Every island by name: its chunk is loaded when an element of that name wakes up. */
export const islands: IslandRegistry = {
  'product-tab-list': async () => (await import('./catalog/product-tab-list.tsx')).ProductTabList,
  'variation-form': async () => (await import('./catalog/variation-form.tsx')).VariationForm,
  'wallet-buttons': async () => (await import('./payments/wallet-buttons.tsx')).WalletButtons,
}
