import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvLine } from '#contract/shared/csv-line.ts'
import { quoteMender } from './mend-quotes.ts'

function mended(text: string, pieces: readonly number[] = []): string {
  const mender = quoteMender(',')
  let result = ''
  let at = 0
  for (const length of pieces) {
    result += mender.push(text.slice(at, at + length))
    at += length
  }
  return result + mender.push(text.slice(at)) + mender.end()
}

describe('quotation marks', () => {
  it.each([
    ['A,"Pipe 5" long",1\n', 'A,"Pipe 5"" long",1\n'],
    ['A,"He said "no", so",1\n', 'A,"He said ""no", so",1\n'],
    ['A,Pipe 5",1\n', 'A,Pipe 5",1\n'],
    ['A,"5\\" nail",1\n', 'A,"5\\"" nail",1\n'],
    ['"A","",1\n', '"A","",1\n'],
    ['"A ""b"""', '"A ""b"""'],
  ])('of %j become %j', (text, wanted) => {
    expect(mended(text)).toBe(wanted)
  })

  it('of a correct file stay as they are, wherever the text is cut', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', ' ', '5') })
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 4 })), fc.array(fc.nat(7)), (rows, pieces) => {
        const text = rows.map((cells) => `${csvLine(cells)}\n`).join('')
        expect(mended(text, pieces)).toBe(text)
      }),
    )
  })

  it('are mended alike wherever the text is cut, and leave what the parser takes', () => {
    const text = 'A,"Pipe 5" long","x""y"\n"b" c,"d, "e" f",g"\n'
    fc.assert(
      fc.property(fc.array(fc.nat(5)), (pieces) => {
        expect(mended(text, pieces)).toBe(mended(text))
      }),
    )
    expect(parse('A,"Pipe 5"" long",1\n')).toEqual([['A', 'Pipe 5" long', '1']])
  })
})
