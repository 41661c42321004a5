import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { fileTrouble, fileTroubles } from '../shared/file-trouble.ts'
import { ProductFileError } from './product-file-error.ts'

/** The encoding of a text file; `isGuess`: neither stated nor proven by a mark or by valid UTF-8. */
export type TextEncoding = { readonly encoding: string; readonly isGuess: boolean }

const utf16Share = 0.3

/** @throws ProductFileError when there is no such file, or it is empty */
export async function startOf(file: string, bytes: number): Promise<Buffer> {
  const facts = await stat(file).catch((error: unknown) => {
    throw new ProductFileError(0, fileTrouble(error))
  })
  if (!facts.isFile()) throw new ProductFileError(0, fileTroubles.EISDIR ?? '')
  await using handle = await open(file).catch((error: unknown) => {
    throw new ProductFileError(0, fileTrouble(error))
  })
  const { buffer, bytesRead } = await handle.read(
    Buffer.alloc(Math.min(bytes, Math.max(facts.size, 1))),
    0,
    undefined,
    0,
  )
  if (bytesRead === 0) throw new ProductFileError(1, 'the file is empty')
  return buffer.subarray(0, bytesRead)
}

/**
 * Guesses the encoding: by a byte order mark, by zeros of UTF-16, else UTF-8 if all bytes are valid, else Windows-1252. A
 * file that is mostly UTF-8 counts as damaged UTF-8: its reader reports the place.
 */
export async function guessEncoding(file: string): Promise<TextEncoding> {
  const start = await startOf(file, 4096)
  const mark = start.toString('hex', 0, 3)
  if (mark === 'efbbbf') return { encoding: 'utf-8', isGuess: false }
  if (mark.startsWith('fffe')) return { encoding: 'utf-16le', isGuess: false }
  if (mark.startsWith('feff')) return { encoding: 'utf-16be', isGuess: false }
  const zeros = [0, 0]
  for (const [at, byte] of start.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  if (odd > start.length * utf16Share && even < odd / 4) return { encoding: 'utf-16le', isGuess: true }
  if (even > start.length * utf16Share && odd < even / 4) return { encoding: 'utf-16be', isGuess: true }
  const { letters, damaged } = await utf8Letters(file)
  return damaged === 0 || letters > damaged
    ? { encoding: 'utf-8', isGuess: false }
    : { encoding: 'windows-1252', isGuess: true }
}

/** Counts characters beyond ASCII in a file read as UTF-8, and places that are not UTF-8. */
async function utf8Letters(file: string): Promise<{ letters: number; damaged: number }> {
  const decoder = new TextDecoder('utf-8')
  let letters = 0
  let damaged = 0
  for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 })) {
    const text = decoder.decode(chunk, { stream: true })
    for (const [run] of text.matchAll(/[\u0080-\u{10FFFF}]+/gu)) {
      const broken = run.split('\uFFFD').length - 1
      damaged += broken
      letters += run.length - broken
    }
  }
  return { letters, damaged: damaged + (decoder.decode() === '' ? 0 : 1) }
}

const other: Readonly<Record<string, string>> = { 'utf-16': 'utf-16le', ansi: 'windows-1252', 'shift-jis': 'shift_jis' }

/** Returns the name of an encoding as this platform knows it, null for an unknown one. */
export function knownEncoding(name: string): string | null {
  const lower = name.trim().toLowerCase()
  try {
    return new TextDecoder(other[lower] ?? lower).encoding
  } catch {
    return null
  }
}
