import { describe, expect, it } from 'vitest'
import { clampScroll, headerState, nextReveal, shrunkBy } from './header-state.ts'

describe('the header at a place of the page', () => {
  it('THEME-01 is static before it would leave, fixed at start where it would, stuck beyond', () => {
    expect([0, 39, 40, 41, 4000].map((y) => headerState(y, 40))).toEqual([
      'static',
      'static',
      'at-start',
      'stuck',
      'stuck',
    ])
  })

  it('THEME-01 does not take a page that is pulled beyond its ends for one that is scrolled', () => {
    expect([-80, 0, 500, 1600].map((y) => clampScroll(y, 2000, 800))).toEqual([0, 0, 500, 1200])
    expect(clampScroll(30, 400, 800)).toBe(0)
  })

  /** Visibility for a visitor who scrolls from position to position. */
  const hidden = (places: readonly number[]) => {
    let state = { hidden: false, turn: 0 }
    return places.map((y) => {
      state = nextReveal(state, y, 100)
      return state.hidden
    })
  }

  it('THEME-01 leaves on the way down and comes on the way up, not before it has been left', () => {
    expect(hidden([50, 100, 200, 300, 200, 300])).toEqual([false, false, true, true, false, true])
    expect(hidden([900, 60])).toEqual([true, false])
  })

  it('THEME-01 takes less than five pixels for no direction, wherever they begin', () => {
    expect(hidden([300, 296, 300, 297])).toEqual([true, true, true, true])
    expect(hidden([300, 200, 203, 200, 204, 209])).toEqual([true, false, false, false, false, true])
  })

  it('THEME-01 becomes lower as the page leaves its start, down to the height that is set', () => {
    expect([0, 40, 45, 60, 900].map((y) => shrunkBy(20, y, 40))).toEqual([0, 0, 5, 20, 20])
  })
})
