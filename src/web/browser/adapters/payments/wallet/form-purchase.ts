import { checkoutEvents } from '#contract/checkout/events.ts'
import { termsVersionField } from '#contract/checkout/hooks.ts'
import { billingTokenField, paymentFields, paymentTokenField, walletMethodId } from '#contract/payments/constants.ts'
import type { PaymentSettings } from '#contract/payments/page-settings.ts'
import { trigger, triggerHandler } from '../../../runtime/events.ts'
import { controllerOf } from '../../checkout/current-controller.ts'
import {
  checkoutForm,
  chooseWallet,
  formFields,
  storeWalletOrder,
  submitForm,
  termsAccepted,
  updatedCheckout,
} from '../checkout-form.ts'
import { formValue, setFormValue } from '../form-values.ts'
import { PaymentFailure, termsFailure } from '../payment-failure.ts'
import { connectedSettings } from '../payment-settings.ts'
import type { WalletPayer } from '../provider.ts'
import { paymentCalls } from '../rest-calls.ts'
import { markReady, type ReadyTexts } from './approval-state.ts'
import type { Filled } from './fill-checkout.ts'
import { fundingField, type Purchase, pressFields, purchaseFields } from './purchase.ts'

/** The checkout form with all its values. */
export function checkoutPurchase(texts: ReadyTexts): Purchase {
  const form = theForm()
  return {
    obstacle() {
      if (!termsAccepted(form)) return termsFailure()
      const controller = controllerOf(form)
      const allowed =
        triggerHandler(form, checkoutEvents.placeOrder, controller) &&
        triggerHandler(form, `${checkoutEvents.placeOrder}_${walletMethodId}`, controller)
      return allowed ? undefined : new PaymentFailure('')
    },
    createOrder: (calls, press) => calls.createOrder(pressFields(fieldsOf(form, 'checkout'), press)),
    fields: () => fieldsOf(form, 'checkout'),
    async settled(wallet) {
      const filled = await fill(form, await wallet.payer())
      if (filled === 'changed') await updatedCheckout()
      if (filled !== 'review') return true
      markReady(form, texts)
      trigger(document.body, checkoutEvents.update)
      return false
    },
    async kept({ id, ...token }) {
      const { payerOfToken } = await import('./wallet-payer.ts')
      setFormValue(form, paymentTokenField, id)
      const filled = await fill(form, payerOfToken({ id, ...token }))
      if (connectedSettings()?.cart?.needsShipping) {
        return () => {
          markReady(form, texts)
          if (filled !== 'same') trigger(document.body, checkoutEvents.update)
        }
      }
      if (filled === 'changed') await updatedCheckout()
      return () => submitForm(form)
    },
    remember: (walletOrderId) => storeWalletOrder(form, walletOrderId ?? ''),
    shownError: (markup) => trigger(document.body, checkoutEvents.error, markup),
    refresh: () => trigger(document.body, checkoutEvents.update),
    errorContainer: () => form,
    regions: () => [form],
  }
}

/** The cart, paid above the checkout form: the wallet supplies missing values. */
export function expressPurchase(texts: ReadyTexts): Purchase {
  const form = theForm()
  return {
    ...checkoutPurchase(texts),
    obstacle() {
      chooseWallet(form)
      return termsAccepted(form) ? undefined : termsFailure()
    },
    createOrder: (calls, press) => calls.createOrder(pressFields(fieldsOf(form, 'express'), press)),
    fields: () => fieldsOf(form, 'express'),
    // The server reads the address from the wallet itself, and requests a review if it changes the total.
    settled: () => Promise.resolve(true),
  }
}

/** An existing order, paid on its own page. */
export function orderPayPurchase(texts: ReadyTexts): Purchase {
  const form = theForm()
  return {
    ...checkoutPurchase(texts),
    obstacle: () => (termsAccepted(form) ? undefined : termsFailure()),
    createOrder(calls, { funding }) {
      const { order_id = '', order_key = '', ...others } = formFields(form)
      const { save } = paymentFields(walletMethodId)
      const keep = others[save]
      const terms = others[termsVersionField]
      return calls.payOrder({
        payment_method: walletMethodId,
        order_id,
        order_key,
        [fundingField]: funding,
        ...(keep ? { [save]: keep } : {}),
        ...(terms ? { [termsVersionField]: terms } : {}),
      })
    },
    fields: () => purchaseFields('order_pay'),
    settled: () => Promise.resolve(true),
    // Its totals are final.
    refresh() {},
  }
}

/** No purchase: the page's form saves a payment method. */
export function addMethodPurchase(texts: ReadyTexts): Purchase {
  const form = theForm()
  return {
    ...checkoutPurchase(texts),
    obstacle: () => undefined,
    createOrder: () => Promise.reject(new PaymentFailure('')),
    fields: () => ({ ...formFields(form), ...purchaseFields('add_payment_method') }),
    settled: () => Promise.resolve(true),
    async kept({ id }) {
      return () => {
        setFormValue(form, paymentTokenField, id)
        submitForm(form)
      }
    },
    refresh() {},
  }
}

function theForm(): HTMLFormElement {
  const form = checkoutForm()
  if (!form) throw new Error('a page that pays by form has none')
  return form
}

const fieldsOf = (form: HTMLFormElement, context: 'checkout' | 'express') => ({
  ...formFields(form),
  ...purchaseFields(context),
})

/**
 * Fills in the payer of a billing agreement, the predecessor of saved methods: its token comes with the form, or by a
 * script.
 */
export async function fillFromAgreement(form: HTMLFormElement, { generalData }: PaymentSettings): Promise<void> {
  const tokenId = formValue(form, billingTokenField)
  if (tokenId === '' || filledFrom.get(form) === tokenId) return
  filledFrom.set(form, tokenId)
  try {
    const [answer, { payerOfAgreement }] = await Promise.all([
      paymentCalls(generalData).agreement(tokenId),
      import('./wallet-payer.ts'),
    ])
    if ((await fill(form, payerOfAgreement(answer))) !== 'same') trigger(document.body, checkoutEvents.update)
  } catch (error) {
    // The shopper can still fill in the form.
    console.error('the payer of an agreement could not be read', error)
  }
}

const filledFrom = new WeakMap<HTMLFormElement, string>()

async function fill(form: HTMLFormElement, payer: WalletPayer | undefined): Promise<Filled> {
  const settings = connectedSettings()
  if (!payer || !settings) return 'same'
  const { fillCheckout } = await import('./fill-checkout.ts')
  return fillCheckout(form, payer, {
    needsShipping: settings.cart?.needsShipping ?? false,
    useAddress: !settings.ppcp_data.paypalAddressDisabled,
  })
}
