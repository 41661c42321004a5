import { rowHooks } from '#contract/addresses/hooks.ts'
import { checkoutEvents } from '#contract/checkout/events.ts'
import { checkoutHooks } from '#contract/checkout/hooks.ts'
import { allOf, closestTo } from '../../runtime/elements.ts'
import { listen, type ShopEvent, trigger } from '../../runtime/events.ts'

/**
 * Which changes of the form change what is to be paid, and how long to wait for a visitor who is still typing. The question is
 * put as the public event, so that payment methods hear of it; the page's own listener to it asks the server.
 */

const typingPauseMs = 1000

const atOnce =
  'select.shipping_method, input[name^="shipping_method"], #ship-to-different-address input, ' +
  '.update_totals_on_change :is(select, input[type=radio], input[type=checkbox])'
const textFields = ':is(.address-field, .update_totals_on_change) input.input-text'

/** The address field that was changed since the last question to the server. */
let dirty: HTMLElement | undefined
/** What text fields said when they were last looked at; a field that is not in here says what it was printed with. */
const known = new WeakMap<HTMLInputElement, string>()
let typing: ReturnType<typeof setTimeout> | undefined

export function startTotalsTriggers(): void {
  listen(document, 'change', onChange)
  document.addEventListener('keydown', (event) => {
    const field = event.key === 'Tab' ? undefined : inForm(event, textFields)
    if (!field) return
    dirty = field
    clearTimeout(typing)
    typing = setTimeout(refreshIfComplete, typingPauseMs)
  })
}

/** An order that is being placed is not asked about any more. */
export function stopTotalsTimer(): void {
  clearTimeout(typing)
}

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
  // Browsers, dictation and menus change fields without a key; scripts tell of changes that are none.
  if (text instanceof HTMLInputElement && isChanged(text)) dirty = text
  if (select || (dirty && text)) refreshIfComplete()
}

/** Whether a field says something else than when it was last looked at. */
function isChanged(field: HTMLInputElement): boolean {
  const before = known.get(field) ?? field.defaultValue
  known.set(field, field.value)
  return field.value !== before
}

/** Half an address has no totals: asking waits until no required part of it is empty. */
export function refreshIfComplete(): void {
  clearTimeout(typing)
  const fields = dirty
    ?.closest('div')
    ?.querySelectorAll<HTMLInputElement>(`.address-field.${rowHooks.required} input.input-text`)
  if ([...(fields ?? [])].some((field) => field.value === '' && field.checkVisibility())) return
  for (const field of allOf<HTMLInputElement>(`${checkoutHooks.form} ${textFields}`)) known.set(field, field.value)
  dirty = undefined
  trigger(document.body, checkoutEvents.update)
}

function inForm(event: { readonly target: EventTarget | null }, selector: string): HTMLElement | undefined {
  const control = closestTo(event, selector)
  return control?.closest(checkoutHooks.form) ? control : undefined
}
