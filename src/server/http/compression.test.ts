import { randomBytes } from 'node:crypto'
import { brotliDecompressSync, constants, gunzipSync, gzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { cardsOf } from '#tests/support/http/compression-fixtures.ts'
import {
  acceptedEncoding,
  bytesOf,
  compress,
  compressInThread,
  compressText,
  expand,
  firstEncoding,
  quickEncoding,
} from './compression.ts'

/** Chromium, Firefox; Safari; a program; no header. */
const browser = 'gzip, deflate, br, zstd'
const safari = 'gzip, deflate, br'

describe('the best encoding', () => {
  it.each([
    [browser, 'br', 'zstd', 'zstd'],
    [safari, 'br', 'br', 'gzip'],
    ['gzip', 'gzip', 'gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip', 'gzip', 'gzip'],
    ['GZIP;q=0.5, ZSTD;q=0.0', 'gzip', 'gzip', 'gzip'],
    ['zstd', 'zstd', 'zstd', 'zstd'],
    ['br', 'br', 'br', 'br'],
    ['xzstd, brotli, gzipped', 'identity', 'identity', 'identity'],
    ['identity', 'identity', 'identity', 'identity'],
    ['', 'identity', 'identity', 'identity'],
    [null, 'identity', 'identity', 'identity'],
    [undefined, 'identity', 'identity', 'identity'],
  ])('of %s is %s for many, %s for the first of them, %s for one', (header, many, first, one) => {
    // Twice: the parsed header is cached.
    for (let time = 0; time < 2; time += 1) {
      expect(acceptedEncoding(header)).toBe(many)
      expect(firstEncoding(header)).toBe(first)
      expect(quickEncoding(header)).toBe(one)
    }
  })

  it('is found again however many headers were sent meanwhile', () => {
    for (let nr = 0; nr < 500; nr += 1) expect(acceptedEncoding(`gzip, nobody-${nr}`)).toBe('gzip')
    expect(acceptedEncoding('br, somebody')).toBe('br')
  })
})

describe('what is compressed', () => {
  const undo = { br: brotliDecompressSync, gzip: gunzipSync, zstd: zstdDecompressSync }
  /** Random text: it compresses to about three quarters of its size. */
  const letters = (bytes: number) => Buffer.from(randomBytes(bytes).toString('base64url').slice(0, bytes))

  it.each(['zstd', 'br', 'gzip'] as const)('as %s is the same again, small, large or nothing', async (encoding) => {
    for (const body of [Buffer.alloc(0), Buffer.from('ü'), letters(30_000), letters(300_000)]) {
      for (const bytes of [await compress(body, encoding), await compressInThread(body, encoding)]) {
        expect(undo[encoding](bytes).equals(body)).toBe(true)
        expect((await expand(bytes, encoding)).equals(body)).toBe(true)
        // The result does not retain a larger buffer.
        expect(bytes.buffer.byteLength).toBe(bytes.length)
      }
    }
  })

  it.each(['zstd', 'br', 'gzip'] as const)('of texts one after the other as %s is each of them', (encoding) => {
    const texts = ['', 'a', 'Käse, 茶 & 🍵 '.repeat(2_000), cardsOf(300), '茶'.repeat(128 * 1024), 'b']
    const seen: string[] = []
    const look = (bytes: Uint8Array) => void seen.push(Buffer.from(bytes).toString())
    const compressed = texts.map((text) => compressText([text], encoding, look))
    expect(seen).toEqual(texts)
    // Checked when all are done: no result may be overwritten by the next.
    expect(compressed.map((bytes) => bytes && undo[encoding](bytes).toString())).toEqual(texts)
  })

  it('of pieces, some of them bytes already, is that of the whole text', () => {
    const pieces = ['“Käse” ', Buffer.from('茶 and 🍵 '), '', new Uint8Array(), Buffer.from('…'), 'end']
    const whole = '“Käse” 茶 and 🍵 …end'
    expect(bytesOf(pieces).toString()).toBe(whole)
    expect(compressText(pieces, 'gzip')).toEqual(compressText([whole], 'gzip'))
    // The largest size that is compressed synchronously, in single-byte and multi-byte characters.
    const half = 64 * 1024
    const large = compressText([new Uint8Array(half).fill(97), '茶'.repeat(half)], 'zstd')
    expect(large && undo.zstd(large).toString()).toBe('a'.repeat(half) + '茶'.repeat(half))
    expect(compressText([new Uint8Array(half), 'a'.repeat(half), 'a'], 'zstd')).toBeNull()
  })

  it('keeps nothing alive of what it was written into', () => {
    const text = cardsOf(100)
    for (const encoding of ['zstd', 'br', 'gzip'] as const) {
      const before = process.memoryUsage().arrayBuffers
      const kept = Array.from({ length: 200 }, () => compressText([text], encoding)?.length ?? 0)
      const bytes = kept.reduce((sum, length) => sum + length, 0)
      // Sixteen unused kilobytes per result would be three megabytes more.
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(bytes + 1_000_000)
    }
  })

  it('as gzip is made quickly of a page, and small of what is kept for all', async () => {
    const text = cardsOf(300)
    expect(compressText([text], 'gzip')).toEqual(gzipSync(text, { level: 3 }))
    expect(await compress(Buffer.from(text), 'gzip')).toEqual(gzipSync(text, { level: 6 }))
  })

  it('is no text that another thread compresses, nor one that goes out as it is', () => {
    const look = () => expect.unreachable()
    expect(compressText(['x'.repeat(128 * 1024 + 1)], 'zstd', look)).toBeNull()
    expect(compressText(['x'], 'identity', look)).toBeNull()
  })

  it('quickly is compressed more thoroughly where a connection would wait for an answer in between', async () => {
    const quickly = (body: Buffer) =>
      zstdCompressSync(body, { params: { [constants.ZSTD_c_compressionLevel]: 3 }, pledgedSrcSize: body.length })
    const [short, long] = [Buffer.from(cardsOf(200)), Buffer.from(cardsOf(1_400))]
    expect(await compress(short, 'zstd')).toEqual(quickly(short))
    expect(quickly(long).length).toBeGreaterThan(14_000)
    expect((await compress(long, 'zstd')).length).toBeLessThan(quickly(long).length)
  })
})
