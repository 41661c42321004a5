import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect, Server as Listening, createServer as listener } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { closeListeners, openListeners } from './listeners.ts'

const host = '127.0.0.1'

async function opened(server: Server): Promise<number> {
  const port = await openListeners(server, { port: 0, host })
  if (typeof port !== 'number') throw port
  return port
}

const ended = (server: Server) => Promise.all([new Promise((resolve) => server.close(resolve)), closeListeners(server)])

/** Opens `connections` connections from another thread, with one request on each or repeated ones. */
const crowd = (port: number, connections: number, again: boolean) =>
  new Worker(
    `const ask = 'GET / HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n'
    for (let nr = 0; nr < ${connections}; nr += 1) {
      const socket = require('node:net').connect(${port}, '${host}', () => socket.write(ask))
      socket.on('data', () => ${again} && socket.write(ask)).on('error', () => {})
    }`,
    { eval: true },
  )

it('P9 F37 M14 a shop that is busy with some lets in those who come meanwhile, many in each turn', async () => {
  let came = 0
  const server = createServer((_, response) => {
    for (const until = performance.now() + 0.1; performance.now() < until; );
    response.end('here')
  }).on('connection', () => {
    came += 1
  })
  const port = await opened(server)
  const busyWith = crowd(port, 20, true)
  try {
    await expect.poll(() => came, { timeout: 10_000 }).toBe(20)
    const others = crowd(port, 200, false)
    await once(others, 'online')
    // Blocks this thread while they connect.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
    let most = 0
    for (const until = performance.now() + 10_000; came < 220 && performance.now() < until; ) {
      const before = came
      await nextTurn()
      most = Math.max(most, came - before)
    }
    await others.terminate()
    expect(came).toBe(220)
    // With one socket it is one. The kernel distributes connections at random.
    expect(most).toBeGreaterThanOrEqual(4)
  } finally {
    await busyWith.terminate()
    server.closeAllConnections()
    await ended(server)
  }
})

it('a port that another program listens on is taken, also where that one shares it', async () => {
  const alone = listener().listen(0, host)
  await once(alone, 'listening')
  const [server, another] = [createServer(), createServer()]
  try {
    const { port: taken } = alone.address() as { port: number }
    expect(await openListeners(server, { port: taken, host })).toMatchObject({ code: 'EADDRINUSE' })
    const port = await opened(server)
    expect(await openListeners(another, { port, host })).toMatchObject({ code: 'EADDRINUSE' })
  } finally {
    alone.close()
    await ended(server)
  }
})

it('P8 who has come in at any door is answered while the doors are shut, and nobody else comes in', async () => {
  const server = createServer((_, response) => response.end('here'))
  const port = await opened(server)
  const sockets = Array.from({ length: 64 }, () => connect(port, host))
  try {
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    // Until the last connection is accepted.
    await sleep(50)
    // Not the server's own `close`, which ends idle connections at once.
    const own = new Promise((resolve) => Listening.prototype.close.call(server, resolve))
    const over = Promise.all([own, closeListeners(server)])
    const [refused] = await once(connect(port, host), 'error')
    expect(refused).toMatchObject({ code: 'ECONNREFUSED' })
    const answers = sockets.map(async (socket) => {
      socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
      return String((await once(socket, 'data'))[0])
    })
    for (const answer of await Promise.all(answers)) expect(answer).toContain('here')
    await over
  } finally {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
})
