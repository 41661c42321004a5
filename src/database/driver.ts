import { registerHooks } from 'node:module'

/** A place in the driver's source, and what stands there instead. */
type Repair = readonly [place: string, repaired: string]

/**
 * What the driver leaves behind where a connection closes, and gives to whoever the connection is opened for next.
 * `lost-connections.test.ts` tells when a newer driver has other lines there.
 */
export const repairs: readonly Repair[] = [
  [
    // What the server said last would be told to the next one, and a connection that it meant to reserve is lent to nobody ever
    // again. What was not yet written would come before the greeting, which with the timer's number kept is not sent at all.
    'socket.removeAllListeners()\n    socket = null\n',
    'socket.removeAllListeners()\n    socket = null\n    errorResponse = chunk = nextWriteTimer = null\n',
  ],
  // A query that came between the fault of a socket and its end would wait for ever.
  ['    !hadError && (query || sent.length) && error(', '    ;(query || sent.length) && error('],
  // Rows of an answer that was cut would stand before the next answer's.
  [
    '    closedTime = performance.now()\n',
    '    query = results = final = null\n    result = new Result()\n    rows = 0\n    closedTime = performance.now()\n',
  ],
  // Who still holds what is closed is told so: writing to it would end the process.
  [
    '    if (q.cancelled)\n      return\n',
    "    if (q.cancelled)\n      return\n\n    if (!socket)\n      return queryError(q, Errors.connection('CONNECTION_CLOSED', options)), true\n",
  ],
]

const hooks = registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    if (!url.endsWith('/postgres/src/connection.js') || !loaded.source) return loaded
    const text = Buffer.from(loaded.source as Uint8Array).toString()
    return { ...loaded, source: repairs.reduce((source, [place, repaired]) => source.replace(place, repaired), text) }
  },
})
export const { default: driver } = await import('postgres')
hooks.deregister()
