import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import type { Tools } from '../../shared/tools.ts'

/**
 * A file with SHA-1 digests of breached passwords, sorted, one per line: `SHA-1 in 40 hex digits:count`. It may have
 * tens of gigabytes, so it is never loaded: a lookup needs a few reads.
 */

/** Longer than two lines, so that each block contains a complete one; few enough bytes for one disk read. */
const blockBytes = 4096
const samples = 64
const line = /^([0-9a-f]{40})(?::\d+)?$/i

/** A fault of a file of digests. */
export class BreachedPasswordsError extends Error {
  override readonly name = 'BreachedPasswordsError'
}

/**
 * Checks whether the operator's file contains a password. If the file is unreadable, that is logged, and no password is
 * rejected.
 */
export async function isBreached(
  { breachedPasswords: path, log }: Pick<Tools, 'breachedPasswords' | 'log'>,
  password: string,
): Promise<boolean> {
  if (path === null) return false
  try {
    return await reading(path, (file, size) => find(file, size, digestOf(password)))
  } catch (error) {
    // The list of common passwords still applies: a disk failure must not prevent new passwords.
    log.error({ error: String(error) }, 'BREACHED_PASSWORDS file cannot be read')
    return false
  }
}

/**
 * Checks the beginning, the end and some places between; a small file is read completely.
 * @throws BreachedPasswordsError if it cannot be read, has other content than digests, or is not sorted
 */
export async function checkBreachedPasswords(path: string): Promise<void> {
  const wrong = (what: string) => new BreachedPasswordsError(`${path} ${what}`)
  try {
    await reading(path, async (file, size) => {
      if (size === 0) throw wrong('is empty')
      let last = ''
      let seen = -1
      for (const at of places(size)) {
        const lines = await linesAround(file, size, at)
        if (lines.length === 0) throw wrong(`has no line end near byte ${at}`)
        // Blocks of a small file overlap.
        for (const { start, text } of lines.filter((one) => one.start > seen)) {
          const digest = line.exec(text)?.[1]?.toUpperCase()
          if (!digest) throw wrong(`has no SHA-1 digest at byte ${start}`)
          if (digest < last) throw wrong(`is not sorted by digest: see byte ${start}`)
          last = digest
          seen = start
        }
      }
    })
  } catch (error) {
    if (error instanceof BreachedPasswordsError) throw error
    throw wrong(`cannot be read (${error instanceof Error && 'code' in error ? String(error.code) : String(error)})`)
  }
}

function places(size: number): number[] {
  const step = Math.max(blockBytes / 2, size / samples)
  return Array.from({ length: Math.ceil(size / step) }, (_, index) => Math.floor(index * step))
}

// SHA-1 is the list's format; it is unsuitable for storing passwords.
const digestOf = (password: string) => createHash('sha1').update(password.normalize('NFC')).digest('hex').toUpperCase()

async function reading<Result>(
  path: string,
  use: (file: FileHandle, size: number) => Promise<Result>,
): Promise<Result> {
  const file = await open(path, 'r')
  try {
    return await use(file, (await file.stat()).size)
  } finally {
    await file.close()
  }
}

/**
 * Digests are uniformly distributed, so interpolation search finds one in two or three reads. After some wrong guesses
 * binary search takes over, which terminates for any content.
 */
async function find(file: FileHandle, size: number, wanted: string): Promise<boolean> {
  const share = (digest: string) => Number.parseInt(digest.slice(0, 12), 16)
  let low = { at: 0, share: 0 }
  let high = { at: size, share: share('F'.repeat(12)) + 1 }
  for (let tries = 0; high.at > low.at; tries += 1) {
    const part = tries < 8 ? (share(wanted) - low.share) / Math.max(1, high.share - low.share) : 0.5
    const guess = low.at + Math.floor((high.at - low.at) * Math.min(1, Math.max(0, part)))
    const at = Math.min(high.at - 1, guess)
    const lines = await linesAround(file, size, at)
    const [first, last] = [lines[0], lines.at(-1)]
    if (!first || !last) throw new Error(`no line end near byte ${at}`)
    const digest = ({ text }: { text: string }) => text.slice(0, 40).toUpperCase()
    // By at least a byte, so that the search also terminates in an unsorted file.
    if (wanted < digest(first)) high = { at: Math.min(at, first.start), share: share(digest(first)) }
    else if (wanted > digest(last)) low = { at: Math.max(at + 1, last.start + last.bytes), share: share(digest(last)) }
    else return lines.some((one) => digest(one) === wanted)
  }
  return false
}

/**
 * Returns the complete lines of the block around a position, each with its start and its length in bytes, line end
 * included.
 */
async function linesAround(
  file: FileHandle,
  size: number,
  at: number,
): Promise<{ start: number; bytes: number; text: string }[]> {
  const from = Math.max(0, at - blockBytes / 2)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(blockBytes), 0, blockBytes, from)
  const block = buffer.toString('latin1', 0, bytesRead)
  const lines: { start: number; bytes: number; text: string }[] = []
  // A line that begins before the block is incomplete.
  for (let begin = from === 0 ? 0 : block.indexOf('\n') + 1; begin < block.length; ) {
    const end = block.indexOf('\n', begin)
    // The last line of a file may lack a line end.
    if (end === -1 && from + bytesRead < size) break
    const next = end === -1 ? block.length : end + 1
    lines.push({ start: from + begin, bytes: next - begin, text: block.slice(begin, next).trimEnd() })
    begin = next
  }
  return lines
}
