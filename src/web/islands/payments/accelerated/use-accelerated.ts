import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useReducer, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { checkoutEvents } from '#contract/checkout/events.ts'
import { checkoutHooks } from '#contract/checkout/hooks.ts'
import { cardMethodId, unspentCodes } from '#contract/payments/constants.ts'
import { addedAttribute } from '#contract/shared/hooks.ts'
import { isEmail, showInlineError } from '../../../browser/adapters/checkout/field-validation.ts'
import { messageFor, showError } from '../../../browser/adapters/notices/notices.ts'
import { cardLabel } from '../../../browser/adapters/payments/accelerated/accelerated-card.ts'
import { fillProfile, typedBefore } from '../../../browser/adapters/payments/accelerated/accelerated-fill.ts'
import {
  type AcceleratedSite,
  acceleratedSite,
  startProvider,
} from '../../../browser/adapters/payments/accelerated/accelerated-site.ts'
import {
  type AcceleratedEvent,
  type AcceleratedStep,
  initialAcceleratedState,
  reduceAccelerated,
} from '../../../browser/adapters/payments/accelerated/accelerated-state.ts'
import { carryToken, keepBeforeOrder } from '../../../browser/adapters/payments/accelerated/accelerated-token.ts'
import { updatedCheckout } from '../../../browser/adapters/payments/checkout-form.ts'
import { isWindowClosed, PaymentFailure } from '../../../browser/adapters/payments/payment-failure.ts'
import type { Accelerated, AcceleratedCard, AcceleratedProfile } from '../../../browser/adapters/payments/provider.ts'
import { trigger } from '../../../browser/runtime/events.ts'
import { announce } from '../../../browser/runtime/live-region.ts'
import { scrollToElement } from '../../../browser/runtime/scroll.ts'
import { useShopEvent } from '../../shared/use-shop-event.ts'

const typingPauseMs = 250
const scrollMs = 1000
const abovePlaceOrderPx = 200

/** Every step is run once, also those of events between two renderings. */
type Steps = { readonly state: typeof initialAcceleratedState; readonly steps: readonly Step[] }
type Step = { readonly name: AcceleratedStep; readonly email: string }

function reduceSteps({ state: before, steps }: Steps, event: AcceleratedEvent): Steps {
  const { state, step } = reduceAccelerated(before, event)
  return { state, steps: step ? [...steps, { name: step, email: state.email }] : steps }
}

/**
 * Accelerated checkout in the form around `place`.
 * @param watermark container of the provider's logo
 * @param shownCard the rendered card
 */
