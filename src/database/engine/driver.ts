import { registerHooks } from 'node:module'

/** A place in a file of the driver's source, and what stands there instead. */
type Repair = readonly [place: string, repaired: string, file: 'connection.js' | 'index.js']

/**
 * What the driver leaves behind where a connection closes, and gives to whoever the connection is opened for next; and in how many
 * pieces it writes. `instance-lock.test.ts` tells when a newer driver has other lines there.
 */
export const repairs: readonly Repair[] = [
  [
    // What the server said last would be told to the next one, and a connection that it meant to reserve is lent to nobody ever
    // again. What was not yet written would come before the greeting, which with the timer's number kept is not sent at all.
    'socket.removeAllListeners()\n    socket = null\n',
    'socket.removeAllListeners()\n    socket = null\n    errorResponse = chunk = nextWriteTimer = null\n',
    'connection.js',
  ],
  // A query that came between the fault of a socket and its end would wait for ever.
  ['    !hadError && (query || sent.length) && error(', '    ;(query || sent.length) && error(', 'connection.js'],
  // Rows of an answer that was cut would stand before the next answer's.
  [
    '    closedTime = performance.now()\n',
    '    query = results = final = null\n    result = new Result()\n    rows = 0\n    closedTime = performance.now()\n',
    'connection.js',
  ],
  // Who still holds what is closed is told so: writing to it would end the process.
  [
    '    if (q.cancelled)\n      return\n',
    "    if (q.cancelled)\n      return\n\n    if (!socket)\n      return queryError(q, Errors.connection('CONNECTION_CLOSED', options)), true\n",
    'connection.js',
  ],
  // Who waits to reserve a connection stands in the queue until one is open. Taken out of it to open another, they would wait for
  // ever; left in it when that failed and they were told so, the next connection would be lent to nobody, and not come back.
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
  // Who holds a connection hears of its end from the first moment on: a statement with parameters would not have told them.
  [
    '    const sql = Sql(handler)\n    sql.release = ',
    '    const sql = Sql(handler)\n    sql.connection = c\n    sql.release = ',
    'index.js',
  ],
  // A connection that shall end, with its pool or of its age, ends once it is given back and nobody waits for it: the closing of a
  // pool would wait for it in vain. One that is given back while it answers is lent when it has answered: what the next one asked
  // would come between the description of a statement and its values, and be carried out in its place.
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
  // A pooler lends its server to another client at the end of a statement, and what asks for the description of the next one is no
  // statement to it: the answer would reach nobody. So where nothing is prepared, nothing is sent behind what is under way.
  [
    '        && (!q.options.onexecute || q.options.onexecute(connection))\n',
    '        && (!q.options.onexecute || q.options.onexecute(connection))\n        && options.prepare\n',
    'connection.js',
  ],
  // What hangs up without a word, as a proxy does that has no server behind it, has refused. It would be asked again at once, a
  // thousand times a second, for as long as it does so. Of several servers another one is asked.
  [
    '    if (initial)\n      return reconnect()\n',
    "    if (initial && options.host[1])\n      return reconnect()\n    initial && errored(Errors.connection('CONNECTION_CLOSED', options, socket))\n",
    'connection.js',
  ],
  // A statement that cannot be sent, of a value that is none, fails by itself. It would fail the one that is under way in its place,
  // and be given the answer to the next one, as that would be given another's.
  [
    '      sent.length === 0 && write(Sync)\n      errored(error)\n      return true\n',
    '      sent.remove(q) ? queryError(q, error) : (write(Sync), errored(error))\n      return options.prepare\n',
    'connection.js',
  ],
  // A statement that is out of date is tried once more. In a transaction, which has failed by then, that changes nothing but the
  // order: it would be carried out behind the rollback. All that is prepared is forgotten, since what changed one changes others.
  [
    '            ? retry(query, errorResponse)\n',
    '            ? x[5] === 73 ? retry(query, errorResponse) : (statements = {}, errored(errorResponse))\n',
    'connection.js',
  ],
  // Tried again, it would ask for the types of its parameters first, and take the answer to what was sent behind it for its own;
  // and parameters that were written as text once would be written as the text of that text.
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
  // A transaction whose connection was lost fails at once, and its work goes on beside that: what it asks then, and its rollback,
  // would run in the transaction of whoever the connection is opened for next.
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
  // What is closed while it waits to be opened again would be opened all the same, belong to nobody and stay.
  ['    , terminated = false\n', '    , terminated = false\n    , reconnecting = null\n', 'connection.js'],
  ['    setTimeout(connect, closedTime ?', '    reconnecting = setTimeout(connect, closedTime ?', 'connection.js'],
  [
    '    clearImmediate(nextWriteTimer)\n    if (socket) {\n',
    '    clearTimeout(reconnecting)\n    clearImmediate(nextWriteTimer)\n    if (socket) {\n',
    'connection.js',
  ],
  // What is asked for together leaves together: each write wakes a server that sleeps, and costs more than copying what it writes.
  ['chunk.length >= 1024', 'chunk.length >= 65536', 'connection.js'],
]

/** On the driver itself: who loads this file a second time, as the messages' own bundle does, finds the driver loaded and mended. */
const isMended = Symbol.for('vitrine.driver-mended')
const mended = new Set<string>()

const hooks = registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    const here = repairs.filter(([, , file]) => url.endsWith(`/postgres/src/${file}`))
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
if (mended.size > 0) Object.defineProperty(driver, isMended, { value: true })
// As it is when a bundler has taken it in: it would do well until the first connection is lost.
if (!(isMended in driver)) throw new Error('the driver of the database was loaded without its repairs')
