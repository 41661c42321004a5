import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { waitForDrain } from '#database/engine/wait-for-drain.ts'

/**
 * The file of a backup is a tar archive (POSIX.1-2001 "pax") compressed with Zstandard, which other programs can read:
 * `tar --zstd -tf`. Its last entry, `summary.json`, holds the SHA-256 of everything before it.
 */

/** A file that is no backup, is damaged, or ends too early. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError'
}

export const summaryName = 'summary.json'

const blockBytes = 512
const padding = (bytes: number) => (blockBytes - (bytes % blockBytes)) % blockBytes

export type ArchiveWriter = {
  /** How much was put in so far, in bytes before compression. */
  readonly bytes: number
  add(name: string, content: Buffer): Promise<void>
  addStream(name: string, size: number, content: AsyncIterable<Buffer>): Promise<void>
  /** Writes the last entry and gives the file its name: until then there is only `<file>.partial`. */
  finish(summary: (sha256: string) => object): Promise<void>
  /** Leaves nothing behind. */
  abandon(): Promise<void>
}

/** @throws when `file` or what was left of an earlier try is there: a backup is never written over */
export async function writeArchive(file: string): Promise<ArchiveWriter> {
  const partial = `${file}.partial`
  // It holds everything that the shop knows of its customers: nobody but its owner reads it.
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

/** The block before a file's content; a name that is long or not of plain letters gets a block of its own before. */
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

/** `<length> <key>=<value>\n`, whose length counts its own digits. */
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
 * The entries of a backup in their order. What a caller leaves of an entry's content is passed over; the summary comes last.
 * @param onSummary gets the SHA-256 of everything before the summary, before the summary itself is given
 * @throws ArchiveError where the file is damaged or ends too early
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
      throw new ArchiveError(`${file} is damaged, or no backup`, { cause: error })
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
  if (text(257, 262) !== 'ustar' || sum !== counted) throw new ArchiveError('this is no backup, or it is damaged')
  return { name: text(0, 100), size: Number.parseInt(text(124, 136), 8), type: text(156, 157) }
}

function paxRecords(text: string): { path?: string; size?: number } {
  const [, path] = /(?:^|\n)\d+ path=(.*)\n/.exec(text) ?? []
  const [, size] = /(?:^|\n)\d+ size=(\d+)\n/.exec(text) ?? []
  return { ...(path === undefined ? {} : { path }), ...(size === undefined ? {} : { size: Number(size) }) }
}

/** Bytes of a stream in the amounts that are asked for. */
function createByteReader(source: AsyncIterable<Buffer>) {
  const pieces = source[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)

  async function some(most: number): Promise<Buffer> {
    while (rest.length === 0) {
      const next = await pieces.next()
      if (next.done) throw new ArchiveError('the backup ends too early: it is not complete')
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
    /** Its return does not lose what a caller leaves: `readArchive` reads on where it stopped. */
    stream: (size: number, seen: (piece: Buffer) => void): AsyncIterable<Buffer> => {
      const all = stream(size, seen)
      return { [Symbol.asyncIterator]: () => ({ next: () => all.next() }) }
    },
  }
}
