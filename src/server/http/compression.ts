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

/** Bytes in memory that is not shared. */
export type Bytes = Buffer<ArrayBuffer>

/** Content codings (RFC 9110 §8.4.1): `br` RFC 7932, `zstd` RFC 9659. */
export type Encoding = 'zstd' | 'br' | 'gzip' | 'identity'
type Compressed = Exclude<Encoding, 'identity'>

/** Smallest first: for responses that are compressed once and sent often. */
const forMany: readonly Compressed[] = ['br', 'zstd', 'gzip']
/** Fastest first: for responses that are compressed for one request. */
const forOne: readonly Compressed[] = ['zstd', 'gzip', 'br']
/**
 * The first request must not wait; if its browser accepts no fast encoding, a small one serves later requests better.
 */
const forTheFirst: readonly Compressed[] = ['zstd', 'br', 'gzip']

/** Returns the smallest cached encoding that a browser accepts. A quality of 0 is a refusal. */
export const acceptedEncoding = (header: string | null | undefined): Encoding => firstOf(forMany, header)

/** Returns the best encoding for a response to one request. */
export const quickEncoding = (header: string | null | undefined): Encoding => firstOf(forOne, header)

/** Returns the best encoding for a response that may or may not be requested again. */
export const firstEncoding = (header: string | null | undefined): Encoding => firstOf(forTheFirst, header)

function firstOf(order: readonly Compressed[], header: string | null | undefined): Encoding {
  const taken = takenBy(header)
  return order.find((encoding) => taken.has(encoding)) ?? 'identity'
}

/** Parsed headers; browsers send only a few different ones. */
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
 * Maximum size that is compressed synchronously: half a millisecond at most for typical pages. A worker thread costs as
 * much again for the transfer, and memory for each task.
 */
const maxSyncBytes = 128 * 1024

/**
 * Each compression holds more than a megabyte from its start, and there are only four threads: further ones wait before
 * they start.
 */
const compressing = limitConcurrency(4)

export async function compress(body: Bytes, encoding: Encoding): Promise<Bytes> {
  if (encoding === 'identity') return body
  return body.length > maxSyncBytes ? compressInThread(body, encoding) : exactly(atOnce(body, encoding, thoroughGzip))
}

/** Compresses in a worker thread, whatever the size: for work that no request waits for. */
export async function compressInThread(body: Bytes, encoding: Compressed): Promise<Bytes> {
  return exactly(await compressing(() => beside(body, encoding)))
}

/**
 * Passes the bytes of a text to `look`, and compresses them where that can be done synchronously. The bytes are written
 * to a reused buffer: fresh memory for each page costs more than everything else here.
 * @param look must not keep the bytes
 * @returns null: a text of this size is compressed by another thread in this encoding
 */
export function compressText(
  text: MarkupPieces,
  encoding: Encoding,
  look: (bytes: Uint8Array) => void = () => {},
): Bytes | null {
  if (encoding === 'identity' || text.reduce((sum, { length }) => sum + length, 0) > maxSyncBytes) return null
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

export function bytesOf(text: MarkupPieces): Bytes {
  return Buffer.concat(text.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)))
}

const encoder = new TextEncoder()
/** A UTF-16 code unit becomes at most three bytes of UTF-8. */
const scratch = Buffer.allocUnsafeSlow(3 * maxSyncBytes)

/**
 * Size of output chunks. Smaller ones come from Node's shared pool, which is retained until the next collection:
 * thirteen megabytes at eight hundred pages a second.
 */
const pieceBytes = 48 * 1024

/** Trims a result to its length: the result is the start of a chunk, and would retain all of it. */
function exactly(bytes: Buffer): Bytes {
  const { buffer, byteOffset, length } = bytes
  // No other buffer uses this chunk.
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

/**
 * For pages: half the time for a listing, a tenth larger. A client without a better encoding is mostly a program, not a
 * browser.
 */
const quickGzip = { level: 3, chunkSize: pieceBytes }
const thoroughGzip = { level: 6, chunkSize: pieceBytes }

function brotliOptions(body: Buffer): BrotliOptions {
  return {
    chunkSize: pieceBytes,
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 5,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      // A full window would cost four megabytes for each compression in progress.
      [constants.BROTLI_PARAM_LGWIN]: Math.min(22, Math.max(16, Math.ceil(Math.log2(body.length + 1)))),
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    },
  }
}

/** A listing of 55 KB in 0.09 ms, as small as the best level of gzip. */
const quickLevel = 3
/** Two and a half times as slow, a twentieth smaller. */
const thoroughLevel = 6
/** The initial congestion window: ten segments (RFC 6928), without headers. */
const firstFlight = 14_000

/** @returns options whose tables and window are no larger than the page */
function zstdOptions(body: Buffer, level: number): ZstdOptions {
  return { chunkSize: pieceBytes, pledgedSrcSize: body.length, params: { [constants.ZSTD_c_compressionLevel]: level } }
}

const expanded = { br: promisify(brotliDecompress), gzip: promisify(gunzip), zstd: promisify(zstdDecompress) }

export const expand = (bytes: Buffer, encoding: Compressed): Promise<Bytes> => expanded[encoding](bytes)
