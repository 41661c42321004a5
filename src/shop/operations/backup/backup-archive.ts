import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
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

const blockBytes = 512
const padding = (bytes: number) => (blockBytes - (bytes % blockBytes)) % blockBytes

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
  async function addStream(name: string, size: number, content: AsyncIterable<Buffer>): Promise<void> {
    await put(header(name, size))
    let left = size
    for await (const piece of content) {
      left -= piece.length
      await put(piece)
    }
    if (left !== 0) throw new ArchiveError(`${name} changed its size while it was read`)
    await put(Buffer.alloc(padding(size)))
  }
  const add = (name: string, content: Buffer) => addStream(name, content.length, one(content))
  return {
    get bytes() {
      return bytes
    },
    add,
    addStream,
    async finish(summary) {
      const sha256 = hash.copy().digest('hex')
      await add(summaryName, Buffer.from(JSON.stringify(summary(sha256), null, 1)))
      compress.end(Buffer.alloc(2 * blockBytes))
      await written
      const done = await open(partial, 'r+')
      await done.sync()
      await done.close()
      await rename(partial, file)
    },
    async abandon() {
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

/** Returns the header block of a file; a long or non-ASCII name gets a block of its own before it. */
function header(name: string, size: number): Buffer {
  const plain = /^[\x20-\x7e]{1,100}$/.test(name) && size < 8 ** 11
  if (plain) return block(name, size, '0')
  const record = Buffer.from(paxRecord('path', name) + (size < 8 ** 11 ? '' : paxRecord('size', String(size))))
  return Buffer.concat([
    block('PaxHeader', record.length, 'x'),
    record,
    Buffer.alloc(padding(record.length)),
    block('long', size < 8 ** 11 ? size : 0, '0'),
  ])
}

/** Returns `<length> <key>=<value>\n`; the length includes its own digits. */
function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`
  const bytes = Buffer.byteLength(rest)
  let length = bytes + String(bytes).length
  if (String(length).length !== String(bytes).length) length = bytes + String(length).length
  return `${length}${rest}`
}

function block(name: string, size: number, type: '0' | 'x'): Buffer {
  const head = Buffer.alloc(blockBytes)
  const octal = (value: number, at: number, digits: number) =>
    head.write(`${value.toString(8).padStart(digits - 1, '0')}\0`, at, 'latin1')
  head.write(name, 0, 'latin1')
  octal(0o600, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(size, 124, 12)
  octal(0, 136, 12)
  head.write('        ', 148, 'latin1')
  head.write(type, 156, 'latin1')
  head.write('ustar\x0000', 257, 'latin1')
  octal(
    head.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  )
  return head
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
  source.once('error', (error) => plain.destroy(error))
  const bytes = createByteReader(source.pipe(plain))
  const hash = createHash('sha256')
  try {
    let named: { path?: string; size?: number } = {}
    for (;;) {
      const head = await bytes.take(blockBytes)
      if (head.every((byte) => byte === 0)) return
      const { name, size, type } = headerOf(head)
      if (type === 'x') {
        const record = await bytes.take(size)
        hash
          .update(head)
          .update(record)
          .update(await bytes.take(padding(size)))
        named = paxRecords(record.toString())
        continue
      }
      const entry = { name: named.path ?? name, size: named.size ?? size }
      named = {}
      const isSummary = entry.name === summaryName
      if (isSummary) onSummary(hash.copy().digest('hex'))
      hash.update(head)
      const content = bytes.stream(entry.size, (piece) => hash.update(piece))
      yield { ...entry, content }
      for await (const _ of content);
      hash.update(await bytes.take(padding(entry.size)))
      if (isSummary) return
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && /^(ZSTD_|ERR_ZLIB|Z_|ERR_STREAM)/.test(String(error.code)))
      throw new ArchiveError(`${file} is damaged, or is not a backup`, { cause: error })
    throw error
  } finally {
    source.destroy()
    plain.destroy()
  }
}

function headerOf(head: Buffer): { name: string; size: number; type: string } {
  const text = (from: number, to: number) => head.toString('latin1', from, to).replace(/\0.*$/s, '')
  const sum = Number.parseInt(text(148, 156), 8)
  const counted = head.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0)
  if (text(257, 262) !== 'ustar' || sum !== counted) throw new ArchiveError('the file is damaged, or is not a backup')
  return { name: text(0, 100), size: Number.parseInt(text(124, 136), 8), type: text(156, 157) }
}

function paxRecords(text: string): { path?: string; size?: number } {
  const [, path] = /(?:^|\n)\d+ path=(.*)\n/.exec(text) ?? []
  const [, size] = /(?:^|\n)\d+ size=(\d+)\n/.exec(text) ?? []
  return { ...(path === undefined ? {} : { path }), ...(size === undefined ? {} : { size: Number(size) }) }
}

/** Reads a stream in chunks of the requested sizes. */
function createByteReader(source: AsyncIterable<Buffer>) {
  const pieces = source[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)

  async function some(most: number): Promise<Buffer> {
    while (rest.length === 0) {
      const next = await pieces.next()
      if (next.done) throw new ArchiveError('the backup is truncated')
      rest = next.value
    }
    const piece = rest.subarray(0, most)
    rest = rest.subarray(piece.length)
    return piece
  }
  async function* stream(size: number, seen: (piece: Buffer) => void): AsyncGenerator<Buffer> {
    for (let left = size; left > 0; ) {
      const piece = await some(left)
      left -= piece.length
      seen(piece)
      yield piece
    }
  }
  return {
    async take(size: number): Promise<Buffer> {
      const taken: Buffer[] = []
      for await (const piece of stream(size, () => {})) taken.push(piece)
      return taken.length === 1 && taken[0] ? taken[0] : Buffer.concat(taken)
    },
    /** Returning early loses no data: `readArchive` continues where the caller stopped. */
    stream: (size: number, seen: (piece: Buffer) => void): AsyncIterable<Buffer> => {
      const all = stream(size, seen)
      return { [Symbol.asyncIterator]: () => ({ next: () => all.next() }) }
    },
  }
}
