import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { limits } from '#shop/shared/limit-attempts.ts'

it('T13 the documented limits on tries are those of the code', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/security/keys-and-limits.md'), 'utf8')
  const rows = [...page.matchAll(/^\| ([a-z-]+) \| (\d+) \| (\d+) \| (\d+) minutes \|$/gm)].map(([, ...row]) => row)
  const wanted = Object.entries(limits).map(([what, { subject, network }]) => {
    expect(subject.perMs).toBe(network.perMs)
    return [what, subject.tries, network.tries, subject.perMs / 60_000].map(String)
  })
  expect(rows).toEqual(wanted)
})
