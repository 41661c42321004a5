import { randomFillSync } from 'node:crypto'

const poolBytes = 4096
/** Larger requests bypass the pool. */
const mostFromPool = 64

/**
 * Creates a source of random bytes in hexadecimal, from the system's generator. It reads four kilobytes at a time:
 * eight bytes take as long, and each request needs several. No byte is used twice, and used bytes are erased.
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
