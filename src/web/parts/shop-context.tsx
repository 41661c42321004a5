import { createContext, useContext } from 'react'
import type { CategoryFacts } from '#shop/catalog-facts.ts'

/** What every page and part may know about the shop. Nothing of the visitor is in it, so that pages can be cached. */
export type ShopContextValue = {
  name: string
  tagline: string
  language: string
  dir: 'ltr' | 'rtl'
  currency: string
  priceFormat: {
    position: 'left' | 'right' | 'left_space' | 'right_space'
    decimals: number
    decimalSeparator: string
    thousandSeparator: string
  }
  taxDisplayShop: 'incl' | 'excl'
  taxDisplayCart: 'incl' | 'excl'
  pricesIncludeTax: boolean
  stockFormat: 'always' | 'low' | 'never'
  lowStockAmount: number
  couponsEnabled: boolean
  ajaxAdd: boolean
  redirectAfterAdd: boolean
  wallet: { enabled: boolean; sections: readonly string[]; buttonPlacement: 'place_order' | 'payment_method' }
  menu: readonly CategoryFacts[]
  /** Translates an English original; `%s` and `%1$s` are filled with the further arguments. */
  t: (original: string, ...values: readonly (string | number)[]) => string
}

const Context = createContext<ShopContextValue | null>(null)

export const ShopProvider = Context.Provider

/** @throws when rendered outside a `ShopProvider`. */
export function useShop(): ShopContextValue {
  const shop = useContext(Context)
  if (!shop) throw new Error('useShop needs a ShopProvider above it')
  return shop
}
