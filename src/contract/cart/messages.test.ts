import { describe, expect, it } from 'vitest'
import { piecesIn } from './messages.ts'

describe('§1.4: the pieces of an add', () => {
  it.each([
    [undefined, 1],
    ['', 1],
    ['  ', 1],
    ['3', 3],
    [' 3 ', 3],
    ['+3', 3],
    ['2.9', 2],
    ['1e1', 10],
    ['1E3', 1000],
    ['1.5e+1', 15],
  ])('%j are %i, as a number field means them', (text, pieces) => expect(piecesIn(text)).toBe(pieces))

  it.each([
    '0',
    '-3',
    '1,5',
    '1.000,5',
    '0x10',
    '1e',
    'e1',
    '1e-1',
    '1e400',
    '9'.repeat(20),
    '3 pieces',
    '१२',
    'NaN',
    '.',
  ])('%j are none, and no other number', (text) => expect(piecesIn(text)).toBe(0))
})