export function useAccelerated(
  place: RefObject<HTMLElement | null>,
  watermark: RefObject<HTMLElement | null>,
  shownCard: RefObject<HTMLElement | null>,
) {
  const [{ state, steps }, dispatch] = useReducer(reduceSteps, { state: initialAcceleratedState, steps: [] })
  const [site, setSite] = useState<AcceleratedSite>()
  /** Undefined while it loads, null when the merchant has none. */
  const [provider, setProvider] = useState<Accelerated | null>()
  /** Profiles of authenticated shoppers, by address. */
  const [profiles, setProfiles] = useState<ReadonlyMap<string, AcceleratedProfile>>(new Map())
  const [spent, setSpent] = useState<ReadonlySet<string>>(new Set())
  /** The address that signs up. */
  const [signUp, setSignUp] = useState<string>()
  /** The element around the card, in the box of its method. */
  const [box, setBox] = useState<HTMLElement>()
  const customers = useRef(new Map<string, string>())
  const started = useRef(0)
  /** The card's payment method is to be selected as soon as it is offered. */
  const choosing = useRef(false)
  const restore = useRef<() => Promise<void>>(undefined)
  const ended = useRef(false)

  const profile = state.phase === 'recognised' ? profiles.get(state.email) : undefined
  const card = profile?.card
  const isSpent = card !== undefined && spent.has(card.token)

  const isCurrent = useEffectEvent((email: string) => state.email === email)
  const signingUp = useEffectEvent(() => signUp)
  const setProfile = (email: string, next: AcceleratedProfile) =>
    setProfiles((known) => new Map(known).set(email, next))

  /** A provider code without a text of the shop means missing input. */
  function textFor(error: unknown): string | undefined {
    if (isWindowClosed(error) || !site) return undefined
    const { settings, card: cards } = site
    const texts = { ...settings.errorMessages, ...cards.i18n.error_codes }
    const isStrange = error instanceof PaymentFailure && error.code !== undefined && !Object.hasOwn(texts, error.code)
    return isStrange ? cards.i18n.incomplete_card_form : messageFor(error, texts)
  }

  const report = useEffectEvent((error: unknown) => {
    const text = textFor(error)
    if (text && site) showError(text, site.form)
  })

  /** Puts the card, its method and its token into the form, whose markup the server replaces. */
  const settle = useEffectEvent(() => {
    if (!site || ended.current) return
    const { form } = site
    const radio = form.querySelector<HTMLInputElement>(`${checkoutHooks.methodRadio}[value="${cardMethodId}"]`)
    if (choosing.current && radio) {
      choosing.current = false
      if (!radio.checked) radio.click()
    }
    const around = form.querySelector<HTMLElement>(`${checkoutHooks.paymentBox}.payment_method_${cardMethodId}`)
    if (!card) box?.remove()
    else if (box && around && !around.contains(box)) around.prepend(box)
    carryToken(form, card && !isSpent ? card.token : '')
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: these are what it shows.
  useLayoutEffect(() => settle(), [card, isSpent, box])
  useShopEvent(checkoutEvents.updated, () => settle())
  useShopEvent(checkoutEvents.error, (_, __, code) => {
    const method = site?.form.querySelector<HTMLInputElement>(`${checkoutHooks.methodRadio}:checked`)?.value
    if (card && method === cardMethodId && typeof code === 'string' && !unspentCodes.includes(code))
      setSpent(new Set(spent).add(card.token))
    settle()
  })

  /** Fills the form, requests the totals, and focuses the button. */
  async function use(next: AcceleratedProfile): Promise<void> {
    if (!site) return
    restore.current ??= typedBefore(site.form)
    await fillProfile(site.form, next)
    choosing.current = next.card !== undefined
    settle()
    await updatedCheckout()
    lead(next.card)
  }

  function lead(chosen: AcceleratedCard | undefined): void {
    if (!site || ended.current) return
    if (chosen) {
      announce(cardLabel(site.card.payment_format, chosen))
      shownCard.current?.focus({ preventScroll: true })
    }
    const button = site.form.querySelector(checkoutHooks.placeOrder)
    if (button) scrollToElement(button, abovePlaceOrderPx, scrollMs)
  }

  async function run(from: Accelerated, { name, email }: Step): Promise<void> {
    try {
      if (name === 'look-up') {
        const customer = await from.lookUp(email)
        if (customer) customers.current.set(email, customer)
        dispatch({ type: customer ? 'known' : 'unknown', email })
      } else if (name === 'authenticate') {
        const answer = await from.authenticate(customers.current.get(email) ?? '')
        if (answer.state === 'succeeded') {
          setProfile(email, answer.profile)
          dispatch({ type: 'succeeded', email })
          if (isCurrent(email)) await use(answer.profile)
        } else if (answer.state === 'failed') {
          throw new PaymentFailure('The shopper was not authenticated.', { code: 'fastlane_failed' })
        } else {
          dispatch({ type: answer.state === 'canceled' ? 'canceled' : 'unknown', email })
        }
      } else {
        setSignUp(email)
      }
    } catch (error) {
      dispatch({ type: 'failed', email })
      report(error)
    }
  }
  const runSteps = useEffectEvent(() => {
    if (!provider) return
    const next = steps.slice(started.current)
    started.current = steps.length
    for (const step of next) void run(provider, step)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: they are run when they come.
  useEffect(() => runSteps(), [provider, steps])

  const start = useEffectEvent(() => {
    const at = acceleratedSite(place.current)
    if (!at) return
    const { form, field, card: cards } = at
    const around = document.createElement('div')
    around.toggleAttribute(addedAttribute, true)
    setSite(at)
    setBox(around)

    const detects = cards.fastlane_flow === 'email_detection'
    let timer: ReturnType<typeof setTimeout> | undefined
    let entered = ''
    const typed = () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        entered = field.value.trim()
        if (isEmail(entered)) dispatch({ type: detects ? 'entered' : 'typed', email: entered })
      }, typingPauseMs)
    }
    const heard = new AbortController()
    field.addEventListener('input', typed, heard)
    // A `change` also follows when focus leaves the field after the address was looked up. Only a new address counts:
    // else a failed attempt would start again without being asked for.
    field.addEventListener('change', () => field.value.trim() !== entered && typed(), heard)
    const stopKeeping = keepBeforeOrder(form, at.settings, (error) => report(error))

    void startProvider(at, watermark.current).then((given) => {
      if (heard.signal.aborted) return
      setProvider(given)
      const present = field.value.trim()
      if (given && cards.fastlane_pageload === '1' && isEmail(present)) dispatch({ type: 'entered', email: present })
    })
    return () => {
      clearTimeout(timer)
      heard.abort()
      stopKeeping()
      around.remove()
      // A card that is not shown must not pay, also when an answer comes late.
      ended.current = true
      carryToken(form, '')
    }
  })
  useEffect(() => start(), [])

  return {
    state,
    site,
    provider,
    profile,
    isSpent,
    box,
    signsUp: signUp !== undefined,
    textFor,

    /** The shopper pressed the button: an invalid address is reported now. */
    ask(): void {
      if (!site) return
      const { field, card: cards } = site
      const email = field.value.trim()
      if (isEmail(email)) {
        dispatch({ type: 'asked', email })
      } else {
        showInlineError('billing_email', email === '' ? cards.i18n.email_empty : cards.i18n.email_invalid)
        field.focus()
      }
    },

    async giveBack(): Promise<void> {
      dispatch({ type: 'dropped' })
      await restore.current?.()
      restore.current = undefined
      site?.form.querySelector<HTMLElement>(`${checkoutHooks.methodRadio}:checked`)?.focus({ preventScroll: true })
      trigger(document.body, checkoutEvents.update)
    },

    /** Lets the shopper choose again from the data that the provider stores. */
    async change(part: 'card' | 'shipping'): Promise<void> {
      const { email } = state
      try {
        const chosen = await (part === 'card' ? provider?.chooseCard() : provider?.chooseAddress())
        if (!chosen || !profile) return
        const next = { ...profile, [part]: chosen }
        setProfile(email, next)
        if (isCurrent(email)) await use(next)
      } catch (error) {
        report(error)
      }
    },

    joined(chosen: AcceleratedCard): void {
      const email = signingUp()
      // The window may have been closed while the provider worked.
      if (email === undefined) return
      // The card is on the page before it gets the focus.
      flushSync(() => {
        setSignUp(undefined)
        setProfile(email, { name: chosen.name, card: chosen })
        choosing.current = true
        dispatch({ type: 'joined', email })
      })
      lead(chosen)
    },

    /** @param error the provider could not render its form */
    closeSignUp(error?: unknown): void {
      const email = signingUp()
      setSignUp(undefined)
      if (error === undefined || email === undefined) return
      dispatch({ type: 'failed', email })
      report(error)
    },
  }
}
