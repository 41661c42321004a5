import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { advisoryLockPairs, advisoryLocks, machineLocks } from './advisory-locks.ts'

const sources = join(import.meta.dirname, '../..')

it('no two advisory locks have the same key', () => {
  for (const keys of [{ ...advisoryLocks, ...advisoryLockPairs }, machineLocks]) {
    const numbers: number[] = Object.values(keys)
    expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([])
    // The first key of two has 32 bits.
    expect(numbers.filter((number) => !Number.isInteger(number) || number < 1 || number > 0x7fff_ffff)).toEqual([])
  }
})

it('every statement takes the key of its advisory lock from this list', () => {
  const named = /^(?:\$\{(\w+)\.(\w+)\}|key\b)/
  const keysOf: Readonly<Record<string, object>> = { advisoryLocks, advisoryLockPairs }
  const calls = globSync('**/*.{ts,tsx,sql}', { cwd: sources })
    .filter((file) => !file.includes('.test.'))
    .flatMap((file) =>
      [...readFileSync(join(sources, file), 'utf8').matchAll(/\bpg_\w*advisory\w*\(\s*(.{0,80})/gs)].map(
        ([, key = '']) => ({ file, key }),
      ),
    )
  expect(calls.length).toBeGreaterThan(15)
  // The one key that is no constant is a hash of the visitor, made in a query of its own.
  expect(calls.filter(({ key }) => key.startsWith('key)')).map(({ file }) => file)).toEqual([
    'database/orders/orders.ts',
  ])
  const foreign = calls.filter(({ key }) => {
    const [text, list = '', name = ''] = named.exec(key) ?? []
    return text !== 'key' && !(name in (keysOf[list] ?? {}))
  })
  expect(foreign).toEqual([])
  const used = new Set(calls.map(({ key }) => named.exec(key)?.[2]))
  expect(Object.keys({ ...advisoryLocks, ...advisoryLockPairs }).filter((name) => !used.has(name))).toEqual([])
})
