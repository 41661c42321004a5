import { messageHooks, walletEvents } from '#contract/payments/constants.ts'
import type { MessageStyle, PaymentSettings } from '#contract/payments/page-settings.ts'
import { companionEvents } from '#contract/shared/events.ts'
import { addedAttribute } from '#contract/shared/hooks.ts'
import { cartHasItems } from '../../../runtime/cookies.ts'
import { allOf } from '../../../runtime/elements.ts'
import { listen } from '../../../runtime/events.ts'
import { refreshCartData } from '../cart-data.ts'
import { payPalV5 } from '../paypal-v5.ts'
import { onFragments } from '../wallet/mini-cart-wallet.ts'
import { productForm, watchProduct } from '../wallet/product-choice.ts'
import { type MessagePlace, messagePlaces } from './message-placements.ts'

const retryAfterMs = 500
/** A missing neighbour of a message is retried only this often. */
const retries = 10

/** Shows pay-later messages beside prices and totals, and updates them when amounts change. */
export function startMessages(settings: PaymentSettings): void {
  const all = () => {
    for (const place of messagePlaces(settings)) updateMessage(place, settings)
  }
  listen(document.body, walletEvents.cartData, all)
  onFragments(all)
  listen(document.body, companionEvents.listRendered, () => {
    // Cards were moved, and a moved frame reloads.
    for (const message of allOf(`.products .${messageHooks.containerClass}`)) {
      hide(message)
      message.replaceChildren()
    }
    all()
  })
  darkPages.addEventListener('change', all)
  const form = productForm()
  if (form) watchProduct(form, all)
  all()
}

const darkPages = matchMedia('(prefers-color-scheme: dark)')

/** The options of each message's last rendering. */
const drawn = new WeakMap<Element, string>()
const watched = new WeakSet<Element>()
const seen = new WeakSet<Element>()

function updateMessage(place: MessagePlace, settings: PaymentSettings, left = retries): void {
  const isVault = settings.queryParams.vault === 'true'
  const message = document.getElementById(place.id) ?? attachedMessage(place, settings)
  if (!message) {
    if (left > 0 && place.location === 'checkout')
      setTimeout(() => updateMessage(place, settings, left - 1), retryAfterMs)
  } else if (isVault) hide(message)
  else if (seen.has(message)) void draw(message, place, settings)
  else whenVisible(message, () => void draw(message, place, settings))
}

/** @returns undefined without a place for it now */
function attachedMessage(place: MessagePlace, settings: PaymentSettings): HTMLElement | undefined {
  if (settings.payLaterMessage.isShortcode) return undefined
  const message = document.createElement('div')
  message.id = place.id
  message.className = messageHooks.containerClass
  // The provider localizes the message itself.
  message.translate = false
  if (!place.attach(message)) return undefined
  const added = message.closest(`.${messageHooks.rowClass}`) ?? message
  added.toggleAttribute(addedAttribute, true)
  return message
}

async function draw(message: HTMLElement, place: MessagePlace, settings: PaymentSettings): Promise<void> {
  // Cached pages have no cart data.
  if (place.location === 'minicart' && !settings.cart && cartHasItems()) await refreshCartData()
  const amount = place.amount()
  const currency = settings.queryParams.currency ?? ''
  if (amount === undefined) {
    hide(message)
    return
  }
  const { placement } = place
  const style = readableStyle(place.style)
  const key = JSON.stringify([settings.queryParams, amount, style])
  if (drawn.get(message) === key) return
  drawn.set(message, key)
  try {
    const shown = () => {
      if (drawn.has(message)) message.classList.add(messageHooks.shownClass)
    }
    await payPalV5(settings).showMessage(message, { amount, currency, placement, style, shown })
  } catch {
    // The loader has logged the reason: the page works without this message.
    hide(message)
  }
}

/** Black text would be unreadable in a dark colour scheme. */
function readableStyle(style: MessageStyle): MessageStyle {
  if (!darkPages.matches || style.text.color !== 'black') return style
  return { ...style, text: { ...style.text, color: 'white' } }
}

function hide(message: Element): void {
  drawn.delete(message)
  message.classList.remove(messageHooks.shownClass)
}

/** An invisible message does not load the provider's script. */
function whenVisible(message: Element, look: () => void): void {
  if (watched.has(message)) return
  watched.add(message)
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return
    observer.disconnect()
    seen.add(message)
    look()
  })
  observer.observe(message)
}
