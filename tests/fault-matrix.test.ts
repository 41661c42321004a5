import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { faults, later, required, steps } from './fault-matrix.ts'

const root = join(import.meta.dirname, '..')
const own = 'tests/fault-matrix.test.ts'

const places = String.raw`S\d+(?:(?:,? and |, | to | )S\d+)*`
const cellWords = new RegExp(String.raw`\bF\d+(?:(?:,? and |, | to | )F\d+)* at ${places}\b`, 'g')

/** `S5, S6 and S10`, `S9 to S12` → each of them. */
function listed(words: string, letter: 'F' | 'S'): string[] {
  const found: string[] = []
  for (const [, to, figure = ''] of words.matchAll(new RegExp(`(to )?\\b${letter}(\\d+)`, 'g'))) {
    const last = Number(found.at(-1)?.slice(1) ?? figure)
    for (let between = last + 1; to && between < Number(figure); between += 1) found.push(`${letter}${between}`)
    found.push(letter + figure)
  }
  return found
}

/** The cells that a title names: `F6 at S8`; `F17` for a fault without a step. */
function cellsIn(title: string): string[] {
  const cells = [...title.matchAll(cellWords)].flatMap(([words]) => {
    const [which = '', where = ''] = words.split(' at ')
    return listed(which, 'F').flatMap((fault) => listed(where, 'S').map((step) => `${fault} at ${step}`))
  })
  const alone = [...title.matchAll(/\bF(\d+)\b/g)].map(([fault]) => fault).filter((fault) => cellsOf('', fault).length)
  return [...new Set([...cells, ...alone])]
}

/** The cells of one fault; none where it belongs to steps and none is named. */
function cellsOf(where: string, fault: string): string[] {
  if (where === '' && required[fault as keyof typeof required] === '') return [fault]
  return listed(where, 'S').map((step) => `${fault} at ${step}`)
}

/** String literals of one line each, comments left out: enough to read titles and the tables that give them. */
function literals(source: string): string[] {
  return source
    .split('\n')
    .filter((line) => !/^\s*(\/\/|\*|\/\*)/.test(line))
    .flatMap((line) => [...line.matchAll(/(['"`])((?:\\.|(?!\1)[^\\])*)\1/g)].map(([, , text = '']) => text))
}

const files = globSync('{src,emulator,tests,scripts}/**/*.test.{ts,tsx}', { cwd: root }).filter((file) => file !== own)
const covering = new Map<string, { file: string; title: string }[]>()
for (const file of files.sort()) {
  for (const title of literals(readFileSync(join(root, file), 'utf8'))) {
    for (const cell of cellsIn(title)) covering.set(cell, [...(covering.get(cell) ?? []), { file, title }])
  }
}

const wanted = Object.entries(required).flatMap(([fault, where]) => cellsOf(where, fault))

describe('the fault matrix', () => {
  it('M5 reads the words of titles', () => {
    expect(cellsIn('F6 at S6 and S11: told within 3 s')).toEqual(['F6 at S6', 'F6 at S11'])
    expect(cellsIn('F14 at S9 to S12 and P1')).toEqual(['F14 at S9', 'F14 at S10', 'F14 at S11', 'F14 at S12'])
    expect(cellsIn('P1 F12 F13 at S5 S6, S10 and S11 declined')).toHaveLength(8)
    expect(cellsIn('F1 at S5, then F2 at S6')).toEqual(['F1 at S5', 'F2 at S6'])
    expect(cellsIn('P3 F17: forged')).toEqual(['F17'])
    expect(cellsIn('F40: refused')).toEqual([])
    expect(literals("it.each([['F1 at S5', point]])('%s', \"the shop's\")")).toEqual(['F1 at S5', '%s', "the shop's"])
    expect(literals("  // 'F1 at S5'\n * `F2 at S6`")).toEqual([])
  })

  it('M5 places every fault: it is required somewhere, or for later with what it needs', () => {
    const placed = (fault: string) => [fault in required, fault in later].filter(Boolean).length
    expect(Object.keys(faults).filter((fault) => placed(fault) !== 1)).toEqual([])
    expect(wanted.filter((cell) => cell in later)).toEqual([])
  })

  it('M5 names no fault and no step that does not exist', () => {
    const unknown = [...covering].filter(([cell]) => {
      const [fault = '', step] = cell.split(' at ')
      return !(fault in faults) || (step !== undefined && !(step in steps))
    })
    expect(unknown).toEqual([])
  })

  it('M5 is covered: every required cell has a test whose title names it', () => {
    const cells = Object.fromEntries([...covering].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true })))
    const uncovered = wanted.filter((cell) => !covering.has(cell))
    mkdirSync(join(root, 'reports'), { recursive: true })
    const report = { faults, steps, required: wanted, uncovered, later, cells }
    writeFileSync(join(root, 'reports/fault-matrix.json'), `${JSON.stringify(report, null, 2)}\n`)
    expect(uncovered, 'cells without a test').toEqual([])
  })
})
