import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { BreachedPasswordsError, checkBreachedPasswords, isBreached } from './breached-passwords.ts'

const folder = mkdtempSync(join(tmpdir(), 'vitrine-breached-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const digestOf = (password: string) => createHash('sha1').update(password).digest('hex').toUpperCase()

let count = 0
function aFile(lines: readonly string[], end = '\r\n'): string {
  count += 1
  const path = join(folder, `list-${count}`)
  writeFileSync(path, lines.join(end) + (count % 2 ? end : ''))
  return path
}

/** Counts of various lengths, as in the published list. */
const listOf = (passwords: readonly string[]) =>
  passwords.map((password, index) => `${digestOf(password)}:${10 ** (index % 8)}`).toSorted()

const asked = async (breachedPasswords: string | null, ...passwords: string[]) => {
  const said: string[] = []
  const note = (_: object, message: string) => void said.push(message)
  const log = { info: note, warn: note, error: note }
  const found = await Promise.all(passwords.map((password) => isBreached({ breachedPasswords, log }, password)))
  return { found, said }
}
const faultOf = (path: string) =>
  checkBreachedPasswords(path).then(
    () => null,
    (error: unknown) => (error instanceof BreachedPasswordsError ? error.message : error),
  )

describe('T32 the file of passwords out of breaches', () => {
  it.each([1, 2, 50, 99, 5000])('finds each of %d in it, and nothing else', async (size) => {
    const inside = Array.from({ length: size }, (_, index) => `inside ${index}`)
    const path = aFile(listOf(inside), size % 2 ? '\n' : '\r\n')
    expect(await faultOf(path)).toBeNull()
    const { found, said } = await asked(path, ...inside)
    expect(found.filter((is) => !is)).toEqual([])
    const outside = await asked(path, ...inside.map((password) => password.replace('in', 'out')))
    expect(outside.found.filter(Boolean)).toEqual([])
    expect([...said, ...outside.said]).toEqual([])
  })

  it('is read in lower case and without counts as well, and where its digests are not spread evenly', async () => {
    const inside = Array.from({ length: 3000 }, (_, index) => `inside ${index}`)
    const digests = inside.map(digestOf).toSorted()
    const lower = aFile(
      digests.map((digest) => digest.toLowerCase()),
      '\n',
    )
    expect((await asked(lower, 'inside 0', 'inside 2999', 'outside')).found).toEqual([true, true, false])
    const crowd = Array.from(
      { length: 20_000 },
      (_, index) => `${'0'.repeat(35)}${index.toString(16).padStart(5, '0')}`,
    )
    const uneven = aFile([...crowd, ...digests].toSorted().map((digest) => `${digest.toUpperCase()}:3`))
    expect(await faultOf(uneven)).toBeNull()
    expect((await asked(uneven, ...inside.slice(0, 200), 'outside')).found).toEqual([...Array(200).fill(true), false])
  })

  it('is refused by its name when it is missing, empty, something else or in no order', async () => {
    const missing = join(folder, 'nowhere')
    expect(await faultOf(missing)).toBe(`${missing} cannot be read (ENOENT)`)
    expect(await faultOf(folder)).toBe(`${folder} cannot be read (EISDIR)`)
    const empty = aFile([], '')
    expect(await faultOf(empty)).toBe(`${empty} is empty`)
    const words = aFile(['password:3', 'letmein:2'])
    expect(await faultOf(words)).toBe(`${words} has no SHA-1 digest at byte 0`)
    const list = listOf(Array.from({ length: 4000 }, (_, index) => `inside ${index}`))
    const byCount = aFile([...list.slice(2000), ...list.slice(0, 2000)])
    expect(await faultOf(byCount)).toMatch(/is not sorted by digest: see byte \d+$/)
    const archive = aFile(['x'.repeat(100_000)])
    expect(await faultOf(archive)).toMatch(/has no (line end|SHA-1 digest)/)
  })

  it('that went away while the shop runs refuses nobody, and is logged without the password', async () => {
    const gone = join(folder, 'gone')
    const { found, said } = await asked(gone, 'a password')
    expect(found).toEqual([false])
    expect(said).toEqual(['BREACHED_PASSWORDS file cannot be read'])
    expect((await asked(null, 'a password')).said).toEqual([])
  })

  it('ends the search whatever it holds', async () => {
    const jumbled = aFile([...listOf(Array.from({ length: 3000 }, (_, index) => `inside ${index}`))].reverse())
    const { found } = await asked(jumbled, ...Array.from({ length: 100 }, (_, index) => `inside ${index}`))
    expect(found).toHaveLength(100)
  })
})
