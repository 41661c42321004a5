import { checkoutEvents } from '#contract/checkout/events.ts'
import { checkoutHooks } from '#contract/checkout/hooks.ts'
import { cardMethodId, fastlaneHooks, unspentCodes } from '#contract/payments/constants.ts'
import type { CardSettings, PaymentSettings } from '#contract/payments/page-settings.ts'
import { allOf, closestTo } from '../../../runtime/elements.ts'
import { listen, trigger } from '../../../runtime/events.ts'
import { announce } from '../../../runtime/live-region.ts'
import { scrollToElement } from '../../../runtime/scroll.ts'
import { isEmail, showInlineError } from '../../checkout/field-validation.ts'
import { messageFor, showError } from '../../notices/notices.ts'
import { updatedCheckout } from '../checkout-form.ts'
import { isWindowClosed, PaymentFailure } from '../payment-failure.ts'
import { payPalV5 } from '../paypal-v5.ts'
import type { Accelerated, AcceleratedCard, AcceleratedProfile } from '../provider.ts'
import { cardLabel, showAcceleratedCard } from './accelerated-card.ts'
import { billingPlace, fillProfile, typedBefore } from './accelerated-fill.ts'
import { signUp } from './accelerated-sign-up.ts'
import {
  type AcceleratedEvent,
  type AcceleratedStep,
  initialAcceleratedState,
  reduceAccelerated,
} from './accelerated-state.ts'
import { carryToken, keepBeforeOrder } from './accelerated-token.ts'

const typingPauseMs = 250
const scrollMs = 1000
const abovePlaceOrderPx = 200

/**
 * Starts accelerated checkout for guests: name, addresses and card are filled in for shoppers whose email address the
 * provider knows. Only the form pays: the card is sent in its hidden fields.
 */
