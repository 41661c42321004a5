import { describe, expect, it } from 'vitest'
import { invariants, methods, namedLater, promises, threats } from './promises.ts'
import { byName, idsIn, titlesOfAll } from './titles.ts'

const named = byName(titlesOfAll(), idsIn)
const known = { ...promises, ...invariants, ...threats, ...methods }

describe('what the shop promises', () => {
  it('is read from titles, not from data', () => {
    expect(idsIn('T16 P3 a sort order is never SQL')).toEqual(['T16', 'P3'])
    expect(idsIn('P1')).toEqual([])
    expect(idsIn('M2 5LD')).toEqual([])
  })

  it.each([
    ['promise', promises],
    ['invariant', invariants],
    ['threat', threats],
    ['method', methods],
  ])('has a test for every %s, or a reason why not yet', (_, table) => {
    expect(Object.keys(table).filter((id) => !named.has(id) && !(id in namedLater))).toEqual([])
  })

  it('names nothing that does not exist, and puts off nothing that is there', () => {
    expect([...named].filter(([id]) => !(id in known))).toEqual([])
    expect(Object.keys(namedLater).filter((id) => !(id in known))).toEqual([])
    expect(Object.keys(methods).filter((id) => methods[id]?.change === 'later' && named.has(id))).toEqual([])
  })
})
