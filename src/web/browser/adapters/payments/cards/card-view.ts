import { cardHooks } from '#contract/payments/constants.ts'
import { motionMs } from '../../../runtime/motion.ts'
import type { CardField, CardFieldState } from '../provider.ts'

const slideMs = 350
const slideTo = '100px'

const ids: Readonly<Record<CardField, string>> = {
  name: cardHooks.nameId,
  number: cardHooks.numberId,
  expiry: cardHooks.expiryId,
  cvv: cardHooks.cvvId,
}

/** The places of a card's fields in the page, and what is shown at them. */
export type CardView = {
  readonly places: ReadonlyMap<CardField, HTMLElement>
  /** The field whose label was pressed. */
  labelled(label: HTMLElement): CardField | undefined
  focused(field: CardField, focused: boolean): void
  valid(field: CardField, valid: boolean): void
  /** What is wrong with a field; '' is nothing. */
  fault(field: CardField, text: string): void
  /** What is to be said of the card as a whole; '' is nothing. */
  say(text: string): void
  /** The brand's mark in the number's field; undefined: none. */
  mark(url: string | undefined): void
}

export function cardView(root: HTMLElement): CardView {
  const places = new Map<CardField, HTMLElement>()
  for (const [field, id] of Object.entries(ids)) {
    const place = root.querySelector<HTMLElement>(`#${id}`)
    // Proof of the cast: the record's own keys.
    if (place) places.set(field as CardField, place)
  }
  const toggle = (field: CardField, name: string, on: boolean) => places.get(field)?.classList.toggle(name, on)
  const said = root.querySelector('.card-fields__message')
  const brand = root.querySelector<HTMLImageElement>('.card-brand')

  return {
    places,
    labelled: (label) => [...places].find(([, { id }]) => id === label.dataset.for)?.[0],
    focused: (field, focused) => toggle(field, cardHooks.focusedClass, focused),
    valid: (field, valid) => toggle(field, cardHooks.validClass, valid),
    fault(field, text) {
      toggle(field, cardHooks.invalidClass, text !== '')
      const place = root.querySelector<HTMLElement>(`.${cardHooks.messageClass}[data-parent="${ids[field]}"]`)
      if (place) showFault(place, text)
    },
    say(text) {
      if (said && said.textContent !== text) said.textContent = text
    },
    mark(url) {
      if (!brand) return
      brand.hidden = url === undefined
      if (url) brand.src = url
    },
  }
}

function showFault(place: HTMLElement, text: string): void {
  const shown = place.querySelector(`.${cardHooks.errorClass}:not([data-going])`)
  if ((shown?.textContent ?? '') === text) return
  for (const animation of place.getAnimations()) animation.cancel()
  if (text === '') {
    shown?.setAttribute('data-going', '')
    void slide(place, [slideTo, '0px']).then(() => {
      if (shown?.hasAttribute('data-going')) shown.remove()
    })
    return
  }
  const content = document.createElement('span')
  content.className = cardHooks.errorClass
  content.textContent = text
  place.replaceChildren(content)
  if (!shown) void slide(place, ['0px', slideTo])
}

/** Settles when it has ended, however it ended; at once for somebody who wants no motion. */
async function slide(place: HTMLElement, maxHeight: [string, string]): Promise<void> {
  if (motionMs(slideMs) === 0) return
  await place.animate({ maxHeight }, { duration: slideMs, easing: 'ease-in-out' }).finished.catch(() => {})
}

/** What a field's events show: its text by the provider's code. */
export function followField(
  view: CardView,
  errorCodes: Readonly<Record<string, string>>,
  tell: (field: CardField, fault: string) => void,
) {
  return (field: CardField, event: 'change' | 'focus' | 'blur', { isEmpty, isValid }: CardFieldState): void => {
    if (event === 'focus') view.focused(field, true)
    if (event === 'change') {
      view.say('')
      view.valid(field, isValid && !isEmpty)
      if (isValid) tell(field, '')
    }
    if (event !== 'blur') return
    view.focused(field, false)
    if (isEmpty) tell(field, '')
    else if (!isValid) tell(field, errorCodes[codeOf(field)] ?? '')
  }
}

/** The provider's code for a field that does not hold. */
export const codeOf = (field: CardField) => `INVALID_${field.toUpperCase()}`

/** The field that a code is about; undefined: none, or not one. */
export function fieldOf(code: string | undefined): CardField | undefined {
  if (code === 'INELIGIBLE_CARD_VENDOR') return 'number'
  const fields = ['name', 'number', 'expiry', 'cvv'] as const
  return fields.find((field) => codeOf(field) === code)
}
