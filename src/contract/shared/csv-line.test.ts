import { describe, expect, it } from 'vitest'
import { csvLine } from './csv-line.ts'

describe('a line of a CSV file', () => {
  it.each(['=1+1', '+1', '-1', '@sum(a1)', '\t=1', '\r=1', '=cmd|" /c calc"!a0'])(
    'T23 a cell never begins as a formula does: %j',
    (cell) => {
      for (const line of [csvLine([cell]), csvLine(['before', cell])]) {
        const [last = ''] = line.match(/(?:"(?:[^"]|"")*"|[^,"]*)$/) ?? []
        expect(last.replace(/^"/, '')).toMatch(/^'/)
      }
    },
  )

  it('T23 what a stranger typed stays one cell of one line', () => {
    expect(csvLine(['a"b', 'c,d', 'e\r\n=f', ' g'])).toBe('"a""b","c,d","e\r\n=f"," g"')
  })
})
