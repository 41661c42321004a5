import { describe, expect, it } from 'vitest'
import {
  type AcceleratedEvent,
  type AcceleratedTransition,
  initialAcceleratedState,
  reduceAccelerated,
} from './accelerated-state.ts'

const moved = (...events: AcceleratedEvent[]): AcceleratedTransition =>
  events.reduce<AcceleratedTransition>(({ state }, event) => reduceAccelerated(state, event), {
    state: initialAcceleratedState,
  })
const at = (type: Exclude<AcceleratedEvent['type'], 'dropped'>, email = 'ann@example.test') =>
  ({ type, email }) as const

describe('accelerated checkout and one address', () => {
  it('FAST-03 looks an address up, then lets its owner prove it', () => {
    expect(moved(at('entered'))).toMatchObject({ state: { phase: 'looking' }, step: 'look-up' })
    expect(moved(at('entered'), at('known'))).toMatchObject({
      state: { phase: 'authenticating' },
      step: 'authenticate',
    })
    expect(moved(at('entered'), at('known'), at('succeeded')).state.phase).toBe('recognised')
  })

  it('FAST-02 the same address is not looked up again, in whatever case it is written', () => {
    for (const answers of [[], [at('unknown')], [at('known')], [at('known'), at('succeeded')]]) {
      const { step } = moved(at('entered'), ...answers, at('entered', 'ANN@example.test'))
      expect(step).toBeUndefined()
    }
  })

  it('FAST-05 an address whose owner has cancelled is remembered, also when another was there in between', () => {
    const cancelled = [at('entered'), at('known'), at('canceled')]
    expect(moved(...cancelled).state.phase).toBe('cancelled')
    const back = moved(...cancelled, at('entered', 'bob@example.test'), at('entered'))
    expect(back).toEqual({ state: expect.objectContaining({ phase: 'cancelled', email: 'ann@example.test' }) })
  })

  it('FAST-05 who presses after all is heard', () => {
    const { step } = moved(at('entered'), at('known'), at('canceled'), at('asked'))
    expect(step).toBe('look-up')
  })

  it('FAST-06 a stranger who has pressed is asked to sign up, one who was found is not', () => {
    expect(moved(at('entered'), at('unknown'))).toEqual({ state: expect.objectContaining({ phase: 'stranger' }) })
    expect(moved(at('asked'), at('unknown')).step).toBe('sign-up')
    expect(moved(at('entered'), at('asked'), at('unknown')).step).toBe('sign-up')
  })

  it('FAST-06 a stranger who presses later is asked without another look-up', () => {
    expect(moved(at('entered'), at('unknown'), at('asked'))).toMatchObject({
      state: { phase: 'stranger' },
      step: 'sign-up',
    })
    expect(moved(at('entered'), at('unknown'), at('asked'), at('joined')).state.phase).toBe('recognised')
  })

  it('FAST-04 a card that was given back stays away until somebody asks for it', () => {
    const given = [at('entered'), at('known'), at('succeeded'), { type: 'dropped' }] as const
    expect(moved(...given).state.phase).toBe('cancelled')
    expect(moved(...given, at('entered'))).toEqual({ state: expect.objectContaining({ phase: 'cancelled' }) })
    expect(moved(...given, at('asked')).step).toBe('look-up')
  })

  it('FAST-03 an answer about an address that has gone says nothing about the one that stands there now', () => {
    const { state, step } = moved(at('entered'), at('entered', 'bob@example.test'), at('known'))
    expect(state).toMatchObject({ email: 'bob@example.test', phase: 'looking' })
    expect(step).toBeUndefined()
    const late = moved(at('asked'), at('entered', 'bob@example.test'), at('unknown'))
    expect(late.step).toBeUndefined()
    expect(late.state).toMatchObject({ email: 'bob@example.test', phase: 'looking' })
    expect(reduceAccelerated(late.state, at('entered')).state.phase).toBe('stranger')
  })

  it('FAST-03 one who was recognised is recognised again when their address comes back', () => {
    const { state, step } = moved(
      at('entered'),
      at('known'),
      at('succeeded'),
      at('entered', 'bob@example.test'),
      at('unknown', 'bob@example.test'),
      at('entered'),
    )
    expect(state.phase).toBe('recognised')
    expect(step).toBeUndefined()
  })

  it('FAST-09 where a button looks up, typing does not, and brings back what is known of the address', () => {
    expect(moved(at('typed'))).toEqual({ state: expect.objectContaining({ phase: 'idle', email: 'ann@example.test' }) })
    const recognised = moved(at('asked'), at('known'), at('succeeded'), at('typed', 'bob@example.test'))
    expect(recognised.state.phase).toBe('idle')
    expect(reduceAccelerated(recognised.state, at('typed')).state.phase).toBe('recognised')
  })

  it('FAST-10 what failed may be tried again, and a failure about another address is none', () => {
    const failed = moved(at('asked'), at('failed'))
    expect(failed.state).toMatchObject({ phase: 'idle', asked: false })
    expect(reduceAccelerated(failed.state, at('entered')).step).toBe('look-up')
    expect(moved(at('entered', 'bob@example.test'), at('failed')).state.phase).toBe('looking')
  })
})
