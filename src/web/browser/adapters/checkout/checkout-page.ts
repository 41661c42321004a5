import { cartHooks } from '#contract/cart/hooks.ts'
import { checkoutEvents } from '#contract/checkout/events.ts'
import { checkoutHooks } from '#contract/checkout/hooks.ts'
import { fastlaneHooks } from '#contract/payments/constants.ts'
import { allOf, closestTo } from '../../runtime/elements.ts'
import { listen, type ShopEvent, trigger } from '../../runtime/events.ts'
import { firstUserActivity } from '../../runtime/island-element.ts'
import { block } from '../../runtime/overlay.ts'
import { isPlainClick } from '../../runtime/plain-click.ts'
import { stopProcessing } from '../../runtime/processing.ts'
import { isRecord } from '../../runtime/request.ts'
import { scrollToElement } from '../../runtime/scroll.ts'
import { settings } from '../../runtime/settings.ts'
import { isShown, slideDown, slideToggle, slideUp } from '../../runtime/slide.ts'
import { applyCheckoutCoupon, removeCheckoutCoupon, toggleCouponForm } from '../coupons/checkout-coupon.ts'
import { clearCouponError } from '../coupons/coupon-form.ts'
import { watchForCardFields } from '../payments/cards/missing-card-fields.ts'
import { startCartData } from '../payments/cart-data.ts'
import { startCustomButtons } from '../payments/methods/custom-place-order.ts'
import { type PaymentMethods, startPaymentMethods } from '../payments/methods/payment-methods.ts'
import { startPaymentReturns } from '../payments/payment-return.ts'
import { createController } from './checkout-controller.ts'
import { clearField, isField, validateField } from './field-validation.ts'
import { followCart } from './follow-cart.ts'
import { createTotalsRefresh } from './refresh.ts'
import { startLeaving } from './save-before-leaving.ts'
import { placeOrder, sendOrder } from './submit.ts'
import { startTotalsTriggers } from './totals-triggers.ts'
import { keepTypedForm } from './typed-form.ts'

/**
 * Starts the checkout, the order payment page and the page that saves a payment method: they share the payment block.
 */
export function startCheckoutPage(): void {
  const form = document.querySelector<HTMLFormElement>(checkoutHooks.form)
  const { is_checkout, option_guest_checkout } = settings('wc_checkout_params')
  const methodSlideMs = document.querySelector(checkoutHooks.addMethodForm) ? 250 : 230

  const buttons = startCustomButtons()
  const methods = startPaymentMethods(buttons)
  const totals = createTotalsRefresh({ methods, buttons })
  listen(document, 'click', (event) => onClick(event, methods, methodSlideMs))
  listen(document, 'submit', onSubmit)
  startCartData()
  methods.init()
  const paying = form ?? document.querySelector<HTMLFormElement>(checkoutHooks.orderPayForm)
  if (paying) startPaymentReturns(paying)
  const sent = paying ?? document.querySelector<HTMLFormElement>(checkoutHooks.addMethodForm)
  addEventListener('pageshow', ({ persisted }) => persisted && sent && giveBack(sent))
  if (sent) watchForCardFields(sent)
  if (!form) {
    if (document.querySelector(checkoutHooks.addMethodForm)) trigger(document.body, checkoutEvents.initAddPaymentMethod)
    return
  }

  wakeAccelerated(form)

  // The shop's messages stand at the fields and link to them; native validation would stop the form before the server
  // answers.
  form.noValidate = true
  keepTypedForm(form)
  const triggers = startTotalsTriggers()
  createController(form, { methods, totals, triggers, send: sendOrder })
  // On the document, after the listeners that other scripts have on the form.
  listen(document, 'submit', (event) => {
    if (event.target !== form) return
    event.preventDefault()
    triggers.stop()
    void placeOrder(form)
  })
  startLeaving(form)
  followCart(form)
  for (const type of ['input', 'change', 'focusout', 'validate']) listen(document, type, onField)
  listen(document, 'change', onToggle)
  listen(document.body, checkoutEvents.init, () => trigger(document.body, checkoutEvents.update))
  listen(form, 'update', () => trigger(document.body, checkoutEvents.update))
  listen(document.body, checkoutEvents.update, (_, args) => {
    const options = isRecord(args) ? args : {}
    const { current_target: target } = options
    totals.ask({
      updateShippingMethod: options.update_shipping_method !== false,
      currentTarget: target instanceof Element ? target : undefined,
    })
  })

  showShippingAddress(0)
  if (option_guest_checkout === 'yes') showAccountFields(0)
  if (is_checkout === '1') trigger(document.body, checkoutEvents.init)
}

