import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { demanded, faults, later, steps } from './fault-matrix.ts'
import { byName, cellsIn, literals, titlesOfAll } from './titles.ts'
import { everyCell, wantedCells } from './wanted-cells.ts'

const namedCells = (title: string) => cellsIn(title, demanded)

describe('the fault matrix', () => {
  it('M5 reads the words of titles', () => {
    expect(namedCells('F6 at S6 and S11: told within 3 s')).toEqual(['F6 at S6', 'F6 at S11'])
    expect(namedCells('F14 at S9 to S12 and P1')).toEqual(['F14 at S9', 'F14 at S10', 'F14 at S11', 'F14 at S12'])
    expect(namedCells('P1 F12 F13 at S5 S6, S10 and S11 declined')).toHaveLength(8)
    expect(namedCells('F1 at S5, then F2 at S6')).toEqual(['F1 at S5', 'F2 at S6'])
    expect(namedCells('P3 F17: forged')).toEqual(['F17'])
    expect(namedCells('F40: refused')).toEqual([])
    expect(literals("it.each([['F1 at S5', point]])('%s', \"the shop's\")")).toEqual(['F1 at S5', '%s', "the shop's"])
    expect(literals("  // 'F1 at S5'\n * `F2 at S6`\nit.skip('F3 at S6', off)\nit.todo('F4 at S6')")).toEqual([])
  })

  it('M5 puts nothing off that is not in the table', () => {
    const asked = new Set<string>(everyCell)
    const words = Object.keys(later)
    expect(words.filter((word) => !(word in faults) && namedCells(word).length === 0)).toEqual([])
    expect(words.flatMap(namedCells).filter((cell) => !asked.has(cell))).toEqual([])
  })

  const covering = byName(titlesOfAll(), namedCells)

  it('M5 names no fault and no step that does not exist', () => {
    const unknown = [...covering].filter(([cell]) => {
      const [fault = '', step] = cell.split(' at ')
      return !(fault in faults) || (step !== undefined && !(step in steps))
    })
    expect(unknown).toEqual([])
  })

  it('M5 is covered: every wanted cell has a test whose title names it', () => {
    const cells = Object.fromEntries([...covering].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true })))
    const uncovered = wantedCells.filter((cell) => !covering.has(cell))
    const reports = join(import.meta.dirname, '../../../reports')
    mkdirSync(reports, { recursive: true })
    const report = { faults, steps, required: wantedCells, uncovered, later, cells }
    writeFileSync(join(reports, 'fault-matrix.json'), `${JSON.stringify(report, null, 2)}\n`)
    expect(uncovered, 'cells without a test').toEqual([])
  })
})
