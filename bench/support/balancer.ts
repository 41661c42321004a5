import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Balancer = AsyncDisposable & {
  readonly url: string
  /** Its certificate, where it speaks https. */
  readonly ca?: string
  /** Answers that it could not get from any of the shops. */
  readonly lost: readonly string[]
}

/** How often it asks whether a shop takes visitors. */
const lookMs = 200

/**
 * Shares requests out in turns to the shops that say at `/readyz` that they take visitors, as a proxy in front does: it keeps
 * connections to each, asks the next one where a connection is refused, and nobody a second time to whom something was sent.
 */
export async function aBalancer(ports: readonly number[]): Promise<Balancer> {
  // In the order of their last use, so that a shop that stops has told all of them soon.
  const agents = ports.map(() => new Agent({ keepAlive: true, scheduling: 'fifo' }))
  const lost: string[] = []
  const ready = ports.map(() => true)
  let turn = 0
  const next = () => {
    for (let tried = 0; tried < ports.length; tried += 1) {
      turn += 1
      if (ready[turn % ports.length]) break
    }
    return turn % ports.length
  }
  const looking = setInterval(() => {
    for (const [index, port] of ports.entries()) {
      const asked = request({ host: '127.0.0.1', port, path: '/readyz', agent: false }, (answer) => {
        answer.resume()
        ready[index] = answer.statusCode === 200
        if (!ready[index]) hangUp(agents[index])
      })
      asked.once('error', () => {
        ready[index] = false
      })
      asked.end()
    }
  }, lookMs)

  const pass = (asked: IncomingMessage, body: Buffer, answered: ServerResponse, tries: number): void => {
    const index = next()
    const sent = request(
      {
        host: '127.0.0.1',
        port: ports[index],
        agent: agents[index],
        method: asked.method,
        path: asked.url,
        headers: { ...asked.headers, connection: 'keep-alive' },
      },
      (answer) => {
        const { connection: _, 'keep-alive': __, ...headers } = answer.headers
        answered.writeHead(answer.statusCode ?? 502, headers)
        answer.pipe(answered)
        answer.once('error', (error) => failed(`cut: ${error.message}`))
      },
    )
    const failed = (why: string) => {
      lost.push(`${asked.method} ${asked.url}: ${why}`)
      if (answered.headersSent) answered.destroy()
      else answered.writeHead(502).end()
    }
    sent.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' && tries < 100) {
        setTimeout(() => pass(asked, body, answered, tries + 1), tries < ports.length ? 0 : 50)
      } else failed(`${error.code ?? error.message}${sent.reusedSocket ? ' on a kept connection' : ''}`)
    })
    sent.end(body)
  }
  const server = createServer({ keepAliveTimeout: 60_000 }, (asked, answered) => {
    const chunks: Buffer[] = []
    asked.on('data', (chunk: Buffer) => chunks.push(chunk))
    asked.once('end', () => pass(asked, Buffer.concat(chunks), answered, 0))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lost,
    async [Symbol.asyncDispose]() {
      clearInterval(looking)
      for (const agent of agents) agent.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Connections to a shop that stops, and on which nothing is asked, would only hold it up. */
function hangUp(agent: Agent | undefined): void {
  for (const sockets of Object.values(agent?.freeSockets ?? {})) for (const socket of sockets ?? []) socket.destroy()
}
