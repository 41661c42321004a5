import { Agent, createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { gracefulStop } from '#server/operations/startup/graceful-stop.ts'
import { until } from '#tests/support/payments/bookkeeping.ts'

type Answer = { status: number; connection: string | undefined; reused: boolean }

/** One request on a connection that is kept, as browsers and proxies have them. */
function ask(port: number, agent: Agent, path = '/'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', path, agent }, (response) => {
      response.resume()
      response.once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          connection: response.headers.connection,
          reused: sent.reusedSocket,
        }),
      )
    })
    sent.once('error', reject)
    sent.end()
  })
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

it('P8 M15: whoever stops cuts off nobody: what runs is answered, kept connections get their next answer', async () => {
  let letGo: () => void = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  let arrived = false
  const door = gracefulStop(
    async (asked, response) => {
      if (asked.url === '/slow') {
        arrived = true
        await held
      }
      response.end('done')
    },
    () => performance.now(),
  )
  const server = createServer({ keepAliveTimeout: 120_000 }, door.listener)
  const port = await listening(server)
  const clients = Array.from({ length: 20 }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
  const slow = new Agent({ keepAlive: true })
  await Promise.all(clients.map((agent) => ask(port, agent)))
  const running = ask(port, slow, '/slow')
  await until('the slow request', async () => arrived)

  let stopped = false
  const ended = door.stop(server, 100_000).then(() => {
    stopped = true
  })
  // Nobody new comes in.
  await expect(ask(port, new Agent())).rejects.toThrow(/ECONNREFUSED/)
  const [first, ...others] = clients
  expect(await ask(port, first ?? slow, '/readyz')).toEqual({ status: 503, connection: 'close', reused: true })
  const answers = await Promise.all(others.map((agent) => ask(port, agent)))
  expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
    new Set([JSON.stringify({ status: 200, connection: 'close', reused: true })]),
  )
  expect(stopped).toBe(false)
  letGo()
  expect(await running).toEqual({ status: 200, connection: 'close', reused: false })
  await until('the end', async () => stopped)
  await ended
})

it('P8: who is in a hurry ends idle connections at once', async () => {
  const door = gracefulStop(
    (_, response) => response.end('done'),
    () => performance.now(),
  )
  const server = createServer({ keepAliveTimeout: 120_000 }, door.listener)
  const port = await listening(server)
  const agent = new Agent({ keepAlive: true })
  await ask(port, agent)
  await door.stop(server, 0)
  await expect(ask(port, new Agent())).rejects.toThrow(/ECONNREFUSED/)
})

it('P8: patience ends: a connection that nobody uses does not keep the shop', async () => {
  const door = gracefulStop(
    (_, response) => response.end('done'),
    () => performance.now(),
  )
  const server = createServer({ keepAliveTimeout: 120_000 }, door.listener)
  const port = await listening(server)
  await ask(port, new Agent({ keepAlive: true }))
  await door.stop(server, 50)
  expect(server.listening).toBe(false)
})

it('P8 M15: balancers are told before the door is shut, and who comes until then is let in', async () => {
  const door = gracefulStop(
    (_, response) => response.end('done'),
    () => performance.now(),
  )
  const server = createServer({ keepAliveTimeout: 120_000 }, door.listener)
  const port = await listening(server)
  const stopped = door.stop(server, 0, 3_000)
  expect((await ask(port, new Agent(), '/readyz')).status).toBe(503)
  expect((await ask(port, new Agent())).status).toBe(200)
  await stopped
  await expect(ask(port, new Agent())).rejects.toThrow(/ECONNREFUSED/)
})

it('P8 M15: connections are ended once the door is shut, not before: each new one might meet it just then', async () => {
  const door = gracefulStop(
    (_, response) => response.end('done'),
    () => performance.now(),
  )
  const server = createServer({ keepAliveTimeout: 120_000 }, door.listener)
  const port = await listening(server)
  const proxy = new Agent({ keepAlive: true, maxSockets: 1 })
  await ask(port, proxy)
  const stopped = door.stop(server, 100_000, 1_000)
  for (let nr = 0; nr < 3; nr += 1)
    expect(await ask(port, proxy)).toEqual({ status: 200, connection: 'keep-alive', reused: true })
  await until('the shut door', async () => !server.listening)
  expect(await ask(port, proxy)).toEqual({ status: 200, connection: 'close', reused: true })
  await stopped
})

it('P8 M15: who stands before the door when it is to be shut is let in first', async () => {
  const door = gracefulStop(
    (_, response) => response.end('done'),
    () => performance.now(),
  )
  const server = createServer({ keepAliveTimeout: 120_000 }, door.listener)
  const port = await listening(server)
  const noticeMs = 50
  // In the same turn of the event loop as the end of the notice, and before it: the connection is made, and not yet taken.
  const asked = new Promise<Answer>((resolve) => setTimeout(() => resolve(ask(port, new Agent())), noticeMs))
  const stopped = door.stop(server, 1_000, noticeMs)
  expect(await asked).toEqual({ status: 200, connection: 'close', reused: false })
  await stopped
})
