import { PaymentFailure } from '../payment-failure.ts'
import { connectedSettings } from '../payment-settings.ts'
import { payPalV5 } from '../paypal-v5.ts'
import type { CardField, CardOptions, MountedCard } from '../provider.ts'
import { lateAfterMs, slowAfterMs, within } from '../timeouts.ts'
import type { CardParts } from './card-payment.ts'
import { unavailableText } from './new-card.ts'

/** A set of the provider's card fields, from the request on. */
export type CardDrawing = {
  /** The mounted fields; undefined until they are rendered. */
  now(): MountedCard | undefined
  /** Settles within `lateAfterMs`. @throws PaymentFailure with a text for the shopper */
  readonly done: Promise<MountedCard>
  /** Removes the fields, including those that are still loading. */
  close(): void
}

/** The first two may precede one of the others: `late` counts as failed while it lasts. */
export type DrawingState = 'slow' | 'late' | 'ready' | 'failed' | 'not-offered'

/** Renders the card fields into the page's containers, with the styles and texts of the settings. */
export function drawCard(
  parts: CardParts,
  callbacks: Pick<CardOptions, 'attempt' | 'changed' | 'submitted'>,
  tell: (state: DrawingState) => void,
): CardDrawing {
  let mounted: MountedCard | undefined
  let closed = false

  const asked = payPalV5(connectedSettings() ?? parts.settings)
    .mountCard({ ...placesOf(parts), styles: parts.card.styles, ...callbacks })
    .then((given) => {
      if (closed) given?.close()
      else mounted = given ?? undefined
      return given
    })
  const slow = setTimeout(tell, slowAfterMs, 'slow')
  const late = setTimeout(tell, lateAfterMs, 'late')
  const end = (state: DrawingState) => {
    clearTimeout(slow)
    clearTimeout(late)
    tell(state)
  }
  asked.then(
    (given) => end(given ? 'ready' : 'not-offered'),
    (error: unknown) => {
      // The loader has logged its own failures.
      if (!(error instanceof PaymentFailure)) console.error('the fields for a card could not be drawn', error)
      end('failed')
    },
  )
  const failure = (cause?: unknown) =>
    Promise.reject(new PaymentFailure(unavailableText(parts.form, parts.card.i18n), { cause }))
  const done = within(lateAfterMs, asked).then((given) => given ?? failure(), failure)
  // Every caller receives the rejection; without a caller it is no unhandled rejection.
  done.catch(() => {})

  return {
    now: () => mounted,
    done,
    close() {
      closed = true
      clearTimeout(slow)
      clearTimeout(late)
      mounted?.close()
      mounted = undefined
    },
  }
}

function placesOf({ view, card }: CardParts): Pick<CardOptions, 'containers' | 'placeholders'> {
  const place = (field: CardField) => {
    const found = view.places.get(field)
    if (!found) throw new Error(`the card's ${field} has no place`)
    return found
  }
  const { nameField, numberField, expiryField, cvvField } = card.fields
  return {
    containers: {
      number: place('number'),
      expiry: place('expiry'),
      cvv: place('cvv'),
      ...(nameField ? { name: place('name') } : {}),
    },
    placeholders: {
      number: numberField.placeholder,
      expiry: expiryField.placeholder,
      cvv: cvvField.placeholder,
      ...(nameField ? { name: nameField.placeholder } : {}),
    },
  }
}
