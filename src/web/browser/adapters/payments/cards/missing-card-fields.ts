import { checkoutEvents } from '#contract/checkout/events.ts'
import { checkoutHooks } from '#contract/checkout/hooks.ts'
import { cardHooks, cardMethodId } from '#contract/payments/constants.ts'
import { closestTo } from '../../../runtime/elements.ts'
import { listen, trigger } from '../../../runtime/events.ts'
import { reloadPage } from '../../../runtime/navigate.ts'
import { showError } from '../../notices/notices.ts'
import { connectedSettings } from '../payment-settings.ts'
import { asksForCard, beforeSending, unavailableText } from './new-card.ts'

/**
 * Handles a blocked or lost script of the card fields: shows the message of that script, and stops orders that would
 * need a card.
 */
export function watchForCardFields(form: HTMLFormElement): void {
  const card = connectedSettings()?.ppcp_card_data
  if (!card) return
  let failed = false
  const island = () => form.querySelector(`:has(> .${cardHooks.containerClass})`)

  const show = () => {
    const place = island()
    failed ||= place?.hasAttribute('failed') ?? false
    const root = place?.querySelector<HTMLElement>(`.${cardHooks.containerClass}`)
    if (!failed || !place || isLive(place) || !root) return
    root.dataset.state = 'failed'
    const text = unavailableText(form, card.i18n)
    const said = root.querySelector('.card-fields__message')
    if (said && said.textContent !== text) said.textContent = text
    root.querySelector('.card-fields__retry')?.removeAttribute('hidden')
  }
  new MutationObserver(show).observe(form, { subtree: true, attributeFilter: ['failed'] })
  // The island may have failed before this script loaded, and a totals response removes its mark.
  show()
  listen(document.body, checkoutEvents.updated, show)
  // A browser requests a page's script once: a retry reloads the page, which restores the typed values.
  form.addEventListener('click', (event) => {
    const place = island()
    if (failed && place && !isLive(place) && closestTo(event, '.card-fields__retry')) reloadPage()
  })

  const takes = () => {
    const place = island()
    if (!place || isLive(place) || !asksForCard(form)) return false
    const text = failed ? unavailableText(form, card.i18n) : card.i18n.slow
    showError(text, form)
    trigger(document.body, checkoutEvents.error, text)
    return true
  }
  if (form.matches(checkoutHooks.form))
    listen(form, `${checkoutEvents.placeOrder}_${cardMethodId}`, () => (takes() ? false : undefined))
  else beforeSending(form, takes)
}

/** Reads the element itself: an export of the main script for it would add weight to every page. */
const isLive = (island: Element): boolean => 'live' in island && island.live === true
