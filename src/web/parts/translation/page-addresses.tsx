import { createContext, useContext } from 'react'

/** The page that is shown, in one of the languages that its visitor may choose. */
export type PageAddress = {
  /** BCP 47. */
  tag: string
  /** A path of the shop, in that language already. */
  path: string
}

const Context = createContext<readonly PageAddress[]>([])

export const PageAddressesProvider = Context.Provider

/** The page in each language of the shop, its own among them; none where the shop speaks but one. */
export const usePageAddresses = (): readonly PageAddress[] => useContext(Context)
