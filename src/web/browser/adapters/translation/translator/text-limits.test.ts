import { describe, expect, it } from 'vitest'
import type { FoundText } from './found-text.ts'
import { textLimits } from './text-limits.ts'
import { templateOf, withFigures } from './text-templates.ts'

/** A minimal node that reports whether it is in the page. */
const aNode = () => ({ isConnected: true }) as { isConnected: boolean } & Element
const foundIn = (place: Node, node: Node, text = 'Ida has ordered') => ({ text, place, node }) as FoundText

describe('a translation with the figures of another text', () => {
  it.each([
    ['Noch 09 Sekunden', '09 seconds', '8 seconds', 'Noch 8 Sekunden'],
    ['Von 24 sind 3 da', '3 of 24', '5 of 30', 'Von 30 sind 5 da'],
    ['5 von 5', '5 of 5', '4 of 5', '4 von 5'],
    ['Gleich', '09 seconds', '8 seconds', ''],
    ['9 Sekunden', '09 seconds', '8 seconds', ''],
    ['3 von 24, ab 1', '3 of 24', '5 of 30', ''],
    ['$& 1', '1 thing', '2 things', '$& 2'],
    ['بقيت ٩ ثوان', '٩ seconds', '٨ seconds', 'بقيت ٨ ثوان'],
  ])('%s, of %s, is for %s "%s"', (translated, of, text, made) => {
    expect(withFigures(translated, of, text)).toBe(made)
  })

  it('is one of the same template', () => {
    expect(templateOf('Sale ends in 09:59')).toBe(templateOf('Sale ends in 9:00'))
    expect(templateOf('9 left')).not.toBe(templateOf('9 right'))
  })
})

describe('texts of which nothing is known', () => {
  it('TRN-01 rest longer each time that one place says another, up to five minutes', () => {
    let now = 0
    const limits = textLimits(100, () => now)
    const place = aNode()
    const rests: number[] = []
    for (let time = 0; time < 12; time += 1) {
      const node = aNode()
      limits.count(foundIn(place, node), false)
      node.isConnected = false
      const due = limits.dueAt('Ben has ordered', [foundIn(place, node)], false)
      rests.push(due - now)
      now = Math.max(now, due)
    }
    expect(rests.slice(0, 4)).toEqual([0, 1000, 2000, 4000])
    expect(rests.at(-1)).toBe(300_000)
  })

  it('TRN-01 do not hold up a list that grows', () => {
    const limits = textLimits(100, () => 1_000_000)
    const place = aNode()
    for (let entry = 0; entry < 50; entry += 1) limits.count(foundIn(place, aNode(), `Entry ${entry}`), false)
    expect(limits.dueAt('Entry of many', [foundIn(place, aNode())], false)).toBe(0)
  })

  it('TRN-01 of one template wait for the first, and then longer each time', () => {
    let now = 0
    const limits = textLimits(100, () => now)
    const later = [foundIn(aNode(), aNode())]
    limits.ask(['9 left'])
    expect([limits.isAsked('8 left'), limits.isAsked('8 right')]).toEqual([true, false])
    expect(limits.dueAt('8 left', later, true)).toBe(Number.POSITIVE_INFINITY)
    limits.answer(['9 left'], new Map([['9 left', { translated: '' }]]))
    expect(limits.dueAt('8 left', later, true)).toBe(5000)
    now = 5000
    limits.answer(['8 left'], new Map())
    expect(limits.dueAt('7 left', later, true)).toBe(15_000)
    // Texts found before the limits loaded are requested with the first.
    expect(limits.dueAt('6 left', later, false)).toBe(0)
  })
})

describe('the limit of duplicates', () => {
  it('TRN-06 counts a text that replaces itself, and handles it twice more than is allowed', () => {
    const limits = textLimits(3, () => 0)
    const place = aNode()
    for (let time = 1; time <= 5; time += 1) {
      const node = aNode()
      expect(limits.isTooOften(foundIn(place, node))).toBe(false)
      limits.count(foundIn(place, node), true)
      node.isConnected = false
    }
    expect(limits.isTooOften(foundIn(place, aNode()))).toBe(true)
    expect(limits.isTooOften(foundIn(aNode(), aNode()))).toBe(false)
    expect(limits.isTooOften(foundIn(place, aNode(), 'Another'))).toBe(false)
  })
})
