import { describe, expect, it } from 'vitest'
import { isNearIdentical, likeness } from './near-identical.ts'

const long = 'Thrown by hand in a small workshop by the sea, and glazed in four colours of sand and water.'

describe('texts that are nearly the same', () => {
  it('are counted by the pairs of signs that they share', () => {
    // ni ig gh ht and na ac ch ht: one of eight, twice.
    expect(likeness('night', 'nacht')).toBe(0.25)
    expect(likeness('aaaa', 'aa')).toBe(0.5)
    expect([likeness('same', 'same'), likeness('', ''), likeness('a', 'b')]).toEqual([1, 1, 0])
  })

  it.each([
    [long, long.replace('sea,', 'sea'), true],
    [long, long.replace('Thrown', 'Thorwn'), true],
    [long, long.replace('four colours of sand', 'one colour of clay'), false],
    ['A cup.', 'A cup', false],
    [`${long} 24 cm`, `${long} 26 cm`, false],
    [`${long} 3 pieces`, `${long} 4 pieces`, false],
    [`${long} %1$s`, `${long} %2$s`, false],
    [`${long} https://a.example/x`, `${long} https://a.example/y`, false],
    [`${long} <b>so</b>`, `${long} <i>so</i>`, false],
    [long, `${long} ${long}`, false],
  ])('%s and %s: %s', (one, other, same) => {
    expect(isNearIdentical(one, other)).toBe(same)
    expect(isNearIdentical(other, one)).toBe(same)
  })
})
