import { PaymentFailure } from '../payment-failure.ts'
import { connectedSettings } from '../payment-settings.ts'
import { payPalV5 } from '../paypal-v5.ts'
import type { CardField, CardOptions, MountedCard } from '../provider.ts'
import { lateAfterMs, slowAfterMs, within } from '../timeouts.ts'
import type { CardSite } from './card-site.ts'
import { unavailableText } from './new-card.ts'

/** A set of the provider's card fields, from the request on. */
export type CardDrawing = {
  /** The mounted fields; undefined until they are rendered. */
  now(): MountedCard | undefined
  /** Settles within `lateAfterMs`. @throws PaymentFailure with a text for the shopper */
  readonly done: Promise<MountedCard>
  /** Removes the fields, including those that are still loading; nothing is told any more. */
  close(): void
}

type Callbacks = Pick<CardOptions, 'attempt' | 'changed' | 'submitted'> & {
  /** The first two may precede one of the others: `late` counts as failed while it lasts. */
  tell(phase: 'slow' | 'late' | 'ready' | 'failed' | 'not-offered'): void
}

/** Renders the card fields into the page's containers, with the styles and texts of the settings. */
export function drawCard(
  { form, settings, card }: CardSite,
  places: Readonly<Partial<Record<CardField, HTMLElement | null>>>,
  { tell, ...callbacks }: Callbacks,
): CardDrawing {
  const { number, expiry, cvv, name } = places
  if (!number || !expiry || !cvv) throw new Error('a field of the card has no place')
  const { nameField, numberField, expiryField, cvvField } = card.fields
  const named = name && nameField

  let mounted: MountedCard | undefined
  let closed = false
  const asked = payPalV5(connectedSettings() ?? settings)
    .mountCard({
      containers: { number, expiry, cvv, ...(named ? { name } : {}) },
      placeholders: {
        number: numberField.placeholder,
        expiry: expiryField.placeholder,
        cvv: cvvField.placeholder,
        ...(named ? { name: nameField.placeholder } : {}),
      },
      styles: card.styles,
      ...callbacks,
    })
    .then((given) => {
      if (closed) given?.close()
      else mounted = given ?? undefined
      return given
    })
  const timers = [setTimeout(tell, slowAfterMs, 'slow'), setTimeout(tell, lateAfterMs, 'late')]
  const stopTimers = () => timers.forEach(clearTimeout)
  const end = (phase: 'ready' | 'failed' | 'not-offered') => {
    stopTimers()
    if (!closed) tell(phase)
  }
  asked.then(
    (given) => end(given ? 'ready' : 'not-offered'),
    (error: unknown) => {
      // The loader has logged its own failures.
      if (!(error instanceof PaymentFailure)) console.error('the fields for a card could not be drawn', error)
      end('failed')
    },
  )
  const failure = (cause?: unknown) => Promise.reject(new PaymentFailure(unavailableText(form, card.i18n), { cause }))
  const done = within(lateAfterMs, asked).then((given) => given ?? failure(), failure)
  // Every caller receives the rejection; without a caller it is no unhandled rejection.
  done.catch(() => {})

  return {
    now: () => mounted,
    done,
    close() {
      closed = true
      stopTimers()
      mounted?.close()
      mounted = undefined
    },
  }
}
