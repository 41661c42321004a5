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

/** The containers of the card fields, and their display state. */
export type CardView = {
  readonly places: ReadonlyMap<CardField, HTMLElement>
  /** The field whose label was pressed. */
  labelled(label: HTMLElement): CardField | undefined
  focused(field: CardField, focused: boolean): void
  valid(field: CardField, valid: boolean): void
  /** The error of a field; '' clears it. */
  fault(field: CardField, text: string): void
  /** The message about the card as a whole; '' clears it. */
  say(text: string): void
  /** The brand's logo in the number field; undefined removes it. */
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

/** Settles when the animation has ended in any way; at once with reduced motion. */
async function slide(place: HTMLElement, maxHeight: [string, string]): Promise<void> {
  if (motionMs(slideMs) === 0) return
  await place.animate({ maxHeight }, { duration: slideMs, easing: 'ease-in-out' }).finished.catch(() => {})
}

/** Shows the state of a field by its events; texts by the provider's code. */
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

/** Returns the provider's error code for an invalid field. */
export const codeOf = (field: CardField) => `INVALID_${field.toUpperCase()}`

/** Returns the field of an error code; undefined for another code, or for several fields. */
export function fieldOf(code: string | undefined): CardField | undefined {
  if (code === 'INELIGIBLE_CARD_VENDOR') return 'number'
  const fields = ['name', 'number', 'expiry', 'cvv'] as const
  return fields.find((field) => codeOf(field) === code)
}
