import { describe, expect, it } from 'vitest'
import type { LoadClass } from '../../calls/shared/define-call.ts'
import { createLoadLimiter, maxWaitMsByClass } from './load-limiter.ts'

const classes: readonly LoadClass[] = [
  'statistics',
  'translation',
  'anonymous-page',
  'personal-page',
  'cart',
  'checkout',
]

function aLimiter() {
  let now = 0
  let delay = 0
  let outside = 0
  const limiter = createLoadLimiter({ pulse: { nowMs: () => now, takeDelayMs: () => delay }, outside: () => outside })
  return {
    ...limiter,
    admitted: () => classes.filter((one) => limiter.admits(one)),
    after: (ms: number) => {
      now += ms
    },
    lateBy: (ms: number) => {
      delay = ms
    },
    waitingOutside: (calls: number) => {
      outside = calls
    },
    arrive: (count: number) => {
      for (let nr = 0; nr < count; nr += 1) limiter.begin()
    },
    leave: (count: number) => {
      for (let nr = 0; nr < count; nr += 1) limiter.end()
    },
  }
}

/** Simulates full load: that many requests finish per second, and others replace them at once. */
function atItsLimit(limiter: ReturnType<typeof aLimiter>, perSecond: number, windows = 12): void {
  for (let nr = 0; nr < windows; nr += 1) {
    for (let done = 0; done < perSecond; done += 1) {
      limiter.begin()
      limiter.end()
    }
    limiter.after(1_000)
    limiter.expectedWaitMs()
  }
}

describe('who is let in', () => {
  it('P9 everybody, as long as no more are at work than ever are, whatever they wait for', () => {
    const limiter = aLimiter()
    limiter.arrive(24)
    limiter.lateBy(10_000)
    limiter.after(60_000)
    expect(limiter.admitted()).toEqual(classes)
    expect(limiter.expectedWaitMs()).toBe(0)
  })

  it('P9 F37 turns away from the bottom, by how long who comes now would wait', () => {
    const limiter = aLimiter()
    limiter.arrive(40)
    atItsLimit(limiter, 400)
    const kinds: [number, LoadClass[]][] = []
    for (const more of [0, 25, 20, 40, 80, 120, 1_700]) {
      limiter.arrive(more)
      kinds.push([Math.round(limiter.expectedWaitMs() / 10) * 10, limiter.admitted()])
    }
    expect(kinds).toEqual([
      [100, classes],
      [160, classes.slice(1)],
      [210, classes.slice(2)],
      [310, classes.slice(3)],
      [510, classes.slice(4)],
      [810, classes.slice(5)],
      [5_060, []],
    ])
  })

  it('P9 a slower machine is full earlier: the same crowd waits longer there', () => {
    const limiter = aLimiter()
    limiter.arrive(60)
    atItsLimit(limiter, 50)
    expect(Math.round(limiter.expectedWaitMs())).toBeGreaterThan(1_100)
    expect(limiter.admitted()).toEqual(['checkout'])
  })

  it('P9 lets a class in again only when there is clearly less to do', () => {
    const limiter = aLimiter()
    limiter.arrive(110)
    expect(limiter.admits('anonymous-page')).toBe(false)
    limiter.leave(36)
    expect(limiter.expectedWaitMs()).toBeLessThan(maxWaitMsByClass['anonymous-page'])
    expect(limiter.admits('anonymous-page')).toBe(false)
    limiter.leave(20)
    expect(limiter.admits('anonymous-page')).toBe(true)
    limiter.arrive(20)
    expect(limiter.admits('anonymous-page')).toBe(true)
  })

  it('P9 who waits for the payment provider keeps nobody out', () => {
    const limiter = aLimiter()
    limiter.arrive(600)
    expect(limiter.admitted()).toEqual(['checkout'])
    limiter.waitingOutside(580)
    expect(limiter.admitted()).toEqual(classes)
  })

  it('P9 F37 an event loop that comes late makes the wait longer', () => {
    const limiter = aLimiter()
    limiter.arrive(40)
    expect(limiter.admitted()).toEqual(classes)
    limiter.lateBy(600)
    atItsLimit(limiter, 400, 1)
    expect(limiter.admitted()).toEqual(['cart', 'checkout'])
  })

  it('P9 a database that answers nobody shuts the doors for newcomers, until it does', () => {
    const limiter = aLimiter()
    limiter.arrive(30)
    for (let nr = 0; nr < 8; nr += 1) {
      limiter.after(1_000)
      limiter.expectedWaitMs()
    }
    expect(limiter.admitted()).toEqual(['checkout'])
    limiter.leave(30)
    limiter.after(1_000)
    expect(limiter.admitted()).toEqual(classes)
  })

  it('P9 everything is as before one look after the peak', () => {
    const limiter = aLimiter()
    limiter.arrive(60)
    atItsLimit(limiter, 20)
    expect(limiter.admitted()).toEqual(['checkout'])
    limiter.leave(60)
    expect(limiter.admitted()).toEqual(classes)
    // A later peak is measured anew, without the earlier rate.
    for (let nr = 0; nr < 2; nr += 1) {
      limiter.after(1_000)
      limiter.expectedWaitMs()
    }
    limiter.arrive(40)
    expect(limiter.admitted()).toEqual(classes)
  })
})
