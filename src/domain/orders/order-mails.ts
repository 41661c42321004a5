import type { OrderStatus } from './order-status.ts'

/** Emails of order transitions. */
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

/** Rules in sending order. `from` lists the earlier statuses that cause the email. */
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

/** Returns the emails of a transition. An unchanged status sends none. */
export function mailsOfTransition(from: OrderStatus, to: OrderStatus): readonly TransitionMailKind[] {
  if (from === to) return []
  return rules.filter((rule) => rule.from.includes(from) && rule.to.includes(to)).map(({ kind }) => kind)
}
