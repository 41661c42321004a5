import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { isBuilt, recorded } from './build-record.mjs'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'vitrine-build-'))
  mkdirSync(join(root, 'src/web'), { recursive: true })
  for (const file of ['src/web/page.tsx', 'src/web/page.test.tsx', 'vite.config.ts', 'tsconfig.json'])
    writeFileSync(join(root, file), 'one')
  for (const file of ['package.json', 'package-lock.json']) writeFileSync(join(root, file), '{}')
})
afterEach(() => rmSync(root, { recursive: true }))

it('a folder is built once, and again when a source changes', () => {
  expect(isBuilt(root)).toBe(false)
  const build = vi.fn()
  recorded(root, build)
  expect(build).toHaveBeenCalledOnce()
  expect(isBuilt(root)).toBe(true)
  writeFileSync(join(root, 'src/web/page.tsx'), 'two')
  expect(isBuilt(root)).toBe(false)
  recorded(root, build)
  expect(isBuilt(root)).toBe(true)
  writeFileSync(join(root, 'src/web/other.tsx'), '')
  expect(isBuilt(root)).toBe(false)
})

it.each(['src/web/page.tsx', 'vite.config.ts', 'package.json', 'package-lock.json', 'tsconfig.json'])(
  'a change of %s is built',
  (file) => {
    recorded(root, () => {})
    writeFileSync(join(root, file), 'two')
    expect(isBuilt(root)).toBe(false)
  },
)

it('other times, another place and changed tests need no build', () => {
  recorded(root, () => {})
  utimesSync(join(root, 'src/web/page.tsx'), 1, 1)
  writeFileSync(join(root, 'src/web/page.test.tsx'), 'two')
  expect(isBuilt(root)).toBe(true)
  const copy = `${root}-copy`
  cpSync(root, copy, { recursive: true })
  expect(isBuilt(copy)).toBe(true)
  rmSync(copy, { recursive: true })
})

it('a build that fails or whose record is damaged is made again', () => {
  recorded(root, () => {})
  expect(() =>
    recorded(root, () => {
      throw new Error('no')
    }),
  ).toThrow('no')
  expect(existsSync(join(root, 'dist/.built'))).toBe(false)
  expect(isBuilt(root)).toBe(false)
  recorded(root, () => {})
  writeFileSync(join(root, 'dist/.built'), 'c0ffee')
  expect(isBuilt(root)).toBe(false)
})
