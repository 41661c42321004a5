import type { SessionState } from '../customers/sessions/session-state.ts'
import type { QuotedPackage } from './quoted-package.ts'

/**
 * Stores a visitor's choice per package, with the rates offered then. A rate that is not offered is ignored: it can be
 * neither charged nor shipped.
 */
export function withChosenShipping(
  state: SessionState,
  chosen: Readonly<Record<string, string>>,
  packages: readonly QuotedPackage[],
): SessionState {
  const next = { ...state.chosenShipping }
  let changed = false
  let { approvedWallet } = state
  for (const { index, rates, chosen: applied } of packages) {
    const id = chosen[String(index)]
    if (id === undefined || !rates.some((rate) => rate.id === id)) continue
    const before = next[String(index)]
    const offered = rates.map((rate) => rate.id)
    if (before?.chosen === id && before.offered.join() === offered.join()) continue
    next[String(index)] = { chosen: id, offered }
    changed = true
    // A rate that applied already keeps the approved total.
    if (applied?.id !== id) approvedWallet = null
  }
  return changed ? { ...state, chosenShipping: next, approvedWallet } : state
}
