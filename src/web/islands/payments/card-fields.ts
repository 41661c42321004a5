import { walletEvents } from '#contract/payments/constants.ts'
import { paymentEvents } from '#contract/payments/events.ts'
import { type CardDrawing, type DrawingState, drawCard } from '../../browser/adapters/payments/cards/card-drawing.ts'
import { type CardPage, type CardParts, createCardPayment } from '../../browser/adapters/payments/cards/card-payment.ts'
import { followCardSize } from '../../browser/adapters/payments/cards/card-size.ts'
import { cardView, followField } from '../../browser/adapters/payments/cards/card-view.ts'
import { unavailableText } from '../../browser/adapters/payments/cards/new-card.ts'
import { submitForm } from '../../browser/adapters/payments/checkout-form.ts'
import { connectedSettings } from '../../browser/adapters/payments/payment-settings.ts'
import { payPalV5 } from '../../browser/adapters/payments/paypal-v5.ts'
import { paymentCalls } from '../../browser/adapters/payments/rest-calls.ts'
import { closestTo } from '../../browser/runtime/elements.ts'
import { listen, trigger } from '../../browser/runtime/events.ts'

/** Keeps the provider's card fields in their places, and handles their payments. */
export function startCardFields(element: HTMLElement): () => void {
  const root = element.querySelector<HTMLElement>('.wc-ppcp-card-fields')
  const form = element.closest('form')
  const settings = connectedSettings()
  const card = settings?.ppcp_card_data
  if (!root || !form || !settings || !card) return () => {}
  const { unreachable = '', failed = '' } = root.dataset
  // Proof of the cast: the server prints card fields only on these pages.
  const page = settings.generalData.page as CardPage
  const parts: CardParts = { form, page, settings, card, view: cardView(root) }
  const { view } = parts
  const retry = root.querySelector<HTMLElement>('.card-fields__retry')

  let drawing: CardDrawing | undefined
  const payment = createCardPayment({
    ...parts,
    calls: paymentCalls(settings.generalData),
    texts: { unreachable, failed },
    drawn: () => drawing?.now(),
    mounted: async () => drawing?.now() ?? (drawing ?? draw()).done,
  })
  const told = followField(view, card.i18n.error_codes, payment.tell)

  function show(state: 'loading' | DrawingState): void {
    if (!root || !card) return
    if (state === 'slow') {
      if (root.dataset.state === 'loading') view.say(card.i18n.slow)
      return
    }
    root.dataset.state = state === 'late' ? 'failed' : state
    const says = state !== 'loading' && state !== 'ready'
    view.say(says ? unavailableText(parts.form, card.i18n) : '')
    if (retry) retry.hidden = root.dataset.state !== 'failed'
  }

  /** Nothing is charged: the card is saved for later. */
  const keeps = () => {
    const now = connectedSettings()
    return page === 'add_payment_method' || (page === 'checkout' && now?.cart?.needsSetupToken === true)
  }
  const key = () => JSON.stringify([connectedSettings()?.queryParams, keeps()])
  let drawnFor = ''

  /** A failure message stays until there is another message, unless the shopper retries. */
  function draw(): CardDrawing {
    // Two sets in one place would stand one above the other.
    drawing?.close()
    drawnFor = key()
    const next = drawCard(
      parts,
      {
        attempt: payment.callbacks(keeps()),
        changed(field, event, state, brand) {
          told(field, event, state)
          if (field === 'number') view.mark(brand && !state.isEmpty ? card?.icons[brand] : undefined)
        },
        submitted: () => form && submitForm(form),
      },
      (state) => {
        if (drawing !== next) return
        show(state)
        if (state === 'ready') trigger(document.body, walletEvents.init)
        else if (state === 'failed' || state === 'not-offered') drawing = undefined
      },
    )
    drawing = next
    return next
  }

  async function tryAgain(): Promise<void> {
    payPalV5(connectedSettings() ?? parts.settings).startOver()
    show('loading')
    const next = draw()
    // The pressed button was removed with its message, and with it the focus.
    const lost = () => document.activeElement === document.body
    await next.done.then(
      (fields) => lost() && fields.focus(view.places.has('name') ? 'name' : 'number'),
      () => lost() && retry?.focus(),
    )
  }

  /** Another event may allow the fields now: a script loaded for another part of the page, or a restored connection. */
  const drawMissing = () => {
    if (!drawing && root.dataset.state === 'failed') draw()
  }

  const heard = new AbortController()
  root.addEventListener(
    'click',
    (event) => {
      if (closestTo(event, '.card-fields__retry')) void tryAgain()
      const label = closestTo(event, '.card-field__label')
      const field = label && view.labelled(label)
      if (field) drawing?.now()?.focus(field)
    },
    { signal: heard.signal },
  )
  addEventListener('online', drawMissing, { signal: heard.signal })
  const item = element.closest('li')
  const stops = [
    payment.stop,
    item ? followCardSize(item) : () => {},
    listen(document.body, paymentEvents.sdkLoaded, drawMissing),
    listen(document.body, walletEvents.cartData, () => {
      // A payment is in progress: the rendered fields stay until it ends, and the next change renders again.
      if (!payment.busy() && key() !== drawnFor) draw()
    }),
  ]
  draw()

  return () => {
    heard.abort()
    for (const stop of stops) stop()
    drawing?.close()
  }
}
