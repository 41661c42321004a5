import { pageJQuery } from '../../runtime/events.ts'
import { warnOfDoubles } from './classic-tasks.ts'
import { offerTemplates } from './wp-template.ts'

/**
 * Prepares the objects that scripts of the classic storefront expect. Safe to call again.
 * @returns a promise that resolves when they may start: scripts that use jQuery wait for it
 */
export async function startClassicScripts(): Promise<void> {
  const hasJQuery = pageJQuery() !== undefined
  if (hasJQuery) {
    offerTemplates()
    warnOfDoubles()
    document.addEventListener('load', warnOfDoubles, true)
  }
  if (!('wc_address_i18n_params' in window)) return
  const { loadAddressData, offerAllCountries } = await import('../addresses/address-data.ts')
  offerAllCountries()
  if (hasJQuery) await loadAddressData()
}
