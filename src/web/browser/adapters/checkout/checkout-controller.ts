import { checkoutEvents } from '#contract/checkout/events.ts'
import { checkoutHooks } from '#contract/checkout/hooks.ts'
import { pageJQuery, type ShopEvent, trigger } from '../../runtime/events.ts'
import { startProcessing } from '../../runtime/processing.ts'
import { isRecord, parseJson } from '../../runtime/request.ts'
import { scrollToElement } from '../../runtime/scroll.ts'
import { chosenPaymentMethod, chosenPaymentRadio, type PaymentMethods } from '../payments/methods/payment-methods.ts'
import { showCheckoutError } from './checkout-error.ts'
import { setControllerOf } from './current-controller.ts'
import { isField, validateField, validateFields } from './field-validation.ts'
import type { TotalsRefresh } from './refresh.ts'
import type { TotalsTriggers } from './totals-triggers.ts'

/** A jQuery set where the page has jQuery, else the element itself. */
type Nodes = unknown

/**
 * The object that listeners of the order events receive, under the names known to third-party payment methods. It lives
 * as long as the page: methods keep it and write to it.
 */
export type CheckoutController = {
  readonly form: HTMLFormElement
  readonly $checkout_form: Nodes
  readonly $order_review: Nodes
  /** The totals request in progress, or false. */
  readonly xhr: { readonly readyState: number; abort(): void } | false
  /** Id of the chosen method's radio button, or false. */
  readonly selectedPaymentMethod: string | false
  init_payment_methods(): void
  get_payment_method(): string | undefined
  payment_method_selected(): void
  queue_update_checkout(): void
  trigger_update_checkout(): void
  maybe_update_checkout(): void
  reset_update_checkout_timer(): void
  update_checkout(event?: unknown, args?: unknown): void
  update_checkout_action(args?: unknown): void
  is_valid_json(text: string): boolean
  validate_field(event: Pick<ShopEvent, 'target'>): void
  blockOnSubmit(): void
  submit(): void
  submitOrder(): void
  submit_error(markup: string): void
  scroll_to_notices(): void
  attachUnloadEventsOnSubmit(): void
  detachUnloadEventsOnSubmit(): void
}

type Parts = {
  readonly methods: PaymentMethods
  readonly totals: TotalsRefresh
  readonly triggers: TotalsTriggers
  /** Sends the order without the events that may veto it. */
  send(form: HTMLFormElement): unknown
}

/** Creates the controller of a form, for all who place its order. */
export function createController(
  form: HTMLFormElement,
  { methods, totals, triggers, send }: Parts,
): CheckoutController {
  const nodes = (element: Element | null) => (element && pageJQuery()?.(element)) ?? element
  const ask = (args?: unknown) => trigger(document.body, checkoutEvents.update, ...(args === undefined ? [] : [args]))
  const controller: CheckoutController = {
    form,
    get $checkout_form() {
      return nodes(form)
    },
    get $order_review() {
      return nodes(document.querySelector(checkoutHooks.orderReview))
    },
    get xhr() {
      return totals.isRunning() && { readyState: 1, abort: totals.stop }
    },
    get selectedPaymentMethod() {
      return chosenPaymentRadio()?.id ?? false
    },
    init_payment_methods: methods.init,
    get_payment_method: chosenPaymentMethod,
    payment_method_selected() {
      const chosen = chosenPaymentRadio()
      if (chosen) methods.select(chosen, 0)
    },
    queue_update_checkout: triggers.refreshIfComplete,
    trigger_update_checkout: () => ask(),
    maybe_update_checkout: triggers.refreshIfComplete,
    reset_update_checkout_timer: triggers.stop,
    update_checkout: (_, args) => ask(args),
    update_checkout_action: ask,
    is_valid_json: (text) => isRecord(parseJson(text)),
    validate_field({ target }) {
      if (isField(target)) validateField(target)
      else validateFields(form)
    },
    blockOnSubmit: () => startProcessing(form),
    // Submits like a press on the button, with all its listeners.
    submit: () => form.requestSubmit(),
    submitOrder: () => void send(form),
    submit_error: (markup) => showCheckoutError(form, markup),
    scroll_to_notices: () => scrollToElement(form.querySelector(`.${checkoutHooks.checkoutGroupClass}`) ?? form),
    // No unload warning: the browsers that needed it are gone.
    attachUnloadEventsOnSubmit() {},
    detachUnloadEventsOnSubmit() {},
  }
  setControllerOf(form, controller)
  return controller
}
