import type { Funding } from '#domain/payments/funding-sources.ts'
import type { Drawn } from '../../browser/adapters/payments/wallet/page-wallet.ts'
import type { WalletPhase } from '../../browser/adapters/payments/wallet/wallet-attempt.ts'
import type { ButtonChoice } from '../../browser/adapters/payments/wallet/wallet-page.ts'

export type WalletState = {
  /** A new object at every report of the page. */
  readonly choice: ButtonChoice
  /** Number of the requested rendering. 0: a visitor who pays otherwise does not load the provider's script. */
  readonly round: number
  /** The provider has not answered the current round yet. */
  readonly drawing: boolean
  readonly drawn: 'waiting' | 'drawn' | 'failed' | 'not-offered'
  /** The buttons that the provider rendered; undefined before its first answer. */
  readonly given: readonly Funding[] | undefined
  /** No button yet, for so long that a message is due. */
  readonly slow: boolean
  /** The shopper asked for the current round. */
  readonly retried: boolean
  readonly phase: WalletPhase
}

export type WalletAction =
  | { readonly type: 'chosen'; readonly choice: ButtonChoice }
  | { readonly type: 'outdated' | 'emptied' | 'chance' | 'retried' | 'slow' | 'late' }
  | { readonly type: 'drawn'; readonly drawn: Drawn }
  | { readonly type: 'phase'; readonly phase: WalletPhase }

export const initialWalletState: WalletState = {
  choice: { shown: true, enabled: false },
  round: 0,
  drawing: false,
  drawn: 'waiting',
  given: undefined,
  slow: false,
  retried: false,
  phase: 'idle',
}

export function walletReducer(state: WalletState, action: WalletAction): WalletState {
  const { round, drawing, drawn, phase } = state
  switch (action.type) {
    case 'chosen': {
      const next = { ...state, choice: action.choice }
      return round === 0 && action.choice.shown ? drawAgain(next) : next
    }
    // The buttons need another look or behaviour. Those of a payment in progress stay, and the next change renders again.
    case 'outdated':
      return round > 0 && phase === 'idle' ? drawAgain(state) : state
    // Another script has emptied the container of a button.
    case 'emptied':
      return drawn === 'drawn' && !drawing && phase === 'idle' ? drawAgain(state) : state
    // The connection is back, or another part of the page has loaded the provider's script.
    case 'chance':
      return drawn === 'failed' && !drawing ? drawAgain(state) : state
    case 'retried':
      return { ...drawAgain(state), drawn: 'waiting', retried: true }
    case 'slow':
      return drawing ? { ...state, slow: true } : state
    // The shopper has waited long enough. The page still waits for the provider.
    case 'late':
      return drawing && state.given === undefined ? { ...state, drawn: 'failed' } : state
    case 'drawn': {
      const given = action.drawn
      const settled = { ...state, drawing: false, slow: false }
      if (given === 'kept') return settled
      if (given === 'failed') return { ...settled, drawn: 'failed' }
      return { ...settled, given, drawn: given.length > 0 ? 'drawn' : 'not-offered' }
    }
    case 'phase':
      return { ...state, phase: action.phase }
  }
}

function drawAgain(state: WalletState): WalletState {
  return { ...state, round: state.round + 1, drawing: true, retried: false }
}

/** The buttons, or the message in their place. */
export function walletView({ drawn, slow, phase }: WalletState): 'buttons' | 'slow' | 'notLoaded' | 'unfinished' {
  if (phase === 'failed') return 'unfinished'
  if (drawn === 'failed') return 'notLoaded'
  return drawn === 'waiting' && slow ? 'slow' : 'buttons'
}
