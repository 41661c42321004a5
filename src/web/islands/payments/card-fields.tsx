import { type ReactNode, useEffect, useEffectEvent, useReducer, useRef } from 'react'
import { cardHooks, walletEvents } from '#contract/payments/constants.ts'
import { paymentEvents } from '#contract/payments/events.ts'
import { type CardDrawing, drawCard } from '../../browser/adapters/payments/cards/card-drawing.ts'
import { faultAfter } from '../../browser/adapters/payments/cards/card-faults.ts'
import { type CardPayment, createCardPayment } from '../../browser/adapters/payments/cards/card-payment.ts'
import { type CardSite, cardSite, drawingKey, keepsCard } from '../../browser/adapters/payments/cards/card-site.ts'
import { followCardSize } from '../../browser/adapters/payments/cards/card-size.ts'
import { unavailableText } from '../../browser/adapters/payments/cards/new-card.ts'
import { submitForm } from '../../browser/adapters/payments/checkout-form.ts'
import { connectedSettings } from '../../browser/adapters/payments/payment-settings.ts'
import { payPalV5 } from '../../browser/adapters/payments/paypal-v5.ts'
import type { CardField } from '../../browser/adapters/payments/provider.ts'
import { trigger } from '../../browser/runtime/events.ts'
import { useShopEvent } from '../shared/use-shop-event.ts'
import { CardFault } from './card-fault.tsx'
import { type FieldView, initialCardView, reduceCardView } from './card-fields-view.ts'

export type CardFieldsProps = {
  /** The name on the card is asked for. */
  cardName?: 'optional' | 'required' | undefined
  texts: Readonly<Record<CardField | 'card' | 'optional' | 'retry' | 'unreachable' | 'failed', string>>
}

/**
 * The fields of a new card. The provider fills them with its own frames: card data never reaches the shop. They pay with
 * the form around them.
 */
