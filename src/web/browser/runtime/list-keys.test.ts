import { describe, expect, it } from 'vitest'
import { type KeyedList, type ListStep, listKeys } from './list-keys.ts'

const words = ['Apple', 'Banana', 'Blackberry', 'Cherry', 'Blueberry']

/** A list that follows its keys. @returns what each key means */
function pressed(
  names: readonly (string | [name: string, at: number])[],
  list: Partial<KeyedList> = {},
): (ListStep | undefined)[] {
  const keys = listKeys()
  let { active = -1 } = list
  return names.map((name, place) => {
    const [spelled, timeStamp] = typeof name === 'string' ? [name, place * 1000] : name
    const [key = '', altKey] = spelled.startsWith('Alt+') ? [spelled.slice(4), true] : [spelled, false]
    // Proof of the cast: what is read of a key.
    const event = { key, altKey, timeStamp, ctrlKey: false, metaKey: false, isComposing: false } as KeyboardEvent
    const step = keys(event, { count: words.length, wordsOf: (at) => [words[at] ?? ''], ...list, active })
    if (typeof step === 'number') active = step
    return step
  })
}

describe('the keys of a list', () => {
  it('CUR-06 SEL-01 arrows go by one and stop at both ends, Home and End go there', () => {
    expect(pressed(['ArrowUp', 'ArrowDown', 'End', 'ArrowDown', 'ArrowUp', 'Home', 'ArrowUp'])).toEqual([
      0, 1, 4, 4, 3, 0, 0,
    ])
  })

  it('arrows of a field that takes part go through it at both ends', () => {
    const field = { hasField: true, passesField: true }
    expect(pressed(['ArrowDown', 'ArrowUp', 'ArrowUp', 'ArrowDown', 'ArrowDown'], field)).toEqual([0, -1, 4, -1, 0])
    expect(pressed(['Home', 'End'], field)).toEqual([undefined, undefined])
  })

  it('CUR-06 letters go to what begins with them; one letter again and again to the next', () => {
    expect(
      pressed([
        ['b', 0],
        ['b', 100],
        ['b', 200],
        ['b', 300],
      ]),
    ).toEqual([1, 2, 4, 1])
    expect(
      pressed([
        ['b', 0],
        ['l', 100],
        ['u', 200],
        ['b', 1000],
        ['x', 1100],
      ]),
    ).toEqual([1, 2, 4, 1, undefined])
  })

  it('the rest chooses, closes, leaves, or belongs to the browser', () => {
    expect(pressed(['Enter', 'Escape', 'Alt+ArrowUp', 'Tab', ' ', 'F5', 'PageDown'])).toEqual([
      'choose',
      'close',
      'close',
      'leave',
      undefined,
      undefined,
      undefined,
    ])
  })
})
