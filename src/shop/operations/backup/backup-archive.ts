import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { extract, type Pack, pack } from 'tar-stream'
import { waitForDrain } from '#database/engine/wait-for-drain.ts'

/**
 * A backup is a tar archive (POSIX.1-2001 "pax") compressed with Zstandard, readable by other programs: `tar --zstd
 * -tf`. Its last entry, `summary.json`, contains the SHA-256 of everything before it.
 */

/** The file is not a backup, is damaged, or is truncated. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError'
}

export const summaryName = 'summary.json'

const headerBytes = 512

export type ArchiveWriter = {
  /** Bytes written so far, before compression. */
  readonly bytes: number
  add(name: string, content: Buffer): Promise<void>
  addStream(name: string, size: number, content: AsyncIterable<Buffer>): Promise<void>
  /** Writes the last entry and renames the file: until then it is `<file>.partial`. */
  finish(summary: (sha256: string) => object): Promise<void>
  /** Deletes the partial file. */
  abandon(): Promise<void>
}

/** @throws if `file` or its `.partial` exists: a backup is never overwritten */
export async function writeArchive(file: string): Promise<ArchiveWriter> {
  const partial = `${file}.partial`
  // It contains all customer data: only its owner may read it.
  const into = createWriteStream(partial, { flags: 'wx', mode: 0o600 })
  await once(into, 'open')
  const compress = createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 3 } })
  const written = pipeline(compress, into)
  written.catch(() => {})
  const hash = createHash('sha256')
  let bytes = 0

  async function put(content: Buffer): Promise<void> {
    hash.update(content)
    bytes += content.length
    // A full disk ends the pipeline, this stream of it too.
    if (!compress.write(content)) await waitForDrain(compress)
  }
  /** Writes what is packed, without the last piece: the end of an archive, which more follows. */
  async function putAllButEnd(entries: Pack): Promise<void> {
    let last: Buffer | null = null
    for await (const piece of entries as AsyncIterable<Buffer>) {
      if (last) await put(last)
      last = piece
    }
  }
  const entries = pack()
  const packed = putAllButEnd(entries)
  packed.catch((error: unknown) => entries.destroy(error instanceof Error ? error : new Error(String(error))))
  const addStream = (name: string, size: number, content: AsyncIterable<Buffer>) =>
    pipeline(ofSize(name, size, content), entries.entry({ ...attributes, name, size }))
  const add = (name: string, content: Buffer) => addStream(name, content.length, one(content))
  return {
    get bytes() {
      return bytes
    },
    add,
    addStream,
    async finish(summary) {
      entries.finalize()
      await packed
      const last = pack()
      const content = Buffer.from(JSON.stringify(summary(hash.digest('hex')), null, 1))
      last.entry({ ...attributes, name: summaryName }, content)
      last.finalize()
      for await (const piece of last) compress.write(piece)
      compress.end()
      await written
      const done = await open(partial, 'r+')
      await done.sync()
      await done.close()
      await rename(partial, file)
    },
    async abandon() {
      entries.destroy()
      await packed.catch(() => {})
      compress.destroy()
      into.destroy()
      await written.catch(() => {})
      await rm(partial, { force: true })
    },
  }
}

async function* one(content: Buffer): AsyncIterable<Buffer> {
  yield content
}

/** The same content gives the same bytes at any time. */
const attributes = { mode: 0o600, mtime: new Date(0) }

async function* ofSize(name: string, size: number, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let left = size
  for await (const piece of content) {
    left -= piece.length
    yield piece
  }
  if (left !== 0) throw new ArchiveError(`${name} changed its size while it was read`)
}

export type ArchiveEntry = { readonly name: string; readonly size: number; readonly content: AsyncIterable<Buffer> }

/**
 * Yields the entries of a backup in order. Unread content of an entry is skipped; the summary comes last.
 * @param onSummary receives the SHA-256 of everything before the summary, before that is yielded
 * @throws ArchiveError if the file is damaged or truncated
 */
export async function* readArchive(file: string, onSummary: (sha256: string) => void): AsyncGenerator<ArchiveEntry> {
  const source = createReadStream(file, { highWaterMark: 2 ** 20 })
  const plain = createZstdDecompress({ chunkSize: 2 ** 20 })
  // With this size each piece is read to its end before the next one is hashed.
  const entries = extract({ highWaterMark: 1 })
  const hash = createTailHash()
  let sha256: string | null = null
  // Its types leave out the place at which the content of an entry begins.
  entries.on('entry', (header: { name: string; byteOffset?: number }) => {
    if (header.name === summaryName) sha256 ??= hash.digestUntil((header.byteOffset ?? 0) - headerBytes)
  })
  const refuse = (error: unknown): never => {
    // Errors of the file system have a code of their own; all others mean the content.
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (error instanceof ArchiveError || /^E(?!RR_)[A-Z]+$/.test(code)) throw error
    throw new ArchiveError(`${file} is damaged, or is not a backup`, { cause: error })
  }
  const read = pipeline(source, plain, hash.pass, entries)
  read.catch(() => {})
  try {
    for await (const entry of entries) {
      const { name, size = 0, type } = entry.header
      const isSummary = name === summaryName
      if (isSummary && sha256 !== null) onSummary(sha256)
      // The pieces of a tar stream are buffers: none is in object mode.
      const pieces = (entry as AsyncIterable<unknown> as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
      // A caller that stops early ends the entry alone: the rest is skipped here.
      const next = () => pieces.next().catch(refuse)
      if (type === 'file') yield { name, size, content: { [Symbol.asyncIterator]: () => ({ next }) } }
      while (!(await pieces.next()).done);
      if (isSummary) return
    }
    await read
  } catch (error) {
    refuse(error)
  } finally {
    source.destroy()
    plain.destroy()
    entries.destroy()
  }
}

/** Hashes a stream on its way, a header behind: a header that is seen may have begun in the piece before. */
export function createTailHash() {
  const hash = createHash('sha256')
  let tail: Buffer = Buffer.alloc(0)
  let tailFrom = 0
  return {
    async *pass(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const piece of pieces) {
        const known = Math.max(0, tail.length - headerBytes)
        hash.update(tail.subarray(0, known))
        tailFrom += known
        tail = Buffer.concat([tail.subarray(known), piece])
        yield piece
      }
    },
    /** Returns the digest of the bytes before a place in the last pieces. */
    digestUntil: (offset: number): string =>
      hash
        .copy()
        .update(tail.subarray(0, offset - tailFrom))
        .digest('hex'),
  }
}
