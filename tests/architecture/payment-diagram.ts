import { paymentTransitions } from '#domain/payments/payment-state.ts'

/** The diagram of all states and moves of a payment, in the notation that code hosts draw. */
export function paymentDiagram(): string {
  const name = (state: string) => state.replaceAll('-', '_')
  const moves = Object.entries(paymentTransitions).flatMap(([from, targets]) =>
    targets.length === 0 ? [`  ${name(from)} --> [*]`] : targets.map((to) => `  ${name(from)} --> ${name(to)}`),
  )
  return ['stateDiagram-v2', '  [*] --> none', ...moves].join('\n')
}
