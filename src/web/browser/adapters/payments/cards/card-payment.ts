import { checkoutEvents } from '#contract/checkout/events.ts'
import { cardMethodId, paymentFields } from '#contract/payments/constants.ts'
import { listen, trigger } from '../../../runtime/events.ts'
import { startProcessing, stopProcessing } from '../../../runtime/processing.ts'
import { showCheckoutError } from '../../checkout/checkout-error.ts'
import { validateFields } from '../../checkout/field-validation.ts'
import { messageFor, showError } from '../../notices/notices.ts'
import { formFields, submitForm, termsAccepted } from '../checkout-form.ts'
import { setFormValue } from '../form-values.ts'
import { isWindowClosed, PaymentFailure, termsFailure } from '../payment-failure.ts'
import type { CardBilling, CardCallbacks, CardField, MountedCard } from '../provider.ts'
import { isUnanswered, type PaymentCalls, paymentCalls, ShopUnavailable } from '../rest-calls.ts'
import { within } from '../timeouts.ts'
import { codeOf, fieldOf } from './card-faults.ts'
import type { CardSite } from './card-site.ts'
import { asksForCard, beforeSending } from './new-card.ts'

type Options = CardSite & {
  readonly texts: { readonly unreachable: string; readonly failed: string }
  /** Shows a field's error; '' clears it. */
  tell(field: CardField, fault: string): void
  /** Shows the message about the card as a whole; '' clears it. */
  say(text: string): void
  /** The fields that are on the page now. */
  drawn(): MountedCard | undefined
  /** The same once they are rendered, or the failure to render them. */
  mounted(): Promise<MountedCard>
}

export type CardPayment = {
  /** Callbacks for the fields; `keeps` is true where nothing is charged and the card is saved. */
  callbacks(keeps: boolean): CardCallbacks
  busy(): boolean
  stop(): void
}

const fields = paymentFields(cardMethodId)
const letsGoWithinMs = 3000

/**
 * Intercepts the form's submission while a new card is to pay: the card goes to the provider and its bank first, and
 * the form is submitted with the result.
 */
