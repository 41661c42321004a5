import { walletEvents } from '#contract/payment-words.ts'
import { closestTo } from '#web/browser/elements.ts'
import { listen, trigger } from '#web/browser/events.ts'
import { type CardDrawing, drawCard } from '#web/browser/payments/card-drawing.ts'
import { type CardPage, type CardParts, createCardPayment } from '#web/browser/payments/card-payment.ts'
import { followCardSize } from '#web/browser/payments/card-size.ts'
import { cardView, followField } from '#web/browser/payments/card-view.ts'
import { submitForm } from '#web/browser/payments/checkout-form.ts'
import { connectedSettings } from '#web/browser/payments/payment-page.ts'
import { paymentCalls } from '#web/browser/payments/rest-calls.ts'

/** Keeps the provider's fields for a card in their places, and the payment that they begin. */
export function startCardFields(element: HTMLElement): () => void {
  const root = element.querySelector<HTMLElement>('.wc-ppcp-card-fields')
  const form = element.closest('form')
  const settings = connectedSettings()
  const card = settings?.ppcp_card_data
  if (!root || !form || !settings || !card) return () => {}
  const { unreachable = '', failed = '' } = root.dataset
  // Proof of the cast: the server prints cards on these pages alone.
  const page = settings.generalData.page as CardPage
  const parts: CardParts = { form, page, settings, card, view: cardView(root) }
  const { view } = parts

  let drawing: CardDrawing | undefined
  const payment = createCardPayment({
    ...parts,
    calls: paymentCalls(settings.generalData),
    texts: { unreachable, failed },
    drawn: () => drawing?.now(),
    mounted: () => (drawing ?? draw()).done,
  })
  const told = followField(view, card.i18n.error_codes, payment.tell)

  function show(state: 'loading' | 'ready' | 'failed' | 'not-offered'): void {
    if (!root) return
    root.dataset.state = state
    view.say(state === 'failed' || state === 'not-offered' ? (card?.i18n.unavailable ?? '') : '')
    const retry = root.querySelector<HTMLElement>('.card-fields__retry')
    if (retry) retry.hidden = state !== 'failed'
  }

  /** Nothing is charged: the card is saved for later. */
  const keeps = () => {
    const now = connectedSettings()
    return page === 'add_payment_method' || (page === 'checkout' && now?.cart?.needsSetupToken === true)
  }
  const key = () => JSON.stringify([connectedSettings()?.queryParams, keeps()])
  let drawnFor = ''

  function draw(): CardDrawing {
    // Two sets in one place would stand above each other.
    drawing?.close()
    drawnFor = key()
    show('loading')
    const next = drawCard(parts, {
      attempt: payment.callbacks(keeps()),
      changed(field, event, state, brand) {
        told(field, event, state)
        if (field === 'number') view.mark(brand && !state.isEmpty ? card?.icons[brand] : undefined)
      },
      submitted: () => form && submitForm(form),
    })
    drawing = next
    void next.outcome.then((outcome) => {
      if (drawing !== next) return
      show(outcome)
      if (outcome === 'ready') trigger(document.body, walletEvents.init)
      else drawing = undefined
    })
    return next
  }

  const heard = new AbortController()
  root.addEventListener(
    'click',
    (event) => {
      if (closestTo(event, '.card-fields__retry')) draw()
      const label = closestTo(event, '.card-field__label')
      const field = label && view.labelled(label)
      if (field) drawing?.now()?.focus(field)
    },
    { signal: heard.signal },
  )
  const item = element.closest('li')
  const stops = [
    payment.stop,
    item ? followCardSize(item) : () => {},
    listen(document.body, walletEvents.cartData, () => {
      // Somebody is paying: what is drawn stays until that has ended, and the next change draws anew.
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
