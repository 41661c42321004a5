import type { SessionState } from '../customers/sessions/session-state.ts'
import type { QuotedPackage } from './quoted-package.ts'

/**
 * Remembers what a visitor chose for each package, with what was on offer. A rate that is not on offer is not remembered,
 * so that nothing a visitor makes up can be charged or shipped.
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
    // The rate that applied anyway, chosen or not, leaves the total that was approved as it is.
    if (applied?.id !== id) approvedWallet = null
  }
  return changed ? { ...state, chosenShipping: next, approvedWallet } : state
}
