export type Violation = { readonly rule: string; readonly orderId: number | null; readonly what: string }

/** What happened how often, and what must not have. */
export class Tally {
  readonly counts = new Map<string, number>()
  readonly violations: Violation[] = []

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1)
  }

  violated(rule: string, orderId: number | null, what: string): void {
    this.violations.push({ rule, orderId, what })
  }
}
