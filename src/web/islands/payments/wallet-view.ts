import type { Funding } from '#domain/payments/funding-sources.ts'
import type { WalletPhase } from '../../browser/adapters/payments/wallet/wallet-attempt.ts'
import { allOf } from '../../browser/runtime/elements.ts'

export type WalletState = {
  /** The visitor has selected the wallet here. */
  readonly shown: boolean
  readonly drawn: 'waiting' | 'drawn' | 'failed' | 'not-offered'
  /** The buttons that the provider rendered; undefined before the request. */
  readonly given: readonly Funding[] | undefined
  /** No button yet, for so long that a message is due. */
  readonly slow: boolean
  readonly phase: WalletPhase
}

export const initialWalletState: WalletState = {
  shown: true,
  drawn: 'waiting',
  given: undefined,
  slow: false,
  phase: 'idle',
}

/**
 * Finds the parts of the server's markup. @returns a function that shows a state in them; @throws when one is missing
 */
export function walletView(wallet: HTMLElement): (state: WalletState) => void {
  const buttons = walletPart(wallet, 'buttons')
  const slots = allOf('[data-funding]', buttons)
  const message = walletPart(wallet, 'message')
  const finish = walletPart(wallet, 'finish')
  const ways = walletPart(wallet, 'ways')
  const retry = walletPart(wallet, 'retry')
  const redirects = ways.querySelector('.wc-ppcp-wallet__redirect') !== null

  return ({ shown, drawn, given, slow, phase }) => {
    const unfinished = phase === 'failed'
    const notLoaded = drawn === 'failed'
    wallet.dataset.phase = phase
    wallet.hidden = !shown || drawn === 'not-offered'
    const late = drawn === 'waiting' && slow
    // The alternative takes the space of the buttons: beside them it would shift the page twice.
    buttons.hidden = unfinished || notLoaded || (late && redirects)
    for (const slot of slots) slot.hidden = given?.every((one) => one !== slot.dataset.funding) ?? false
    finish.hidden = !unfinished
    ways.hidden = unfinished || !(notLoaded || (late && redirects))
    retry.hidden = !notLoaded
    const says = message.dataset
    const text = (unfinished ? says.approved : notLoaded ? says.notLoaded : late ? says.slow : '') ?? ''
    // Writing the same text would announce it again.
    if (message.textContent !== text) message.textContent = text
  }
}

export function walletPart(wallet: HTMLElement, name: string): HTMLElement {
  const part = wallet.querySelector<HTMLElement>(`.wc-ppcp-wallet__${name}`)
  if (!part) throw new Error(`the wallet's place has no ${name}`)
  return part
}
