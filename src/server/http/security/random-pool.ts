import { randomFillSync } from 'node:crypto'

const poolBytes = 4096
/** Larger pieces are not worth sharing a portion. */
const mostFromPool = 64

/**
 * Random bytes as hexadecimal digits, of the system's generator. It is asked for four kilobytes at a time: for eight bytes it takes
 * as long, and every request asks several times. No byte is given out twice, and none stays here that was given out.
 */
export function createRandomPool(): (bytes: number) => string {
  const pool = Buffer.alloc(poolBytes)
  let used = poolBytes
  return (bytes) => {
    if (bytes > mostFromPool) return randomFillSync(Buffer.alloc(bytes)).toString('hex')
    if (used + bytes > poolBytes) {
      randomFillSync(pool)
      used = 0
    }
    const text = pool.toString('hex', used, used + bytes)
    pool.fill(0, used, used + bytes)
    used += bytes
    return text
  }
}
