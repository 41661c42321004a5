import type { ShopSettings } from '#contract/shared/settings.ts'
import { formatAddress, type WrittenAddress } from '#domain/addresses/format-address.ts'
import { countryName } from './allowed-countries.ts'

/** Where the shop is and which language it speaks. */
export type Home = Pick<ShopSettings, 'base' | 'language'>

/** An address as its country writes it, in lines; the shop's own country is not named. */
export function addressLines({ base, language }: Home, address: WrittenAddress): string[] {
  return formatAddress(address, { base: base.country, countryName: (code) => countryName(language, code), language })
}

/** The same on one line and with its country always, for running text. */
export function placeText({ base, language }: Home, address: WrittenAddress): string {
  return formatAddress(address, {
    base: base.country,
    countryName: (code) => countryName(language, code),
    language,
    forceCountry: true,
  }).join(', ')
}
