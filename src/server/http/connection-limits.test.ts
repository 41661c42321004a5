import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { connectionLimits, limitedServer } from './connection-limits.ts'

/** Larger than the kernel's send buffer for a client that reads nothing. */
const page = Buffer.alloc(1_000_000, 'x')
const pages = 20
const stillMs = 1_000
const nowMs = () => performance.now()

async function visited(visit: (socket: Socket) => Promise<void>): Promise<{ answers: number; left: number }> {
  let answers = 0
  const server = limitedServer(
    (_, response) => {
      response.once('finish', () => {
        answers += 1
      })
      response.end(page)
    },
    { nowMs, mostStillMs: stillMs },
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
  socket.on('error', () => {})
  try {
    await once(socket, 'connect')
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(pages))
    await visit(socket)
    const left = await new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)))
    return { answers, left }
  } finally {
    socket.destroy()
    server.closeAllConnections()
    server.close()
  }
}

it('F37 P9 who asks for many pages and reads none is let go: they would be kept in memory for ever', async () => {
  const { answers, left } = await visited(() => sleep(stillMs * 3))
  expect(answers).toBeLessThan(pages)
  expect(left).toBe(0)
})

it('F37 who reads slowly, and longer than nobody may stand still, gets it all', async () => {
  let bytes = 0
  const { answers } = await visited(async (socket) => {
    const until = performance.now() + 10_000
    while (bytes < page.length * pages && performance.now() < until) {
      await sleep(10)
      for (let part = socket.read(); part !== null; part = socket.read()) bytes += part.length
    }
  })
  expect(bytes).toBeGreaterThan(page.length * pages)
  expect(answers).toBe(pages)
})

it('P8 a client that stood still for longer than its connection is kept finds it open all the same', async () => {
  const server = limitedServer((_, response) => response.end('here'), { nowMs })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const ask = async () => {
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    return String(await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => 'closed')]))
  }
  try {
    expect(await ask()).toContain('Keep-Alive: timeout=10')
    await sleep(13_000)
    expect(await ask()).toContain('here')
  } finally {
    socket.destroy()
    server.closeAllConnections()
    server.close()
  }
})

/**
 * Connects at once and sends its request after `asksAfterMs`, from another thread that runs while this one is blocked.
 */
const visitor = (port: number, asksAfterMs: number) =>
  new Worker(
    `const { parentPort } = require('node:worker_threads')
    const socket = require('node:net').connect(${port}, '127.0.0.1', () => {
      parentPort.postMessage('connected')
      setTimeout(() => socket.write('GET / HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n'), ${asksAfterMs})
    })
    socket.once('data', (data) => { parentPort.postMessage(String(data)); socket.destroy() })
    socket.once('error', ({ code }) => parentPort.postMessage(code))
    socket.once('close', () => parentPort.postMessage('closed'))`,
    { eval: true },
  )

it('F37 P9 who asked while the server stood still, for longer than it waits for anybody, is answered', async () => {
  const server = limitedServer((_, response) => response.end('here'), { nowMs })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const [asks, stays] = [visitor(port, 1_000), visitor(port, 60_000)]
  try {
    await Promise.all([asks, stays].map((one) => once(one, 'message')))
    // The server has accepted both.
    await sleep(100)
    const answered = once(asks, 'message')
    const closed = once(stays, 'message')
    // The phase in which a program handles arrived data: Node checks its timeouts next.
    await new Promise((resolve) => setImmediate(resolve))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, connectionLimits.headersTimeout + 1_500)
    expect(String(await answered)).toContain('here')
    // A connection that is still silent is closed as usual.
    const began = performance.now()
    expect(String(await closed)).toContain('408')
    expect(performance.now() - began).toBeLessThan(3_000)
  } finally {
    await Promise.all([asks.terminate(), stays.terminate()])
    server.closeAllConnections()
    server.close()
  }
})