export async function startAccelerated(
  form: HTMLFormElement,
  settings: PaymentSettings,
  card: CardSettings,
): Promise<void> {
  const found = form.elements.namedItem('billing_email')
  if (!(found instanceof HTMLInputElement)) return
  const field = found
  const place = form.querySelector<HTMLElement>(`.${fastlaneHooks.placeClass}`)
  const detects = card.fastlane_flow === 'email_detection'

  let state = initialAcceleratedState
  /** Profiles of authenticated shoppers, by address. */
  const profiles = new Map<string, AcceleratedProfile>()
  const customers = new Map<string, string>()
  const spent = new Set<string>()
  /** The card's payment method is to be selected as soon as it is offered. */
  let choosing = false
  let restore: (() => Promise<void>) | undefined

  const email = () => field.value.trim()
  const current = () => (state.phase === 'recognised' ? profiles.get(state.email) : undefined)
  const texts = { ...settings.errorMessages, ...card.i18n.error_codes }
  /** A provider code without a text of the shop means missing input. */
  function textFor(error: unknown): string | undefined {
    if (isWindowClosed(error)) return undefined
    const isStrange = error instanceof PaymentFailure && error.code !== undefined && !Object.hasOwn(texts, error.code)
    return isStrange ? card.i18n.incomplete_card_form : messageFor(error, texts)
  }

  function dispatch(event: AcceleratedEvent): void {
    const { state: next, step } = reduceAccelerated(state, event)
    state = next
    show()
    if (step) void run(step, next.email)
  }

  function report(error: unknown): void {
    const text = textFor(error)
    if (text) showError(text, form)
  }

  async function run(step: AcceleratedStep, about: string): Promise<void> {
    try {
      const provider = await ready
      if (!provider) return
      if (step === 'look-up') await lookUp(provider, about)
      else if (step === 'authenticate') await authenticate(provider, about)
      else await join(provider, about)
    } catch (error) {
      dispatch({ type: 'failed', email: about })
      report(error)
    }
  }

  async function lookUp(provider: Accelerated, about: string): Promise<void> {
    const customer = await provider.lookUp(about)
    if (customer) customers.set(about, customer)
    dispatch({ type: customer ? 'known' : 'unknown', email: about })
  }

  async function authenticate(provider: Accelerated, about: string): Promise<void> {
    const answer = await provider.authenticate(customers.get(about) ?? '')
    if (answer.state === 'succeeded') {
      profiles.set(about, answer.profile)
      dispatch({ type: 'succeeded', email: about })
      if (state.email === about) await use(answer.profile)
    } else if (answer.state === 'canceled') {
      dispatch({ type: 'canceled', email: about })
    } else if (answer.state === 'unrecognized') {
      dispatch({ type: 'unknown', email: about })
    } else {
      dispatch({ type: 'failed', email: about })
      report({ code: 'fastlane_failed' })
    }
  }

  async function join(provider: Accelerated, about: string): Promise<void> {
    const chosen = await signUp({ provider, settings: card, address: billingPlace(form), textFor })
    if (!chosen) return
    profiles.set(about, { name: chosen.name, card: chosen })
    choosing = true
    dispatch({ type: 'joined', email: about })
    lead(chosen)
  }

  /** Fills the form, requests the totals, and focuses the button. */
  async function use(profile: AcceleratedProfile): Promise<void> {
    restore ??= typedBefore(form)
    choosing = profile.card !== undefined
    await fillProfile(form, profile)
    show()
    await updatedCheckout()
    lead(profile.card)
  }

  function lead(chosen: AcceleratedCard | undefined): void {
    if (chosen) {
      announce(cardLabel(card.payment_format, chosen))
      shownCard()?.focus({ preventScroll: true })
    }
    const button = form.querySelector(checkoutHooks.placeOrder)
    if (button) scrollToElement(button, abovePlaceOrderPx, scrollMs)
  }

  const shownCard = () => form.querySelector<HTMLElement>(`.${fastlaneHooks.tokenizedCardClass}`)

  /** Runs again after every change of the checkout, which replaces its markup. */
  function show(): void {
    const profile = current()
    const radio = form.querySelector<HTMLInputElement>(`${checkoutHooks.methodRadio}[value="${cardMethodId}"]`)
    if (choosing && radio) {
      choosing = false
      if (!radio.checked) radio.click()
    }
    const chosen = profile?.card
    const isSpent = chosen !== undefined && spent.has(chosen.token)
    const box = form.querySelector<HTMLElement>(`${checkoutHooks.paymentBox}.payment_method_${cardMethodId}`)
    const view = chosen && { card: chosen, spent: isSpent, hasAddress: profile?.shipping !== undefined }
    if (box) showAcceleratedCard(box, view ?? null, card)
    carryToken(form, chosen && !isSpent ? chosen.token : '')
    if (!place) return
    place.dataset.phase = state.phase
    for (const link of allOf(`.${fastlaneHooks.signUpLinkClass}`, place)) {
      link.hidden = detects ? state.phase !== 'stranger' || !card.fastlane_signup : state.phase === 'recognised'
    }
  }

  /** The shopper pressed the button: an invalid address is reported now. */
  function ask(): void {
    const text = email() === '' ? card.i18n.email_empty : isEmail(email()) ? undefined : card.i18n.email_invalid
    if (text === undefined) {
      dispatch({ type: 'asked', email: email() })
    } else {
      showInlineError('billing_email', text)
      field.focus()
    }
  }

  async function giveBack(): Promise<void> {
    dispatch({ type: 'dropped' })
    await restore?.()
    restore = undefined
    form.querySelector<HTMLElement>(`${checkoutHooks.methodRadio}:checked`)?.focus({ preventScroll: true })
    trigger(document.body, checkoutEvents.update)
  }

  /** Lets the shopper choose again from the data that the provider stores. */
  async function change(choose: (provider: Accelerated) => Promise<Partial<AcceleratedProfile> | undefined>) {
    const about = state.email
    try {
      const provider = await ready
      const next = provider && (await choose(provider))
      const before = profiles.get(about)
      if (!next || !before) return
      const profile = { ...before, ...next }
      profiles.set(about, profile)
      if (state.email === about) await use(profile)
    } catch (error) {
      report(error)
    }
  }

  let timer: ReturnType<typeof setTimeout> | undefined
  let entered = ''
  const typed = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      entered = email()
      if (isEmail(entered)) dispatch({ type: detects ? 'entered' : 'typed', email: entered })
    }, typingPauseMs)
  }
  field.addEventListener('input', typed)
  field.addEventListener('change', () => {
    // A `change` also follows when focus leaves the field after the address was looked up. Only a new address counts:
    // else a failed attempt would start again without being asked for.
    if (email() !== entered) typed()
  })
  form.addEventListener('click', (event) => {
    const pressed = (name: string) => closestTo(event, `.${name}`)
    if (pressed(fastlaneHooks.signUpLinkClass)) ask()
    if (pressed(fastlaneHooks.cancelClass)) void giveBack()
    if (pressed(fastlaneHooks.changeClass)) {
      void change(async (provider) => {
        const chosen = await provider.chooseCard()
        return chosen && { card: chosen }
      })
    }
    if (pressed(fastlaneHooks.changeAddressClass)) {
      void change(async (provider) => {
        const shipping = await provider.chooseAddress()
        return shipping && { shipping }
      })
    }
  })
  listen(document.body, checkoutEvents.updated, show)
  listen(document.body, checkoutEvents.error, (_, __, code) => {
    const token = current()?.card?.token
    const tried = form.querySelector<HTMLInputElement>(`${checkoutHooks.methodRadio}:checked`)?.value === cardMethodId
    if (token && tried && typeof code === 'string' && !unspentCodes.includes(code)) spent.add(token)
    show()
  })
  keepBeforeOrder(form, settings, report)

  const ready = start(settings, card, form, place)
  const provider = await ready
  if (!provider) {
    place?.remove()
    return
  }
  if (place) place.dataset.ready = ''
  show()
  if (card.fastlane_pageload === '1' && isEmail(email())) dispatch({ type: 'entered', email: email() })
}

/** Failures at the start are logged for the operator only: the checkout works without it. */
async function start(
  settings: PaymentSettings,
  card: CardSettings,
  form: HTMLFormElement,
  place: HTMLElement | null,
): Promise<Accelerated | null> {
  try {
    const countries = allOf<HTMLOptionElement>('#shipping_country option', form).map(({ value }) => value)
    const provider = await payPalV5(settings).startAccelerated({
      shipsTo: countries.filter(Boolean),
      cardholderName: card.fastlane_cardholder_name,
      language: document.documentElement.lang,
    })
    const watermark = place?.querySelector<HTMLElement>(`#${fastlaneHooks.watermarkId}`)
    if (provider && watermark) {
      provider.showWatermark(watermark).catch((error) => console.warn('the watermark could not be drawn', error))
    }
    return provider
  } catch (error) {
    console.warn('accelerated checkout could not be started', error)
    return null
  }
}
