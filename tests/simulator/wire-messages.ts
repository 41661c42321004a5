/** A connection's messages to the database server and back, read as they pass by (PostgreSQL, chapter "Frontend/Backend Protocol"). */

/** By which messages an answer ends: ready for a query; or, after a flush, the last of what was asked for. */
export const endOf = { query: 'Z', description: 'TnE', execution: 'CsIE' }

/** What whole messages of the driver ask for: the ends of the answers to each sync, simple query and flush, in this order. */
export function countAsked(bytes: Buffer): { ends: string[]; statements: number } {
  const asked = { ends: [] as string[], statements: 0 }
  let executes = false
  for (let at = 0; at + 5 <= bytes.length; at += 1 + bytes.readUInt32BE(at + 1)) {
    const name = String.fromCharCode(bytes[at] ?? 0)
    if (name === 'S' || name === 'Q') asked.ends.push(endOf.query)
    if (name === 'H') asked.ends.push(executes ? endOf.execution : endOf.description)
    if (name === 'E') executes = true
    if (name === 'E' || name === 'Q') asked.statements += 1
    if (name === 'S' || name === 'H') executes = false
  }
  // Each connection asks by itself which types there are, and how many connections there are depends on the machine's pace.
  if (bytes.includes('pg_catalog.pg_type')) asked.statements = 0
  return asked
}

const writes = /\b(?:insert\s+into|update|delete\s+from)\s+"?([a-z_]+)/gi

/**
 * Adds the tables that bound statements write to.
 * @param statements the tables of each prepared statement of the connection, by its name
 */
export function noteWritten(bytes: Buffer, statements: Map<string, readonly string[]>, written: Set<string>): void {
  for (let at = 0; at + 5 <= bytes.length; at += 1 + bytes.readUInt32BE(at + 1)) {
    const kind = String.fromCharCode(bytes[at] ?? 0)
    if (kind !== 'P' && kind !== 'B' && kind !== 'Q') continue
    const first = bytes.indexOf(0, at + 5)
    const second = bytes.indexOf(0, first + 1)
    if (kind === 'B') {
      for (const table of statements.get(bytes.toString('latin1', first + 1, second)) ?? []) written.add(table)
      continue
    }
    const text = kind === 'Q' ? bytes.toString('latin1', at + 5, first) : bytes.toString('latin1', first + 1, second)
    const tables = [...text.matchAll(writes)].map(([, table = '']) => table)
    if (kind === 'P') statements.set(bytes.toString('latin1', at + 5, first), tables)
    else for (const table of tables) written.add(table)
  }
}

/** Names the messages of the server's, which come in pieces of any size, what a completed command says it did, and who serves. */
export function answerReader(found: (name: string, tag: string) => void): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0)
  let skip = 0
  return (bytes) => {
    let chunk = rest.length > 0 ? Buffer.concat([rest, bytes]) : bytes
    rest = Buffer.alloc(0)
    const skipped = Math.min(skip, chunk.length)
    skip -= skipped
    chunk = chunk.subarray(skipped)
    let at = 0
    while (at + 5 <= chunk.length) {
      const end = at + 1 + chunk.readUInt32BE(at + 1)
      const name = String.fromCharCode(chunk[at] ?? 0)
      const isTold = name === 'C' || name === 'K'
      if (end > chunk.length && name !== 'Z' && !isTold) {
        found(name, '')
        skip = end - chunk.length
        return
      }
      if (end > chunk.length) break
      found(name, isTold ? chunk.toString('latin1', at + 5, end - (name === 'C' ? 1 : 0)) : '')
      at = end
    }
    rest = Buffer.from(chunk.subarray(at))
  }
}

/** The number of the server's process that serves a connection, as it says when that is opened (`BackendKeyData`). */
export const serverProcess = (told: string): number => Buffer.from(told, 'latin1').readInt32BE(0)
