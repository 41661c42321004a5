import type { CardField } from '../../browser/adapters/payments/provider.ts'

/** State of the page around the provider's frames. */
export type CardView = {
  readonly phase: 'loading' | 'ready' | 'failed' | 'not-offered'
  /** About the card as a whole; '' for none. */
  readonly message: string
  /** Image of the card's brand. */
  readonly brand: string | undefined
  readonly fields: Readonly<Partial<Record<CardField, FieldView>>>
}

export type FieldView = { readonly focused?: boolean; readonly valid?: boolean; readonly fault?: string }

export type CardViewEvent =
  /** The provider is slow. */
  | { readonly slow: string }
  | ({ readonly field: CardField } & FieldView)
  | Partial<Pick<CardView, 'phase' | 'message' | 'brand'>>

export const initialCardView: CardView = { phase: 'loading', message: '', brand: undefined, fields: {} }

export function reduceCardView(view: CardView, event: CardViewEvent): CardView {
  // A failure that was told stays until the fields have come after all.
  if ('slow' in event) return view.phase === 'loading' ? { ...view, message: event.slow } : view
  if (!('field' in event)) return { ...view, ...event }
  const { field, ...change } = event
  return { ...view, fields: { ...view.fields, [field]: { ...view.fields[field], ...change } } }
}
