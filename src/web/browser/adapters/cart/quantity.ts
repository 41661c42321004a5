import { variationEvents } from '#contract/catalog/variation-events.ts'
import { cartPageEvents } from '#contract/shared/events.ts'
import { quantityHooks } from '#contract/shared/hooks.ts'
import { canStep, raisedToMin, steppedQuantity } from '#domain/cart/quantity.ts'
import { allOf, closestTo } from '../../runtime/elements.ts'
import { listen } from '../../runtime/events.ts'
import { announce } from '../../runtime/live-region.ts'

/**
 * Starts quantity fields and their buttons. No field starts below its minimum; in the cart a lower number stays, as 0
 * there means "remove".
 */
export function startQuantities(): void {
  for (const input of allOf<HTMLInputElement>(quantityHooks.input)) {
    if (input.closest(quantityHooks.inCart)) continue
    const raised = String(raisedToMin(input.value, input.min))
    if (input.value !== '' && Number(raised) !== Number(input.value)) input.value = raised
  }
  listen(document, 'click', ({ target }) => {
    const button = closestTo({ target }, `${quantityHooks.box} :is(${quantityHooks.plus}, ${quantityHooks.minus})`)
    if (button) step(button)
  })
  for (const event of ['input', 'change', cartPageEvents.replaced, variationEvents.show])
    listen(document, event, markAll)
  markAll()
}

function step(button: HTMLElement): void {
  const input = fieldOf(button)
  if (!input || input.readOnly || input.disabled) return
  const value = String(steppedQuantity(factsOf(input), directionOf(button)))
  if (value === input.value) return
  // The prototype's setter is required: an island that watches the field must see a visitor's change.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value)
  for (const type of ['input', 'change']) input.dispatchEvent(new Event(type, { bubbles: true }))
  announce(value)
}

/** Disables buttons that would have no effect. */
function markAll(): void {
  for (const button of allOf(`${quantityHooks.box} > :is(${quantityHooks.plus}, ${quantityHooks.minus})`)) {
    const input = fieldOf(button)
    if (input && button instanceof HTMLButtonElement) button.disabled = !canStep(factsOf(input), directionOf(button))
  }
}

function fieldOf(button: Element): HTMLInputElement | null {
  return button.closest(quantityHooks.box)?.querySelector<HTMLInputElement>(quantityHooks.input) ?? null
}

function factsOf({ value, min, max, step }: HTMLInputElement) {
  return { current: value, min, max, step }
}

function directionOf(button: Element): 'plus' | 'minus' {
  return button.matches(quantityHooks.plus) ? 'plus' : 'minus'
}