export function createCardPayment(options: Options): CardPayment {
  const { form, page, settings, card, texts, tell, say, drawn, mounted } = options
  const calls = paymentCalls(settings.generalData)
  let busy = false
  /** An error that the page has already shown; the provider's script returns it. */
  let current: unknown
  /** Settles when the provider's script has finished with the last submitted card. */
  let submission: Promise<void> = Promise.resolve()
  /** The id sent with the form; without a response it is unknown whether the shop received it. */
  let sent = ''

  /** Ends the attempt. */
  function end(): void {
    if (!busy) return
    busy = false
    stopProcessing(form)
  }

  function report(error: unknown): void {
    end()
    if (isWindowClosed(error)) return
    const failure = error instanceof ShopUnavailable ? (error.said ?? error) : error
    const field = failure instanceof PaymentFailure ? fieldOf(failure.code) : undefined
    if (field && failure instanceof PaymentFailure) {
      tell(field, card.i18n.error_codes[failure.code ?? ''] ?? texts.failed)
      drawn()?.focus(field)
      return
    }
    const markup = failure instanceof PaymentFailure ? failure.markup : undefined
    if (markup && page === 'checkout') {
      showCheckoutError(form, markup)
      return
    }
    const known = failure instanceof PaymentFailure ? markup || messageFor(failure, settings.errorMessages) : undefined
    const text = known || (isUnanswered(failure) ? texts.unreachable : texts.failed)
    showError(text, form)
    trigger(document.body, checkoutEvents.error, text)
  }

  /** Shows every error at its field. @returns whether the card may be submitted. */
  async function complete(fieldsOnPage: MountedCard): Promise<boolean> {
    const states = Object.entries(await fieldsOnPage.state())
    let first: CardField | undefined
    let missing = false
    for (const [name, { isEmpty, isValid }] of states) {
      // Proof of the cast: the record's own keys.
      const field = name as CardField
      const optional = field === 'name' && !card.cardNameRequired
      const wrong = isEmpty ? !optional : !isValid
      tell(field, wrong ? (card.i18n.error_codes[codeOf(field)] ?? card.i18n.incomplete_card_form) : '')
      if (!wrong) continue
      first ??= field
      missing ||= isEmpty
    }
    say(missing ? card.i18n.incomplete_card_form : '')
    if (!first) return true
    end()
    fieldsOnPage.focus(first)
    return false
  }

  async function press(): Promise<void> {
    busy = true
    startProcessing(form)
    try {
      if (page !== 'add_payment_method' && !termsAccepted(form)) throw termsFailure()
      // Errors are marked at once; the shop validates the form before it creates an order.
      if (page === 'checkout' && settings.ppcp_data.checkoutValidationEnabled) validateFields(form)
      const ready = await mounted()
      if (!(await complete(ready))) return
      // A late rejection would end this attempt. It may also never arrive.
      await within(letsGoWithinMs, submission).catch(() => {})
      current = undefined
      submission = ready.submit(billingOf(form, card.fields.nameField !== undefined))
      await submission
    } catch (error) {
      report(error)
    }
  }

  function send(field: string, value: string): void {
    sent = value
    setFormValue(form, field, value)
    end()
    submitForm(form)
  }

  async function told<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      current = error
      report(error)
      throw error
    }
  }

  /** @returns whether this payment handles the press: the form must not be submitted yet. */
  function takes(): boolean {
    if (busy) return true
    if (!asksForCard(form)) return false
    void press()
    return true
  }

  const stops = [
    page === 'checkout'
      ? listen(form, `${checkoutEvents.placeOrder}_${cardMethodId}`, () => (takes() ? false : undefined))
      : beforeSending(form, takes),
    listen(document.body, checkoutEvents.error, (_, _markup, _code, said) => {
      // No response from the shop: the same approval is sent again, so that nothing is paid twice.
      if (said === false && sent) setFormValue(form, fields.order, sent)
      else sent = ''
    }),
  ]
  const shownAgain = ({ persisted }: PageTransitionEvent) => persisted && end()
  addEventListener('pageshow', shownAgain)

  return {
    busy: () => busy,
    callbacks: (keeps) => ({
      createOrder: () => told(() => openOrder(options, calls)),
      ...(keeps
        ? {
            createSetupToken: () =>
              told(() => calls.createSetupToken({ ...formFields(form), payment_method: cardMethodId, context: page })),
          }
        : {}),
      async approved({ walletOrderId, setupToken }) {
        if (walletOrderId) send(fields.order, walletOrderId)
        else if (setupToken) {
          try {
            const { id } = await calls.keep({ setup_token: setupToken, payment_method: cardMethodId })
            send(fields.paymentToken, id)
          } catch (error) {
            report(error)
          }
        }
      },
      failed(error) {
        if (current === undefined) report(error)
        current = undefined
      },
      cancelled: () => report(new PaymentFailure(settings.errorMessages.cancel ?? texts.failed)),
    }),
    stop() {
      for (const stop of stops) stop()
      removeEventListener('pageshow', shownAgain)
      end()
    },
  }
}

function openOrder({ form, page }: CardSite, calls: PaymentCalls): Promise<string> {
  const values = { ...formFields(form), payment_method: cardMethodId }
  if (page === 'checkout') return calls.createOrder({ ...values, context: 'checkout' })
  const { order_id = '', order_key = '', [fields.save]: save } = values as Record<string, string>
  return calls.payOrder({
    payment_method: cardMethodId,
    order_id,
    order_key,
    ...(save ? { [fields.save]: save } : {}),
  })
}

const providerKeys = {
  addressLine1: 'address_1',
  addressLine2: 'address_2',
  adminArea1: 'state',
  adminArea2: 'city',
  postalCode: 'postcode',
  countryCode: 'country',
} as const

/** Returns the billing data that the bank verifies, as far as the form has it. */
function billingOf(form: HTMLFormElement, asksName: boolean): CardBilling {
  const values = formFields(form)
  const value = (key: string) => values[`billing_${key}`]?.trim() ?? ''
  const address = Object.fromEntries(
    Object.entries(providerKeys).flatMap(([name, key]) => (value(key) ? [[name, value(key)]] : [])),
  )
  const name = [value('first_name'), value('last_name')].filter((part) => part !== '').join(' ')
  return {
    ...(!asksName && name !== '' ? { name } : {}),
    // A bank cannot verify an incomplete address.
    ...(address.addressLine1 && address.countryCode ? { address } : {}),
  }
}
