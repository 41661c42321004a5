import { createContext, useContext } from 'react'

/** The current page in one of the languages that visitors may choose. */
export type PageAddress = {
  /** BCP 47. */
  tag: string
  /** A path of the shop, localized already. */
  path: string
}

const Context = createContext<readonly PageAddress[]>([])

export const PageAddressesProvider = Context.Provider

/** The current page in each language of the shop, including its own; empty in a shop with a single language. */
export const usePageAddresses = (): readonly PageAddress[] => useContext(Context)
