import { rowHooks } from '#contract/addresses/hooks.ts'
import { checkoutEvents } from '#contract/checkout/events.ts'
import { checkoutHooks } from '#contract/checkout/hooks.ts'
import { allOf, closestTo } from '../../runtime/elements.ts'
import { listen, type ShopEvent, trigger } from '../../runtime/events.ts'

/**
 * Decides which form changes affect the total, and how long to wait while a visitor types. It triggers the public
 * event, so that payment methods can listen; the page's own listener calls the server.
 */

const typingPauseMs = 1000

const atOnce =
  'select.shipping_method, input[name^="shipping_method"], #ship-to-different-address input, ' +
  '.update_totals_on_change :is(select, input[type=radio], input[type=checkbox])'
const textFields = ':is(.address-field, .update_totals_on_change) input.input-text'

export type TotalsTriggers = {
  /** Stops the timer: an order in progress needs no totals. */
  stop(): void
  /** Requests totals once no required field of the address is empty: an incomplete address has no totals. */
  refreshIfComplete(): void
}

export function startTotalsTriggers(): TotalsTriggers {
  /** The address field that was changed since the last request to the server. */
  let dirty: HTMLElement | undefined
  /** The last seen values of text fields; a field without an entry has its printed value. */
  const known = new WeakMap<HTMLInputElement, string>()
  let typing: ReturnType<typeof setTimeout> | undefined

  function onChange(event: ShopEvent): void {
    const control = inForm(event, atOnce)
    if (control) {
      clearTimeout(typing)
      dirty = undefined
      trigger(document.body, checkoutEvents.update, { current_target: control })
      return
    }
    const select = inForm(event, '.address-field select')
    if (select) dirty = select
    const text = inForm(event, textFields)
    // Browsers, dictation and menus change fields without key events; scripts report changes that are none.
    if (text instanceof HTMLInputElement && isChanged(text)) dirty = text
    if (select || (dirty && text)) refreshIfComplete()
  }

  /** Returns true if a field's value differs from the last seen value. */
  function isChanged(field: HTMLInputElement): boolean {
    const before = known.get(field) ?? field.defaultValue
    known.set(field, field.value)
    return field.value !== before
  }

  function refreshIfComplete(): void {
    clearTimeout(typing)
    const fields = dirty
      ?.closest('div')
      ?.querySelectorAll<HTMLInputElement>(`.address-field.${rowHooks.required} input.input-text`)
    if ([...(fields ?? [])].some((field) => field.value === '' && field.checkVisibility())) return
    for (const field of allOf<HTMLInputElement>(`${checkoutHooks.form} ${textFields}`)) known.set(field, field.value)
    dirty = undefined
    trigger(document.body, checkoutEvents.update)
  }

  listen(document, 'change', onChange)
  document.addEventListener('keydown', (event) => {
    const field = event.key === 'Tab' ? undefined : inForm(event, textFields)
    if (!field) return
    dirty = field
    clearTimeout(typing)
    typing = setTimeout(refreshIfComplete, typingPauseMs)
  })
  return { stop: () => clearTimeout(typing), refreshIfComplete }
}

function inForm(event: { readonly target: EventTarget | null }, selector: string): HTMLElement | undefined {
  const control = closestTo(event, selector)
  return control?.closest(checkoutHooks.form) ? control : undefined
}
