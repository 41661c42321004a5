import { describe, expect, it } from 'vitest'
import { initialWalletState, type WalletAction, walletReducer, walletView } from './wallet-state.ts'

const stateAfter = (...actions: readonly WalletAction[]) => actions.reduce(walletReducer, initialWalletState)
const chosen = { type: 'chosen', choice: { shown: true, enabled: true } } as const
const notChosen = { type: 'chosen', choice: { shown: false, enabled: true } } as const
const drawn = { type: 'drawn', drawn: ['paypal'] } as const
const failed = { type: 'drawn', drawn: 'failed' } as const
const paying = { type: 'phase', phase: 'approving' } as const

describe('the state of the wallet’s buttons', () => {
  it('asks the provider for buttons once the visitor chooses the wallet, and only once', () => {
    expect(stateAfter(notChosen)).toMatchObject({ round: 0, drawing: false })
    expect(stateAfter(notChosen, chosen)).toMatchObject({ round: 1, drawing: true })
    expect(stateAfter(chosen, notChosen, chosen).round).toBe(1)
  })

  it('keeps a place for each button until the provider has answered, and then for those it offers', () => {
    expect(stateAfter(chosen).given).toBeUndefined()
    expect(stateAfter(chosen, drawn)).toMatchObject({ given: ['paypal'], drawn: 'drawn', drawing: false })
    expect(stateAfter(chosen, { type: 'drawn', drawn: [] }).drawn).toBe('not-offered')
  })

  it('renders again what is outdated or was emptied, but not before it is needed or while it pays', () => {
    expect(stateAfter({ type: 'outdated' }).round).toBe(0)
    expect(stateAfter(chosen, { type: 'outdated' }).round).toBe(2)
    expect(stateAfter(chosen, drawn, { type: 'emptied' }).round).toBe(2)
    for (const type of ['outdated', 'emptied'] as const)
      expect(stateAfter(chosen, drawn, paying, { type }).round).toBe(1)
  })

  it('does not take empty slots for emptied ones while the provider is at work', () => {
    expect(stateAfter(chosen, { type: 'emptied' }).round).toBe(1)
    expect(stateAfter(chosen, drawn, { type: 'outdated' }, { type: 'emptied' }).round).toBe(2)
  })

  it('takes a chance only after a failure, and while no other rendering is at work', () => {
    expect(stateAfter({ type: 'chance' }).round).toBe(0)
    expect(stateAfter(chosen, { type: 'chance' }).round).toBe(1)
    expect(stateAfter(chosen, failed, { type: 'chance' })).toMatchObject({ round: 2, drawn: 'failed' })
    expect(stateAfter(chosen, failed, { type: 'chance' }, { type: 'chance' }).round).toBe(2)
  })

  it('waits anew when the shopper asks for it, and remembers that he did until the next rendering', () => {
    expect(stateAfter(chosen, failed, { type: 'retried' })).toMatchObject({ round: 2, drawn: 'waiting', retried: true })
    expect(stateAfter(chosen, failed, { type: 'retried' }, failed).retried).toBe(true)
    expect(stateAfter(chosen, failed, { type: 'retried' }, failed, { type: 'chance' }).retried).toBe(false)
  })

  it('keeps earlier buttons when a later rendering changes nothing', () => {
    const kept = { type: 'drawn', drawn: 'kept' } as const
    expect(stateAfter(chosen, drawn, { type: 'outdated' }, kept)).toMatchObject({ given: ['paypal'], drawn: 'drawn' })
  })
})

describe('what stands in the place of the wallet’s buttons', () => {
  const view = (...actions: readonly WalletAction[]) => walletView(stateAfter(...actions))

  it('F33 is a message about a slow provider, then about a missing one, then the buttons after all', () => {
    const wait = [chosen, { type: 'slow' }] as const
    expect(view(chosen)).toBe('buttons')
    expect(view(...wait)).toBe('slow')
    expect(view(...wait, { type: 'late' })).toBe('notLoaded')
    expect(view(...wait, { type: 'late' }, drawn)).toBe('buttons')
  })

  it('F33 is not called slow or late once the provider has answered, or beside earlier buttons', () => {
    expect(view(chosen, drawn, { type: 'slow' })).toBe('buttons')
    expect(view(chosen, drawn, { type: 'outdated' }, { type: 'slow' }, { type: 'late' })).toBe('buttons')
    expect(view(chosen, { type: 'slow' }, failed, { type: 'retried' })).toBe('buttons')
  })

  it('F21 is the way to complete an approved order that the shop has not received, whatever else happens', () => {
    const unfinished = { type: 'phase', phase: 'failed' } as const
    expect(view(chosen, drawn, unfinished)).toBe('unfinished')
    expect(view(chosen, failed, unfinished)).toBe('unfinished')
    expect(view(chosen, drawn, unfinished, { type: 'phase', phase: 'idle' })).toBe('buttons')
  })
})
