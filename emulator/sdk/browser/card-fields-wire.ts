import type { CardBrand, Verdict } from './card-frame-rules.ts'

/** What the page's script and the frames of a card's fields say to each other. A card's digits are never among it. */

export const CARD_FIELDS = ['name', 'number', 'expiry', 'cvv'] as const
export type CardFieldName = (typeof CARD_FIELDS)[number]

/** Declarations by selector; a media query holds selectors of its own. */
export type CardStyle = { [selector: string]: string | CardStyle }

export type CardFieldSetUp = {
  style: CardStyle
  placeholder?: string
  minLength?: number
  maxLength?: number
  /** Types of brands that are not taken here. */
  refusedBrands: readonly string[]
  /** How many digits the code of the card has, by the brands it may be of. */
  codeSizes: readonly number[]
}

/** How one field stands. */
export type CardFieldReport = Verdict & {
  isFocused: boolean
  /** Of the number: the brands it may be of. */
  cards?: CardBrand[]
  /** Of the number: its brand is not taken here. */
  refused?: boolean
}

export type CardFieldEvent = 'change' | 'focus' | 'blur' | 'submit'

export type CardFieldOrder =
  | { do: 'addClass' | 'removeClass'; name: string }
  | { do: 'setAttribute'; name: string; value: string }
  | { do: 'removeAttribute'; name: string }
  | { do: 'setMessage'; text: string }
  | { do: 'clear' | 'focus' }

/** Asked of the number's frame, which reads its neighbours: they are of one origin. */
export type CardConfirmation = {
  target: { kind: 'order' | 'setup-token'; id: string }
  name?: string
  billingAddress?: Record<string, string>
}

/** `actionUrl`: the bank wants to see the buyer there first. */
export type CardConfirmed = { actionUrl?: string; liabilityShift?: string }
