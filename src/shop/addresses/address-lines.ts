import type { ShopSettings } from '#contract/shared/settings.ts'
import { formatAddress, type WrittenAddress } from '#domain/addresses/format-address.ts'
import { countryName } from './allowed-countries.ts'

/** The shop's address and language. */
export type Home = Pick<ShopSettings, 'base' | 'language'>

/** Formats an address as its country writes it, in lines; the shop's own country is left out. */
export function addressLines({ base, language }: Home, address: WrittenAddress): string[] {
  return formatAddress(address, { base: base.country, countryName: (code) => countryName(language, code), language })
}

/** Formats an address in a single line with its country, for running text. */
export function placeText({ base, language }: Home, address: WrittenAddress): string {
  return formatAddress(address, {
    base: base.country,
    countryName: (code) => countryName(language, code),
    language,
    forceCountry: true,
  }).join(', ')
}
