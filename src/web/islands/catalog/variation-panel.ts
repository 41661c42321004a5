import type { WireVariation } from '#contract/catalog/variation.ts'
import { variationEvents } from '#contract/catalog/variation-events.ts'
import { allOf } from '../../browser/runtime/elements.ts'
import { listen, trigger } from '../../browser/runtime/events.ts'
import { settings } from '../../browser/runtime/settings.ts'
import { parseMarkup } from '../../browser/runtime/trusted-markup.ts'
import { isBuyable, isVariation } from './variation-choice.ts'

/** The price and other details appear a moment after the choice, when listeners have run. */
const showAfterMs = 300

/** The area below the choice: the variation's own text, the button, and the message without a match. */
export function startPanel(form: HTMLFormElement) {
  const texts = settings('wc_add_to_cart_variation_params')
  const single = form.querySelector<HTMLElement>('.single_variation')
  const wrapper = form.querySelector('.variations_button')
  const button = form.querySelector<HTMLElement>('.single_add_to_cart_button')
  const idField = form.querySelector<HTMLInputElement>('input.variation_id')
  const alertBox = form.querySelector('.reset_variations_alert')
  /** The chosen variation; it may not be visible yet. */
  let present: WireVariation | undefined
  let showing: ReturnType<typeof setTimeout> | undefined

  const setId = (id: number) => {
    if (!idField || idField.value === String(id)) return
    idField.value = String(id)
    idField.dispatchEvent(new Event('change', { bubbles: true }))
  }
  const enable = (trouble: '' | 'wc-variation-selection-needed' | 'wc-variation-is-unavailable') => {
    for (const name of ['wc-variation-selection-needed', 'wc-variation-is-unavailable']) {
      button?.classList.toggle(name, name === trouble)
    }
    button?.classList.toggle('disabled', trouble !== '')
    for (const [name, on] of [
      ['enabled', trouble === ''],
      ['disabled', trouble !== ''],
    ] as const) {
      wrapper?.classList.toggle(`woocommerce-variation-add-to-cart-${name}`, on)
    }
  }
  const announceNoMatch = (shown: boolean) => {
    form.querySelector('.wc-no-matching-variations')?.parentElement?.remove()
    if (!shown) return
    const said = document.createElement('div')
    said.role = 'alert'
    const text = document.createElement('p')
    text.className = 'wc-no-matching-variations woocommerce-info'
    text.textContent = texts.i18n_no_matching_variations_text ?? ''
    said.append(text)
    single?.after(said)
  }
  const forget = () => {
    setId(0)
    present = undefined
    announceNoMatch(false)
  }

  const on = (name: string, listener: Parameters<typeof listen>[2]) => listen(form, name, listener)
  const ends = [
    on(variationEvents.show, (_, variation, purchasable) => {
      enable(purchasable === true ? '' : isVariation(variation) ? 'wc-variation-is-unavailable' : '')
    }),
    on(variationEvents.hide, () => enable('wc-variation-selection-needed')),
    on(variationEvents.announceReset, () => {
      if (alertBox) alertBox.textContent = texts.i18n_reset_alert_text ?? ''
    }),
    on(variationEvents.clearAnnouncement, () => alertBox?.replaceChildren()),
    on('click', (event) => {
      const pressed = event.target instanceof Element && button?.contains(event.target)
      // Chosen, and not visible yet: the form already contains it.
      if (!pressed || !button?.classList.contains('disabled') || (present && isBuyable(present))) return
      event.preventDefault()
      if (button.classList.contains('wc-variation-is-unavailable')) {
        alert(texts.i18n_unavailable_text)
        return
      }
      alert(texts.i18n_make_a_selection_text)
      const missing = allOf<HTMLSelectElement>('.variations select', form).find(({ value }) => value === '')
      const controls = allOf('input:enabled, select', missing?.closest('.value') ?? form)
      controls.find((control) => control.checkVisibility())?.focus()
    }),
  ]

  return {
    /** The choice has changed: the form no longer contains the variation. */
    forget,
    found(variation: WireVariation): void {
      present = variation
      setId(variation.variation_id)
      clearTimeout(showing)
      showing = setTimeout(() => {
        if (!single) return
        single.replaceChildren(parseMarkup(markupOf(variation)))
        trigger(single, variationEvents.show, variation, isBuyable(variation))
      }, showAfterMs)
    },
    clear(): void {
      clearTimeout(showing)
      forget()
      if (!single) return
      single.replaceChildren()
      trigger(single, variationEvents.hide)
    },
    showNoMatch: () => announceNoMatch(true),
    end(): void {
      clearTimeout(showing)
      for (const end of ends) end()
    },
  }
}

/** Rendered by the page's templates, which a theme may have changed. */
function markupOf(variation: WireVariation): string {
  const id = variation.variation_is_visible ? 'tmpl-variation-template' : 'tmpl-unavailable-variation-template'
  const template = document.getElementById(id)?.textContent ?? ''
  return template.replace(/\{\{\{\s*data\.variation\.(\w+)\s*\}\}\}/g, (_, field: string) =>
    String(Reflect.get(variation, field) ?? ''),
  )
}
