import type { Duplex } from 'node:stream'

/** More is written at once. */
const gatheredBytes = 65_536

/**
 * Makes a stream write at the end of the turn what is written in one: each write wakes a sleeping server, which costs
 * more than copying.
 */
export function gatherWrites(stream: Duplex): void {
  const write = stream.write.bind(stream)
  let gathered: Buffer[] = []
  let bytes = 0
  let timer: NodeJS.Immediate | null = null
  const flush = (done?: (error?: Error | null) => void) => {
    if (timer) clearImmediate(timer)
    const whole = gathered.length === 1 ? gathered[0] : Buffer.concat(gathered, bytes)
    gathered = []
    bytes = 0
    timer = null
    if (stream.writable) write(whole, done)
  }
  stream.write = ((piece: Buffer, done?: (error?: Error | null) => void) => {
    gathered.push(piece)
    bytes += piece.length
    if (done || bytes >= gatheredBytes) flush(done)
    else timer ??= setImmediate(flush)
    return !stream.writableNeedDrain
    // The driver writes buffers only.
  }) as typeof stream.write
}
