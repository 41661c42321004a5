import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dataFiles } from './files.ts'

describe('the tables of states and address formats', () => {
  it.each(dataFiles)('$path is what the sources give', async ({ path, content }) => {
    expect(readFileSync(join(import.meta.dirname, '../..', path), 'utf8')).toBe(await content())
  })
})
