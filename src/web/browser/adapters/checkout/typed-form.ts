import { allOf } from '../../runtime/elements.ts'
import { isProcessing } from '../../runtime/processing.ts'
import { storeTypedValue, typedValueBefore } from '../addresses/typed-addresses.ts'
import { secretFields } from './form-fields.ts'

/**
 * Restores typed values when the same page is loaded again or returned to: browsers do not do so for uncacheable pages.
 * Values stay in the tab, belong to the visitor whose nonce the page has, and never include secrets.
 */
export function keepTypedForm(form: HTMLFormElement): void {
  const nonce = form.elements.namedItem('woocommerce-process-checkout-nonce')
  const whose = `of ${nonce instanceof HTMLInputElement ? nonce.value : ''}`
  for (const field of textFields(form)) {
    const text = field.value === field.defaultValue ? typedValueBefore(field.id, whose) : undefined
    if (text !== undefined) field.value = text
  }
  const remember = () => {
    // Values of a placed order are not typed for the next order.
    if (isProcessing(form)) return
    for (const field of textFields(form))
      if (field.value !== (typedValueBefore(field.id, whose) ?? field.defaultValue))
        storeTypedValue(field.id, whose, field.value)
  }
  addEventListener('pagehide', remember)
  // A phone may end a hidden tab without further events.
  document.addEventListener('visibilitychange', () => document.hidden && remember())
}

type TextField = HTMLInputElement | HTMLTextAreaElement

function textFields(form: HTMLFormElement): TextField[] {
  const fields = allOf<TextField>(':is(input:is([type=text], [type=tel], [type=email]), textarea)[id]', form)
  return fields.filter((field) => !field.matches(secretFields))
}
