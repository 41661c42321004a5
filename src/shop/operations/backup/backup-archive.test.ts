import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { afterAll, describe, expect, it } from 'vitest'
import { ArchiveError, createTailHash, readArchive, writeArchive } from './backup-archive.ts'

const folder = mkdtempSync(join(tmpdir(), 'vitrine-archive-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let count = 0
const nextFile = () => join(folder, `${count++}.tar.zst`)

async function written(entries: readonly (readonly [name: string, content: Buffer])[]) {
  const file = nextFile()
  const archive = await writeArchive(file)
  for (const [name, content] of entries) await archive.add(name, content)
  let sha256 = ''
  await archive.finish((digest) => {
    sha256 = digest
    return { sha256 }
  })
  return { file, sha256 }
}

async function readAll(file: string) {
  const seen: string[] = []
  const entries: [string, Buffer][] = []
  for await (const { name, content } of readArchive(file, (sha256) => void seen.push(sha256))) {
    const pieces: Buffer[] = []
    for await (const piece of content) pieces.push(piece)
    entries.push([name, Buffer.concat(pieces)])
  }
  return { seen, entries }
}

const bytes = (size: number) => Buffer.alloc(size, 'rows of a table\n')

describe('an archive', () => {
  it.each([
    0,
    1,
    511,
    512,
    513,
    2 ** 20 - 1536,
    2 ** 20 - 1024,
    2 ** 20 - 600,
    2 ** 20 - 512,
    2 ** 20,
    3 * 2 ** 20 + 7,
  ])('of %s bytes has the digest of all before its summary, written and read', async (size) => {
    const { file, sha256 } = await written([
      ['tables/a', bytes(7)],
      ['tables/b', bytes(size)],
    ])
    const plain = zstdDecompressSync(readFileSync(file))
    const summaryAt = plain.indexOf('summary.json')
    expect(createHash('sha256').update(plain.subarray(0, summaryAt)).digest('hex')).toBe(sha256)
    const { seen, entries } = await readAll(file)
    expect(seen).toEqual([sha256])
    expect(entries.map(([name, content]) => [name, content.length])).toEqual([
      ['tables/a', 7],
      ['tables/b', size],
      ['summary.json', expect.any(Number)],
    ])
    expect(entries[1]?.[1].equals(bytes(size))).toBe(true)
  })

  it('holds names of any length and alphabet', async () => {
    const names = [`files/${'a'.repeat(150)}.webp`, `${'folder/'.repeat(40)}a`, 'files/Grüße 旅.webp']
    const { file, sha256 } = await written(names.map((name) => [name, bytes(600)]))
    const { seen, entries } = await readAll(file)
    expect(entries.map(([name]) => name)).toEqual([...names, 'summary.json'])
    expect(seen).toEqual([sha256])
  })

  it('goes on with the next entry where a caller stops reading one', async () => {
    const { file, sha256 } = await written([
      ['tables/a', bytes(3 * 2 ** 20)],
      ['tables/b', bytes(5)],
    ])
    const names: string[] = []
    let digest = ''
    for await (const { name, content } of readArchive(file, (sha) => {
      digest = sha
    })) {
      names.push(name)
      for await (const _ of content) break
    }
    expect(names).toEqual(['tables/a', 'tables/b', 'summary.json'])
    expect(digest).toBe(sha256)
  })

  it('is given up where a file changed its size while it was read', async () => {
    const archive = await writeArchive(nextFile())
    async function* content() {
      yield bytes(10)
    }
    await expect(archive.addStream('files/a', 11, content())).rejects.toThrow('changed its size')
    await archive.abandon()
  })

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('not a backup '.repeat(100))],
    ['a header alone that promises much', headerOf(8 * 2 ** 30)],
    ['a long name without end', headerOf(4 * 2 ** 30, 'pax-header')],
    ['a negative size', headerOf(-512)],
  ])('that is %s is refused, or has no summary', async (_, given) => {
    const file = nextFile()
    const content = await given
    writeFileSync(file, zstdCompressSync(Buffer.concat([content, Buffer.alloc(content.length === 512 ? 2 ** 24 : 0)])))
    const { seen } = await readAll(file).catch((error: unknown) => {
      expect(error).toBeInstanceOf(ArchiveError)
      return { seen: [] }
    })
    expect(seen).toEqual([])
  })
})

it('a digest ends at a header that began in an earlier piece', async () => {
  const whole = bytes(5000)
  const ends = [1000, 1001, 1300, 2000, 2010, 5000]
  const hash = createTailHash()
  async function* pieces() {
    let from = 0
    for (const end of ends) {
      yield whole.subarray(from, end)
      from = end
    }
  }
  let place = 0
  for await (const _ of hash.pass(pieces())) {
    const end = ends[place++] ?? 0
    // A header of 512 bytes ends in this piece, at its first byte or later.
    const offset = Math.max(0, (ends[place - 2] ?? 0) + 1 - 512)
    for (const until of [offset, end])
      expect(hash.digestUntil(until)).toBe(createHash('sha256').update(whole.subarray(0, until)).digest('hex'))
  }
  expect(place).toBe(ends.length)
})

/** Returns the header alone. */
async function headerOf(size: number, type = 'file'): Promise<Buffer> {
  const archive = pack()
  // Its types leave out those of extensions.
  archive.entry({ name: 'x', size, type: type as 'file', mtime: new Date(0) })
  for await (const piece of archive) if (Buffer.isBuffer(piece) && piece.length === 512) return piece
  throw new Error('no header')
}
