import type { CardParts } from './card-payment.ts'
import { PaymentFailure } from './payment-failure.ts'
import { connectedSettings } from './payment-page.ts'
import { payPalV5 } from './paypal-v5.ts'
import type { CardField, CardOptions, MountedCard } from './provider.ts'

/** One set of the provider's fields, from the moment that it is asked for. */
export type CardDrawing = {
  /** The fields, once they stand there. */
  now(): MountedCard | undefined
  /** @throws PaymentFailure with words for the shopper */
  readonly done: Promise<MountedCard>
  readonly outcome: Promise<Outcome>
  /** Takes the fields away, those too that are still to come. */
  close(): void
}

type Outcome = 'ready' | 'failed' | 'not-offered'

/** Draws the fields for a card into the places of the page, with the looks and texts of its settings. */
export function drawCard(
  parts: CardParts,
  callbacks: Pick<CardOptions, 'attempt' | 'changed' | 'submitted'>,
): CardDrawing {
  let mounted: MountedCard | undefined
  let closed = false
  const { unavailable } = parts.card.i18n

  const asked = payPalV5(connectedSettings() ?? parts.settings)
    .mountCard({ ...placesOf(parts), styles: parts.card.styles, ...callbacks })
    .then((given) => {
      if (closed) given?.close()
      else mounted = given ?? undefined
      return given
    })
  const outcome = asked.then<Outcome, Outcome>(
    (given) => (given ? 'ready' : 'not-offered'),
    (error: unknown) => {
      // The loader has logged its own failures.
      if (!(error instanceof PaymentFailure)) console.error('the fields for a card could not be drawn', error)
      return 'failed'
    },
  )
  const done = asked.then(
    (given) => given ?? Promise.reject(new PaymentFailure(unavailable)),
    (cause: unknown) => Promise.reject(new PaymentFailure(unavailable, { cause })),
  )
  // Whoever waits for it hears of it; nobody may.
  done.catch(() => {})

  return {
    now: () => mounted,
    done,
    outcome,
    close() {
      closed = true
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
