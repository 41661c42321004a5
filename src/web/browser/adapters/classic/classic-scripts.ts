import { pageJQuery } from '../../runtime/events.ts'
import { warnOfDoubles } from './classic-tasks.ts'
import { offerTemplates } from './wp-template.ts'

/**
 * Gets ready what scripts of the classic storefront look for. Safe to call again.
 * @returns when they may begin: those that speak jQuery wait for it
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
