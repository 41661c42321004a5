import { checkoutEvents } from '#contract/checkout/events.ts'
import { cardMethodId, fastlaneHooks, paymentFields } from '#contract/payments/constants.ts'
import type { PaymentSettings } from '#contract/payments/page-settings.ts'
import { listen } from '../../../runtime/events.ts'
import { submitForm } from '../checkout-form.ts'
import { paymentCalls } from '../rest-calls.ts'

const { paymentToken: tokenField } = paymentFields(cardMethodId)
const { flagField } = fastlaneHooks

/** Writes the card's token to the form; '' means no card. The field is outside of markup that the server replaces. */
export function carryToken(form: HTMLFormElement, token: string): void {
  const flag = hidden(form, flagField)
  // A value without the flag does not belong to accelerated checkout.
  if (!token && flag.value === '') return
  hidden(form, tokenField).value = token
  flag.value = token && '1'
}

function hidden(form: HTMLFormElement, name: string): HTMLInputElement {
  const present = form.elements.namedItem(name)
  if (present instanceof HTMLInputElement) return present
  const input = document.createElement('input')
  input.type = 'hidden'
  input.name = name
  form.append(input)
  return input
}

/**
 * Saves the card instead of charging it when nothing is due: its single-use token is exchanged first.
 * @returns a function that ends it
 */
export function keepBeforeOrder(
  form: HTMLFormElement,
  settings: PaymentSettings,
  report: (error: unknown) => void,
): () => void {
  let calls: ReturnType<typeof paymentCalls> | undefined
  return listen(form, `${checkoutEvents.placeOrder}_${cardMethodId}`, () => {
    const token = hidden(form, tokenField)
    const flag = hidden(form, flagField)
    if (flag.value !== '1' || !settings.ppcp_card_data?.needsSetupToken) return
    calls ??= paymentCalls(settings.generalData)
    calls.keep({ setup_token: token.value, payment_method: cardMethodId, fastlane: true }).then(({ id }) => {
      token.value = id
      flag.value = ''
      submitForm(form)
    }, report)
    return false
  })
}
