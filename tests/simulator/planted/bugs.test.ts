import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { plantedBugs } from './bugs.ts'
import { planted } from './planted-bug.ts'

const root = join(import.meta.dirname, '../../..')

describe('planted bugs', () => {
  it('M2: there are at least twenty, each under a name of its own', () => {
    expect(new Set(plantedBugs.map(({ name }) => name)).size).toBe(plantedBugs.length)
    expect(plantedBugs.length).toBeGreaterThanOrEqual(20)
  })

  it.each(plantedBugs)('M2: "$name" still fits its file, once', (bug) => {
    const text = readFileSync(join(root, bug.file), 'utf8')
    expect(planted(bug, text)).not.toBe(text)
  })

  it('a bug that fits nowhere, or twice, is refused', () => {
    const bug = { name: 'b', file: 'f.ts', find: 'a', replace: 'b', harm: '' }
    expect(() => planted(bug, 'xyz')).toThrow('fits 0 places')
    expect(() => planted(bug, 'aa')).toThrow('fits 2 places')
  })
})
