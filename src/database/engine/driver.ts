import { registerHooks } from 'node:module'

/** A passage in a file of the driver's source, and its replacement. */
type Patch = readonly [place: string, repaired: string, file: 'connection.js' | 'index.js']

/**
 * Patches of the driver: state that leaks from a closed connection to the next user of its slot, and the number of
 * writes. `instance-lock.test.ts` fails if a newer driver has different lines.
 */
export const patches: readonly Patch[] = [
  [
    // The last server message would reach the next user, and a connection to be reserved would never be usable again.
    // Unsent data would precede the startup message, which with a pending timer would not be sent at all.
    'socket.removeAllListeners()\n    socket = null\n',
    'socket.removeAllListeners()\n    socket = null\n    errorResponse = chunk = nextWriteTimer = null\n',
    'connection.js',
  ],
  // A query queued between a socket's error and its close would wait for ever.
  ['    !hadError && (query || sent.length) && error(', '    ;(query || sent.length) && error(', 'connection.js'],
  // Rows of an interrupted result would precede those of the next one.
  [
    '    closedTime = performance.now()\n',
    '    query = results = final = null\n    result = new Result()\n    rows = 0\n    closedTime = performance.now()\n',
    'connection.js',
  ],
  // A holder of a closed connection gets an error: writing to it would end the process.
  [
    '    if (q.cancelled)\n      return\n',
    "    if (q.cancelled)\n      return\n\n    if (!socket)\n      return queryError(q, Errors.connection('CONNECTION_CLOSED', options)), true\n",
    'connection.js',
  ],
  // A request to reserve a connection stays queued until one is open. If it were taken out to open another, it would
  // wait for ever; if it stayed after that failed and was rejected, the next connection would be lent to nobody and
  // never returned.
  [
    'queries.length && connect(c, queries.shift())',
    'const next = queries.length && queries.shift()\n    next && next.reserve && queries.push(next)\n    next && connect(c, next)',
    'index.js',
  ],
  [
    'const query = { reserve: resolve, reject }',
    'const query = { reserve: resolve, reject: error => (queries.remove(query), reject(error)) }',
    'index.js',
  ],
  // The holder of a connection is notified of its end immediately: a statement with parameters would not report it.
  [
    '    const sql = Sql(handler)\n    sql.release = ',
    '    const sql = Sql(handler)\n    sql.connection = c\n    sql.release = ',
    'index.js',
  ],
  // A connection to be closed, with its pool or by age, closes when it is released and has no waiters: closing the pool
  // would wait in vain. One that is released while busy is lent after its answer: otherwise the next statement would
  // run between description and values of the previous one.
  [
    '      c.reserved = null\n      onopen(c)\n',
    '      c.reserved = null\n      c.isIdle() && (c.mayEnd() && !queries.length ? c.terminate() : onopen(c))\n',
    'index.js',
  ],
  [
    '    end,\n    count: 0,',
    '    end,\n    isIdle: () => !query && !sent.length,\n    mayEnd: () => ending,\n    count: 0,',
    'connection.js',
  ],
  // In transaction mode, a pooler reassigns its server after a statement, and a request to describe the next one does
  // not count as a statement: its answer would be lost. Without prepared statements, nothing is pipelined.
  [
    '        && (!q.options.onexecute || q.options.onexecute(connection))\n',
    '        && (!q.options.onexecute || q.options.onexecute(connection))\n        && options.prepare\n',
    'connection.js',
  ],
  // A connection closed without a message, as by a proxy without a server, counts as refused. It would be retried a
  // thousand times a second. With several servers, another one is tried.
  [
    '    if (initial)\n      return reconnect()\n',
    "    if (initial && options.host[1])\n      return reconnect()\n    initial && errored(Errors.connection('CONNECTION_CLOSED', options, socket))\n",
    'connection.js',
  ],
  // A statement that cannot be sent, for an invalid value, fails alone. Otherwise the one in progress would fail
  // instead, and results would shift by one statement.
  [
    '      sent.length === 0 && write(Sync)\n      errored(error)\n      return true\n',
    '      sent.remove(q) ? queryError(q, error) : (write(Sync), errored(error))\n      return options.prepare\n',
    'connection.js',
  ],
  // An outdated statement is retried. In a failed transaction that would only run it after the rollback. All prepared
  // statements are discarded, because the same change affects others.
  [
    '            ? retry(query, errorResponse)\n',
    '            ? x[5] === 73 ? retry(query, errorResponse) : (statements = {}, errored(errorResponse))\n',
    'connection.js',
  ],
  // A retry would describe the parameter types first, and take the answer to the next statement for its own; and values
  // already serialized to text would be serialized again.
  [
    '    delete statements[q.signature]\n    q.retried = error\n',
    '    statements = {}\n    q.retried = error\n    q.parameters = null\n',
    'connection.js',
  ],
  [
    'q.onlyDescribe || (parameters.length && !q.prepared)',
    'q.onlyDescribe || (parameters.length && !q.prepared && !q.retried)',
    'connection.js',
  ],
  [
    '      : { string, types, name: q.prepare ? statementId',
    '      : { string, types: q.retried ? q.statement.types : types, name: q.prepare ? statementId',
    'connection.js',
  ],
  // A transaction whose connection was lost fails at once, but its work continues: later statements, and its rollback,
  // would run in the transaction of the slot's next user.
  ['    let savepoints = 0\n', '    let lost = null\n    let savepoints = 0\n', 'index.js'],
  [
    'new Promise((_, reject) => connection.onclose = reject)',
    'new Promise((_, reject) => connection.onclose = error => reject(lost = error))',
    'index.js',
  ],
  [
    '        q.catch(e => uncaughtError || (uncaughtError = e))\n',
    '        q.catch(e => uncaughtError || (uncaughtError = e))\n        if (lost)\n          return q.reject(lost)\n',
    'index.js',
  ],
  // A connection closed while it waits to reconnect would still be opened, without an owner, and stay.
  ['    , terminated = false\n', '    , terminated = false\n    , reconnecting = null\n', 'connection.js'],
  ['    setTimeout(connect, closedTime ?', '    reconnecting = setTimeout(connect, closedTime ?', 'connection.js'],
  [
    '    clearImmediate(nextWriteTimer)\n    if (socket) {\n',
    '    clearTimeout(reconnecting)\n    clearImmediate(nextWriteTimer)\n    if (socket) {\n',
    'connection.js',
  ],
  // Concurrent statements are sent together: each write wakes a sleeping server, which costs more than copying.
  ['chunk.length >= 1024', 'chunk.length >= 65536', 'connection.js'],
]

/** Stored on the driver itself: a second copy of this file, as in the mail bundle, finds the driver patched. */
const isPatched = Symbol.for('vitrine.driver-mended')
const mended = new Set<string>()

const hooks = registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    const here = patches.filter(([, , file]) => url.endsWith(`/postgres/src/${file}`))
    if (!here.length || !loaded.source) return loaded
    mended.add(url)
    const text = Buffer.from(loaded.source as Uint8Array).toString()
    return {
      ...loaded,
      source: here.reduce((source, [place, repaired]) => source.replace(place, () => repaired), text),
    }
  },
})
export const { default: driver } = await import('postgres')
hooks.deregister()
if (mended.size > 0) Object.defineProperty(driver, isPatched, { value: true })
// True for a bundled driver, which would work until the first lost connection.
if (!(isPatched in driver)) throw new Error('database driver was loaded without its patches')
