import { promisify } from 'node:util'
import {
  type BrotliOptions,
  brotliCompress,
  brotliCompressSync,
  brotliDecompress,
  constants,
  gunzip,
  gzip,
  gzipSync,
  type ZlibOptions,
  type ZstdOptions,
  zstdCompress,
  zstdCompressSync,
  zstdDecompress,
} from 'node:zlib'
import type { MarkupPieces } from '#web/pages/shared/markup-bytes.ts'
import { limitConcurrency } from './serial-queue.ts'

/** Of memory that nobody shares. */
export type Bytes = Buffer<ArrayBuffer>

/** Content codings (RFC 9110 §8.4.1): `br` RFC 7932, `zstd` RFC 9659. */
export type Encoding = 'zstd' | 'br' | 'gzip' | 'identity'
type Compressed = Exclude<Encoding, 'identity'>

/** Smallest first: for what is compressed once and sent often. */
const forMany: readonly Compressed[] = ['br', 'zstd', 'gzip']
/** Quickest first: for what is compressed for one answer. */
const forOne: readonly Compressed[] = ['zstd', 'gzip', 'br']
/** Who comes first must not wait; where a browser takes nothing quick, those who come later may as well have it small. */
const forTheFirst: readonly Compressed[] = ['zstd', 'br', 'gzip']

/** The best encoding that a browser takes, of what is kept. A quality of 0 is a refusal. */
export const acceptedEncoding = (header: string | null | undefined): Encoding => firstOf(forMany, header)

/** The best encoding that a browser takes, of what nobody else will be given. */
export const quickEncoding = (header: string | null | undefined): Encoding => firstOf(forOne, header)

/** The best encoding that a browser takes, of what may be asked for again and may not. */
export const firstEncoding = (header: string | null | undefined): Encoding => firstOf(forTheFirst, header)

function firstOf(order: readonly Compressed[], header: string | null | undefined): Encoding {
  const taken = takenBy(header)
  return order.find((encoding) => taken.has(encoding)) ?? 'identity'
}

/** Of the few headers that browsers send. */
const known = new Map<string, ReadonlySet<Encoding>>()
const mostKnown = 100
const longestKnown = 100

function takenBy(header: string | null | undefined): ReadonlySet<Encoding> {
  const offers = header ?? ''
  const before = known.get(offers)
  if (before) return before
  const taken = new Set<Encoding>(forMany.filter((name) => offerOf(name).test(offers)))
  if (known.size < mostKnown && offers.length <= longestKnown) known.set(offers, taken)
  return taken
}

function offerOf(name: string): RegExp {
  return new RegExp(`(?:^|[,\\s])${name}(?!\\s*;\\s*q=0(?:\\.0*)?(?:[,\\s]|$))(?=[,;\\s]|$)`, 'i')
}

/**
 * What is compressed where it is asked for, in half a millisecond at most as pages go. Handing a page to another thread and
 * taking it back costs as much again, and memory for each that is under way.
 */
const atOnceBytes = 128 * 1024

/** From its first moment each holds more than a megabyte, and there are no more threads than these: who comes later waits without. */
const compressing = limitConcurrency(4)

export async function compress(body: Bytes, encoding: Encoding): Promise<Bytes> {
  if (encoding === 'identity') return body
  return body.length > atOnceBytes ? compressInThread(body, encoding) : exactly(atOnce(body, encoding, thoroughGzip))
}

/** The same by another thread, whatever its size: for what nobody waits for. */
export async function compressInThread(body: Bytes, encoding: Compressed): Promise<Bytes> {
  return exactly(await compressing(() => beside(body, encoding)))
}

/**
 * Has the bytes of a text looked at, and compressed where that is done at once. They are written where those of the text before
 * were: fresh memory for each page costs more than all that is done with it.
 * @param look must not keep them
 * @returns null: in this encoding a text of this size is compressed by another thread
 */
