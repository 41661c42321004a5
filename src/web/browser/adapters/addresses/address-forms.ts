import { addressEvents } from '#contract/addresses/events.ts'
import { classicAddressScripts, stateFieldHooks } from '#contract/addresses/hooks.ts'
import { cartPageEvents } from '#contract/shared/events.ts'
import { allOf } from '../../runtime/elements.ts'
import { listen, trigger } from '../../runtime/events.ts'
import { startAddressFields } from './address-fields.ts'
import { startStateFields } from './state-field.ts'

let started = false

/** Makes the page's address forms follow their country and their long lists searchable. Safe to call again. */
export function startAddressForms(): void {
  if (started) return
  started = true
  const ownStates = !document.querySelector(classicAddressScripts.states)
  if (!document.querySelector(classicAddressScripts.rules)) startAddressFields()
  if (ownStates) startStateFields()
  // Browser autofill fires no event. Extensions have changed the form by now.
  listen(document.body, addressEvents.localeReady, () => {
    for (const country of allOf<HTMLSelectElement>(stateFieldHooks.country))
      if (country.value) trigger(country, 'refresh')
  })
  trigger(document.body, addressEvents.localeReady)
  if (ownStates) whenIdle(() => void startSelects())
}

async function startSelects(): Promise<void> {
  const { pageSelects } = await import('./searchable-select/page-selects.ts')
  const refresh = pageSelects()
  refresh()
  for (const name of [addressEvents.stateFieldChanged, cartPageEvents.replaced, cartPageEvents.totalsReplaced])
    listen(document.body, name, refresh)
}

function whenIdle(step: () => void): void {
  // Safari has no idle callback.
  if ('requestIdleCallback' in window) requestIdleCallback(step, { timeout: 2000 })
  else setTimeout(step, 200)
}
