import { createContext, useContext } from 'react'
import type { CategoryFacts } from '#shop/catalog-facts.ts'

/** One entry of a select: the code that is posted and the words that are read. */
export type Choice = { value: string; label: string }

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
  /** For the shipping calculator: where the shop ships to, in the language of the page. */
  shippingCountries: readonly Choice[]
  /** Country → its states. A country that is absent takes free text; an empty list means it has none. */
  states: Readonly<Record<string, readonly Choice[]>>
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