export function compressText(
  text: MarkupPieces,
  encoding: Encoding,
  look: (bytes: Uint8Array) => void = () => {},
): Bytes | null {
  if (encoding === 'identity' || text.reduce((sum, { length }) => sum + length, 0) > atOnceBytes) return null
  let written = 0
  for (const piece of text) {
    if (typeof piece === 'string') written += encoder.encodeInto(piece, scratch.subarray(written)).written
    else {
      scratch.set(piece, written)
      written += piece.length
    }
  }
  const bytes = scratch.subarray(0, written)
  look(bytes)
  return exactly(atOnce(bytes, encoding, quickGzip))
}

/** The bytes of a text. */
export function bytesOf(text: MarkupPieces): Bytes {
  return Buffer.concat(text.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)))
}

const encoder = new TextEncoder()
/** No character of a string becomes more than three bytes of UTF-8. */
const scratch = Buffer.allocUnsafeSlow(3 * atOnceBytes)

/**
 * What is compressed is written into pieces of this size. Smaller ones are cut out of memory that Node shares among many, and
 * all of that is then kept until the next collection: thirteen megabytes where eight hundred pages a second are made.
 */
const pieceBytes = 48 * 1024

/** As it comes it is the beginning of a piece, which would be kept with it: what is not used of that is given back. */
function exactly(bytes: Buffer): Bytes {
  const { buffer, byteOffset, length } = bytes
  // Nobody else has a part of a piece.
  if (byteOffset === 0 && buffer instanceof ArrayBuffer && buffer.byteLength === pieceBytes) {
    return Buffer.from(buffer.transfer(length))
  }
  const exact = Buffer.allocUnsafeSlow(length)
  bytes.copy(exact)
  return exact
}

function atOnce(body: Buffer, encoding: Compressed, gzipOptions: ZlibOptions): Buffer {
  if (encoding === 'br') return brotliCompressSync(body, brotliOptions(body))
  if (encoding === 'gzip') return gzipSync(body, gzipOptions)
  const quickly = zstdCompressSync(body, zstdOptions(body, quickLevel))
  return quickly.length > firstFlight ? zstdCompressSync(body, zstdOptions(body, thoroughLevel)) : quickly
}

const brotliAsync = promisify(brotliCompress)
const gzipAsync = promisify(gzip)
const zstdAsync = promisify(zstdCompress)

function beside(body: Buffer, encoding: Compressed): Promise<Buffer> {
  if (encoding === 'br') return brotliAsync(body, brotliOptions(body))
  return encoding === 'gzip' ? gzipAsync(body, thoroughGzip) : zstdAsync(body, zstdOptions(body, thoroughLevel))
}

/** For pages: a listing in half the time, a tenth larger. Whoever takes nothing better is a program more often than a browser. */
const quickGzip = { level: 3, chunkSize: pieceBytes }
const thoroughGzip = { level: 6, chunkSize: pieceBytes }

function brotliOptions(body: Buffer): BrotliOptions {
  return {
    chunkSize: pieceBytes,
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 5,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      // Else every page at work holds memory for a window of four megabytes.
      [constants.BROTLI_PARAM_LGWIN]: Math.min(22, Math.max(16, Math.ceil(Math.log2(body.length + 1)))),
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    },
  }
}

/** A listing of 55 KB in 0.09 ms, as small as by the best of gzip. */
const quickLevel = 3
/** In two and a half times as long, a twentieth smaller. */
const thoroughLevel = 6
/** What a connection carries before it waits for an answer: ten segments (RFC 6928), headers apart. */
const firstFlight = 14_000

/** @returns options by which tables and window are no larger than the page */
function zstdOptions(body: Buffer, level: number): ZstdOptions {
  return { chunkSize: pieceBytes, pledgedSrcSize: body.length, params: { [constants.ZSTD_c_compressionLevel]: level } }
}

const expanded = { br: promisify(brotliDecompress), gzip: promisify(gunzip), zstd: promisify(zstdDecompress) }

export const expand = (bytes: Buffer, encoding: Compressed): Promise<Bytes> => expanded[encoding](bytes)
