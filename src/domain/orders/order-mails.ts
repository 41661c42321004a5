import type { OrderStatus } from './order-status.ts'

/** The messages that a change of an order's status causes. */
export const transitionMailKinds = [
  'new_order',
  'cancelled_order',
  'failed_order',
  'customer_on_hold_order',
  'customer_processing_order',
  'customer_completed_order',
  'customer_failed_order',
  'customer_cancelled_order',
] as const
export type TransitionMailKind = (typeof transitionMailKinds)[number]

type Rule = {
  readonly kind: TransitionMailKind
  readonly from: readonly OrderStatus[]
  readonly to: readonly OrderStatus[]
}

const unsettled = ['pending', 'failed', 'cancelled'] as const

/** In the order in which they are written. `from` says which earlier states make it news. */
const rules: readonly Rule[] = [
  { kind: 'customer_on_hold_order', from: unsettled, to: ['on-hold'] },
  { kind: 'customer_processing_order', from: [...unsettled, 'on-hold'], to: ['processing'] },
  { kind: 'customer_completed_order', from: [...unsettled, 'on-hold', 'processing'], to: ['completed'] },
  { kind: 'customer_failed_order', from: ['pending', 'on-hold', 'processing'], to: ['failed'] },
  { kind: 'customer_cancelled_order', from: ['processing', 'on-hold'], to: ['cancelled'] },
  { kind: 'new_order', from: unsettled, to: ['processing', 'completed', 'on-hold'] },
  { kind: 'cancelled_order', from: ['processing', 'on-hold', 'pending'], to: ['cancelled'] },
  { kind: 'failed_order', from: ['pending', 'on-hold'], to: ['failed'] },
]

/** Who is written to, and about what, when an order goes from one status to another. An order that stays is no news. */
export function mailsOfTransition(from: OrderStatus, to: OrderStatus): readonly TransitionMailKind[] {
  if (from === to) return []
  return rules.filter((rule) => rule.from.includes(from) && rule.to.includes(to)).map(({ kind }) => kind)
}
