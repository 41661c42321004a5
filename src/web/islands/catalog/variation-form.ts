import type { WireVariation } from '#contract/catalog/variation.ts'
import { variationEvents } from '#contract/catalog/variation-events.ts'
import { type AttributeValues, chosenCount, matchVariation } from '#domain/catalog/match-variation.ts'
import { allOf } from '../../browser/runtime/elements.ts'
import { listen, trigger } from '../../browser/runtime/events.ts'
import { offeredVariations } from './offered-variations.ts'
import { limitQuantity, restoreImage, restoreProduct, showVariation } from './swap-product.ts'
import { type Choosable, isVariation } from './variation-choice.ts'
import { VariationOptions } from './variation-options.ts'
import { startPanel } from './variation-panel.ts'

const readyAfterMs = 100

/** On a page with this script, it handles the form. */
const classicVariationScript = 'script[src*="/add-to-cart-variation."]'

/**
 * Handles the choice of a variation. Changes are triggered as public events and applied by this form's own listeners,
 * so that other scripts can drive it in the same way. The fields hold the choice; there is no other state.
 */
export function startVariationForm(element: HTMLElement): () => void {
  const form = element.querySelector<HTMLFormElement>('form.variations_form')
  if (!form) return () => {}
  const options = new VariationOptions(form)
  if (document.querySelector(classicVariationScript)) return followClassic(form, options)
  const panel = startPanel(form)
  const offered = offeredVariations(form)
  let variations: readonly Choosable[] | false = false
  let asking: AbortController | undefined
  let starting = true

  const settle = (variation: WireVariation | undefined) => {
    if (variation) {
      trigger(form, variationEvents.found, variation)
      return
    }
    trigger(form, variationEvents.reset)
    options.showReset(false)
    if (!starting) panel.showNoMatch()
  }
  const ask = async (chosen: AttributeValues) => {
    const mine = new AbortController()
    asking = mine
    // Few products have so many variations that the page does not include them.
    const { fetchVariation } = await import('./fetch-variation.ts')
    const variation = await fetchVariation(form, chosen, mine.signal)
    if (!mine.signal.aborted) settle(variation)
  }
  const check = () => {
    asking?.abort()
    // May remove an impossible choice, so the choice is read afterwards.
    trigger(form, variationEvents.updateValues)
    const chosen = options.chosen()
    const names = Object.keys(chosen)
    const count = chosenCount(names, chosen)
    options.showReset(count > 0)
    if (count < names.length) trigger(form, variationEvents.reset)
    else if (variations) settle(matchVariation(variations, names, chosen)?.wire)
    else void ask(chosen)
  }

  const on = (name: string, listener: Parameters<typeof listen>[2]) => listen(form, name, listener)
  const ends = [
    on('change', ({ target }) => {
      if (!(target instanceof HTMLSelectElement) || !target.closest('.variations')) return
      panel.forget()
      trigger(form, variationEvents.clearAnnouncement)
      if (variations) trigger(form, variationEvents.selectChange)
      trigger(form, variationEvents.check)
      trigger(form, variationEvents.changed)
    }),
    on(variationEvents.check, check),
    on(variationEvents.reload, () => {
      variations = offered()
      check()
    }),
    on(variationEvents.updateValues, () => {
      options.filter(variations)
      trigger(form, variationEvents.valuesUpdated)
    }),
    on(variationEvents.found, (_, variation) => {
      if (!isVariation(variation)) return
      showVariation(form, variation)
      limitQuantity(form, variation)
      panel.found(variation)
    }),
    on(variationEvents.reset, () => {
      restoreProduct(form)
      panel.clear()
    }),
    on(variationEvents.resetImage, () => restoreImage(form)),
    on(variationEvents.resetFocus, () => options.focus()),
    on('click', (event) => {
      if (!(event.target instanceof Element) || !event.target.closest('.reset_variations')) return
      event.preventDefault()
      for (const select of allOf<HTMLSelectElement>('.variations select', form)) {
        select.value = ''
        select.dispatchEvent(new Event('change', { bubbles: true }))
      }
      trigger(form, variationEvents.announceReset)
      trigger(form, variationEvents.reset)
      trigger(form, variationEvents.resetFocus)
    }),
    () => panel.end(),
    () => asking?.abort(),
  ]
  variations = offered()
  trigger(form, variationEvents.check)
  starting = false
  const ready = setTimeout(() => trigger(form, variationEvents.ready, form), readyAfterMs)
  return () => {
    clearTimeout(ready)
    for (const end of ends) end()
  }
}

/** With the classic script only the swatches are handled here: they follow the selects, which that script fills. */
function followClassic(form: HTMLFormElement, options: VariationOptions): () => void {
  const follow = () => options.filter(false)
  const ends = [variationEvents.valuesUpdated, variationEvents.changed].map((name) => listen(form, name, follow))
  follow()
  return () => {
    for (const end of ends) end()
  }
}