export function CardFields({ cardName, texts }: CardFieldsProps) {
  const [view, dispatch] = useReducer(reduceCardView, initialCardView)
  const root = useRef<HTMLFieldSetElement>(null)
  const retry = useRef<HTMLButtonElement>(null)
  const places = useRef<Partial<Record<CardField, HTMLElement | null>>>({})
  const site = useRef<CardSite>(null)
  const payment = useRef<CardPayment>(null)
  /** The last set of frames; null after its failure. */
  const drawing = useRef<CardDrawing>(null)
  const drawnFor = useRef('')
  const retrying = useRef(false)

  const mounted = () => drawing.current?.now()
  const focus = (field: CardField) => mounted()?.focus(field)

  function tell(field: CardField, fault: string): void {
    dispatch({ field, fault })
    mounted()?.mark(field, fault)
  }

  /** A failure message stays until there is another message, unless the shopper retries. */
  function draw(at: CardSite, paying: CardPayment): CardDrawing {
    // Two sets in one place would stand one above the other.
    drawing.current?.close()
    drawnFor.current = drawingKey(at)
    const { i18n, icons } = at.card
    const next = drawCard(at, places.current, {
      attempt: paying.callbacks(keepsCard(at)),
      submitted: () => submitForm(at.form),
      changed(field, event, state, brand) {
        if (field === 'number') dispatch({ brand: brand && !state.isEmpty ? icons[brand] : undefined })
        if (event === 'change') dispatch({ message: '' })
        dispatch(
          event === 'change'
            ? { field, valid: state.isValid && !state.isEmpty }
            : { field, focused: event === 'focus' },
        )
        const fault = faultAfter(event, field, state, i18n.error_codes)
        if (fault !== undefined) tell(field, fault)
      },
      tell(phase) {
        if (phase === 'slow') return dispatch({ slow: i18n.slow })
        const ready = phase === 'ready'
        dispatch({ phase: phase === 'late' ? 'failed' : phase, message: ready ? '' : unavailableText(at.form, i18n) })
        if (ready) trigger(document.body, walletEvents.init)
        else if (phase !== 'late') drawing.current = null
      },
    })
    drawing.current = next
    return next
  }

  const redraw = () => site.current && payment.current && draw(site.current, payment.current)

  const start = useEffectEvent(() => {
    const at = cardSite(root.current?.form)
    if (!at) return
    const paying: CardPayment = createCardPayment({
      ...at,
      texts,
      tell,
      say: (message) => dispatch({ message }),
      drawn: mounted,
      mounted: async () => mounted() ?? (drawing.current ?? draw(at, paying)).done,
    })
    site.current = at
    payment.current = paying
    draw(at, paying)
    return () => {
      paying.stop()
      drawing.current?.close()
    }
  })
  useEffect(() => start(), [])

  useEffect(() => {
    const item = root.current?.closest('li')
    return item ? followCardSize(item) : undefined
  }, [])

  /** The fields may come now: by a script loaded for another part of the page, or a restored connection. */
  const drawMissing = useEffectEvent(() => {
    if (!drawing.current && view.phase === 'failed') redraw()
  })
  useShopEvent(paymentEvents.sdkLoaded, () => drawMissing())
  useEffect(() => {
    const online = () => drawMissing()
    addEventListener('online', online)
    return () => removeEventListener('online', online)
  }, [])
  useShopEvent(walletEvents.cartData, () => {
    // A payment is in progress: the rendered fields stay until it ends, and the next change renders again.
    if (site.current && !payment.current?.busy() && drawingKey(site.current) !== drawnFor.current) redraw()
  })

  function tryAgain(): void {
    const settings = connectedSettings() ?? site.current?.settings
    if (settings) payPalV5(settings).startOver()
    dispatch({ phase: 'loading', message: '' })
    retrying.current = true
    redraw()
  }
  // The pressed button was hidden, and lost the focus.
  useEffect(() => {
    if (!retrying.current || view.phase === 'loading') return
    retrying.current = false
    if (document.activeElement !== document.body) return
    if (view.phase === 'ready') focus(cardName ? 'name' : 'number')
    else retry.current?.focus()
  })

  const field = (name: CardField, id: string, inside?: ReactNode) => (
    <Field
      id={id}
      label={texts[name]}
      optional={name === 'name' && cardName === 'optional' ? texts.optional : undefined}
      half={name === 'expiry' || name === 'cvv'}
      place={(element) => {
        places.current[name] = element
      }}
      onLabel={() => focus(name)}
      view={view.fields[name]}
    >
      {inside}
    </Field>
  )
  return (
    <fieldset ref={root} className={cardHooks.containerClass} aria-label={texts.card} data-state={view.phase}>
      {cardName && field('name', cardHooks.nameId)}
      {field(
        'number',
        cardHooks.numberId,
        <img className="card-brand" alt="" width={36} height={24} src={view.brand} hidden={!view.brand} />,
      )}
      {field('expiry', cardHooks.expiryId)}
      {field('cvv', cardHooks.cvvId)}
      <p className="card-fields__message" role="status">
        {view.message}
      </p>
      <button
        ref={retry}
        type="button"
        className="button card-fields__retry"
        hidden={view.phase !== 'failed'}
        onClick={tryAgain}
      >
        {texts.retry}
      </button>
    </fieldset>
  )
}

type FieldProps = {
  id: string
  label: string
  /** Marks the field; others are required. */
  optional: string | undefined
  half: boolean
  place: (element: HTMLElement | null) => void
  onLabel: () => void
  view: FieldView | undefined
  children: ReactNode
}

/** The field in the frame has its own label for screen readers; pressing this one focuses the field. */
function Field({ id, label, optional, half, place, onLabel, view = {}, children }: FieldProps) {
  const { focused, valid, fault = '' } = view
  const classes = [
    focused && cardHooks.focusedClass,
    valid && cardHooks.validClass,
    fault !== '' && cardHooks.invalidClass,
  ]
  return (
    <div className={half ? `${cardHooks.fieldClass} card-field--half` : cardHooks.fieldClass}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: by keyboard the frame is reached itself. */}
      <span className="card-field__label" data-for={id} onClick={onLabel}>
        {label}{' '}
        {optional ? (
          <span className="optional">{optional}</span>
        ) : (
          <span className="required" aria-hidden="true">
            *
          </span>
        )}
      </span>
      <div id={id} ref={place} className={['card-field__frame', ...classes].filter(Boolean).join(' ')} translate="no">
        {children}
      </div>
      <CardFault fieldId={id} text={fault} />
    </div>
  )
}
