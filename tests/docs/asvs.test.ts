import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/security/asvs-5-level-2.md'), 'utf8')

/** How many requirements of levels 1 and 2 each section of version 5.0.0 has; those of level 3 alone come last in each. */
const sections: Readonly<Record<number, Readonly<Record<number, number>>>> = {
  1: { 1: 2, 2: 9, 3: 11, 4: 3, 5: 2 },
  2: { 1: 3, 2: 3, 3: 4, 4: 1 },
  3: { 2: 2, 3: 4, 4: 6, 5: 5, 7: 2 },
  4: { 1: 3, 2: 1, 3: 2, 4: 4 },
  5: { 1: 1, 2: 3, 3: 2, 4: 3 },
  6: { 1: 3, 2: 12, 3: 4, 4: 4, 5: 5, 6: 3, 8: 4 },
  7: { 1: 3, 2: 4, 3: 2, 4: 5, 5: 2, 6: 2 },
  8: { 1: 2, 2: 3, 3: 1, 4: 1 },
  9: { 1: 3, 2: 4 },
  10: { 1: 2, 2: 2, 3: 4, 4: 11, 5: 5, 6: 2, 7: 3 },
  11: { 1: 2, 2: 3, 3: 3, 4: 4, 5: 1, 6: 1 },
  12: { 1: 3, 2: 2, 3: 4 },
  13: { 1: 1, 2: 5, 3: 2, 4: 5 },
  14: { 1: 2, 2: 4, 3: 3 },
  15: { 1: 3, 2: 3, 3: 7 },
  16: { 1: 1, 2: 5, 3: 4, 4: 3, 5: 3 },
  17: { 1: 1, 2: 4, 3: 2 },
}

const rows = [...page.matchAll(/^\| (\d+\.\d+\.)(\d+)(?: to \1(\d+))? \| (.+?) \| (.+?) \| (.+) \|$/gm)].map(
  ([, section = '', first = '', last = first, what = '', state = '', by = '']) => ({
    numbers: Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => section + (Number(first) + index)),
    what,
    state,
    by,
  }),
)
const wanted = Object.entries(sections).flatMap(([chapter, of]) =>
  Object.entries(of).flatMap(([section, count]) =>
    Array.from({ length: count }, (_, index) => `${chapter}.${section}.${index + 1}`),
  ),
)

describe('M19 the verification table', () => {
  it('has a line for every requirement of levels 1 and 2, in order', () => {
    expect(wanted.length).toBeGreaterThan(230)
    expect(rows.flatMap(({ numbers }) => numbers)).toEqual(wanted)
  })

  it('says of each how it stands, and by what', () => {
    const states = ['met', 'partly', 'not met', 'operator', 'not applicable']
    expect(rows.filter(({ state, by }) => !states.includes(state) || by.length < 5)).toEqual([])
    const counted = states.map((state) => {
      const count = rows.filter((row) => row.state === state).flatMap(({ numbers }) => numbers).length
      return `| ${state} | ${count} |`
    })
    for (const line of counted) expect(page).toContain(line)
  })

  it('names files that are there, and tests that carry the number they are named for', () => {
    const named = rows.flatMap(({ numbers, by }) =>
      [...by.matchAll(/`((?:src|tests|docs|bench|scripts)\/[^`]+|[A-Z]+\.md)`((?: [A-Z]+\d+)*)/g)].map(
        ([, file = '', ids = '']) => ({ number: numbers[0], file, ids: ids.split(' ').filter(Boolean) }),
      ),
    )
    expect(named.length).toBeGreaterThan(120)
    const faults = named.flatMap(({ number, file, ids }) => {
      const path = join(root, file)
      if (!existsSync(path)) return [`${number}: there is no ${file}`]
      const text = statSync(path).isFile() ? readFileSync(path, 'utf8') : ''
      const titles = [...text.matchAll(/\b(?:it|describe)\b.*|^ +['"`].*/gm)].map(([line]) => line).join('\n')
      return ids
        .filter((id) => !new RegExp(`\\b${id}\\b`).test(titles))
        .map((id) => `${number}: no test of ${file} is titled ${id}`)
    })
    expect(faults).toEqual([])
  })
})
