import { cartEvents, cartPageEvents, checkoutEvents } from '#contract/events.ts'
import { cartHooks, noticeHooks } from '#contract/hooks.ts'
import { walletMethodId, walletOrderField } from '#contract/payment-words.ts'
import { listen, trigger, triggerHandler } from '../events.ts'
import { checkoutForm, formFields, rememberWalletOrder, termsAccepted } from './checkout-form.ts'
import { PaymentFailure, termsFailure } from './payment-failure.ts'
import { chosenItem, productForm } from './product-choice.ts'
import type { PaymentCalls } from './rest-calls.ts'

/** What is bought with the wallet, as far as it differs from page to page. */
export type Purchase = {
  /** Why the wallet must not open now. A failure without message is one that the page shows already. */
  obstacle(): PaymentFailure | undefined
  /** @param abandoned the wallet order of an attempt that was cancelled, for the server to take up again */
  createOrder(calls: PaymentCalls, abandoned: string | undefined): Promise<string>
  /** What `cart/checkout` is told. */
  checkoutFields(walletOrderId: string): Record<string, string>
  /** The wallet has approved this order; undefined: it is of no use any more. */
  remember(walletOrderId: string | undefined): void
  /** An error has been shown. */
  shownError(markup: string): void
  /** The totals on the page are out of date. */
  refresh(): void
  /** Where errors stand. */
  errorContainer(): Element
  /** What is blocked while the order is being placed. */
  regions(): HTMLElement[]
}

/** The cart as it stands, paid from the cart page. */
export function cartPurchase(): Purchase {
  return {
    obstacle: () => undefined,
    createOrder: (calls, abandoned) => calls.createOrder(orderFields('cart', {}, abandoned)),
    checkoutFields: (walletOrderId) => orderFields('cart', {}, walletOrderId),
    remember() {},
    shownError() {},
    // With the notices kept: they say why.
    refresh: () => trigger(document, cartPageEvents.update, true),
    errorContainer: noticesWrapper,
    regions: () => [...document.querySelectorAll<HTMLElement>(cartHooks.totals)],
  }
}

/** One product, put into the cart by the press on the wallet's button. */
export function productPurchase(): Purchase {
  // The form is looked up each time: it may have been rendered anew.
  const choice = () => {
    const form = productForm()
    return form ? chosenItem(form) : undefined
  }
  // What an abandoned attempt has put into the cart already: pressing again must not add it twice.
  let added: string | undefined
  listen(document.body, cartEvents.removed, () => {
    added = undefined
  })
  return {
    obstacle: () => (choice() ? undefined : new PaymentFailure('')),
    async createOrder(calls, abandoned) {
      const item = choice()
      if (!item) throw new PaymentFailure('No variation is chosen.')
      const wanted = JSON.stringify(item)
      if (wanted === added) return calls.createOrder(orderFields('product', {}, abandoned))
      const walletOrderId = await calls.addItem(item)
      added = wanted
      trigger(document.body, cartEvents.refreshFragments)
      return walletOrderId
    },
    checkoutFields: (walletOrderId) => orderFields('product', {}, walletOrderId),
    remember() {},
    shownError() {},
    refresh: () => trigger(document.body, cartEvents.refreshFragments),
    errorContainer: noticesWrapper,
    regions: () => [productForm()].filter((form) => form !== null),
  }
}

/** The checkout form with all that has been filled in. */
export function checkoutPurchase(): Purchase {
  const fields = () => {
    const form = checkoutForm()
    return form ? formFields(form) : {}
  }
  return {
    obstacle() {
      const form = checkoutForm()
      if (!form) return new PaymentFailure('')
      if (!termsAccepted(form)) return termsFailure()
      const allowed =
        triggerHandler(form, checkoutEvents.placeOrder) &&
        triggerHandler(form, `${checkoutEvents.placeOrder}_${walletMethodId}`)
      return allowed ? undefined : new PaymentFailure('')
    },
    createOrder: (calls, abandoned) => calls.createOrder(orderFields('checkout', fields(), abandoned)),
    checkoutFields: (walletOrderId) => orderFields('checkout', fields(), walletOrderId),
    remember(walletOrderId) {
      const form = checkoutForm()
      if (form) rememberWalletOrder(form, walletOrderId ?? '')
    },
    shownError: (markup) => trigger(document.body, checkoutEvents.error, markup),
    refresh: () => trigger(document.body, checkoutEvents.update),
    errorContainer: () => checkoutForm() ?? noticesWrapper(),
    regions: () => [checkoutForm()].filter((form) => form !== null),
  }
}

function orderFields(
  context: 'product' | 'cart' | 'checkout',
  fields: Record<string, string>,
  walletOrderId: string | undefined,
): Record<string, string> {
  const { [walletOrderField]: _, ...others } = fields
  return {
    ...others,
    payment_method: walletMethodId,
    context,
    ...(walletOrderId ? { [walletOrderField]: walletOrderId } : {}),
  }
}

const noticesWrapper = () => document.querySelector(noticeHooks.wrapper) ?? document.body