function onClick(event: ShopEvent, methods: PaymentMethods, methodSlideMs: number): void {
  const radio = closestTo(event, checkoutHooks.methodRadio)
  if (radio instanceof HTMLInputElement && radio.closest(checkoutHooks.methods)) {
    methods.select(radio, methodSlideMs)
    return
  }
  if (!isPlainClick(event)) return
  const coupon = closestTo(event, cartHooks.removeCoupon)
  if (coupon instanceof HTMLAnchorElement && coupon.closest(checkoutHooks.review)) {
    event.preventDefault()
    void removeCheckoutCoupon(coupon)
    return
  }
  const couponToggle = closestTo(event, checkoutHooks.couponToggle)
  if (couponToggle) {
    event.preventDefault()
    toggleCouponForm(couponToggle)
    return
  }
  const logIn = closestTo(event, checkoutHooks.loginToggle)
  const loginForm = document.querySelector<HTMLElement>(checkoutHooks.loginForm)
  if (logIn && loginForm) {
    event.preventDefault()
    toggleLogIn(logIn, loginForm)
    return
  }
  toggleTerms(event)
}

/** The link above the form toggles it; a link in a message only opens it. */
function toggleLogIn(link: HTMLElement, form: HTMLElement): void {
  const toggle = document.querySelector(`[aria-controls="${form.id}"]${checkoutHooks.loginToggle}`)
  if (link !== toggle && isShown(form)) slideUp(form, 0)
  const open = slideToggle(form, 400)
  toggle?.setAttribute('aria-expanded', String(open))
  if (!open) return
  scrollToElement(form, 50, 300)
  form.querySelector<HTMLElement>('input')?.focus({ preventScroll: true })
}

function toggleTerms(event: ShopEvent): void {
  const link = closestTo(event, checkoutHooks.termsLink)
  const text = document.querySelector<HTMLElement>(checkoutHooks.termsText)
  if (!link || !text) return
  event.preventDefault()
  const open = slideToggle(text, 400)
  link.setAttribute('aria-expanded', String(open))
  const name = 'woocommerce-terms-and-conditions-link'
  link.classList.toggle(`${name}--open`, open)
  link.classList.toggle(`${name}--closed`, !open)
}

function onSubmit(event: ShopEvent): void {
  const form = event.target
  if (!(form instanceof HTMLFormElement)) return
  if (form.matches(checkoutHooks.couponForm)) {
    event.preventDefault()
    void applyCheckoutCoupon(form)
  } else if (form.matches(`${checkoutHooks.orderPayForm}, ${checkoutHooks.addMethodForm}`)) {
    // The browser submits these forms; the overlay prevents a second press.
    block(form, { colour: 'white' })
  }
}

/**
 * The page was in the back/forward cache while the shopper was with the provider: the attempt is no longer in progress.
 */
function giveBack(form: HTMLFormElement): void {
  stopProcessing(form)
  // Nonces and totals may be stale by now.
  if (form.matches(checkoutHooks.form)) trigger(document.body, checkoutEvents.update)
}

function onField(event: ShopEvent): void {
  const { target, type } = event
  if (!isField(target)) return
  if (target.closest(checkoutHooks.couponForm)) clearCouponError()
  else if (!target.closest(checkoutHooks.form)) return
  else if (type === 'input') clearField(target)
  else validateField(target)
}

function onToggle(event: ShopEvent): void {
  if (closestTo(event, checkoutHooks.shipToDifferent)) showShippingAddress(400)
  if (!closestTo(event, checkoutHooks.createAccount)) return
  // Clears only the choice: text typed before this script loaded stays.
  const password = document.querySelector<HTMLInputElement>(`${checkoutHooks.accountFields} #account_password`)
  if (password) password.value = ''
  showAccountFields(400)
}

function showShippingAddress(slideMs: number): void {
  const box = document.querySelector<HTMLInputElement>(checkoutHooks.shipToDifferent)
  const address = document.querySelector<HTMLElement>(checkoutHooks.shippingAddress)
  if (!box || !address) return
  if (box.checked) slideDown(address, slideMs)
  else slideUp(address, 0)
}

function showAccountFields(slideMs: number): void {
  const box = document.querySelector<HTMLInputElement>(checkoutHooks.createAccount)
  for (const fields of box ? allOf(checkoutHooks.accountFields) : []) {
    if (box?.checked) slideDown(fields, slideMs)
    else slideUp(fields, 0)
  }
}

/** Starts for somebody who is there, also out of view: the browser may fill in the address, or the page have it. */
function wakeAccelerated(form: HTMLFormElement): void {
  const place = form.querySelector(`.${fastlaneHooks.placeClass}`)
  if (place) void firstUserActivity().then(() => place.dispatchEvent(new Event('input')))
}
