import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { leanClient } from './lean-client.ts'

type Clients = {
  readonly sockets: readonly Socket[] /** Those that the shop has not hung up on. */
  open(): number
  close(): void
}

/** Each address of a machine has some 28,000 ports to call from: four of them are room enough. */
const addressOf = (nr: number) => `127.0.0.${2 + (nr % 4)}`

/** Connections on which one thing was asked and nothing more is. */
export async function idleClients(url: string, count: number): Promise<Clients> {
  return clients(url, count, (socket) => {
    socket.resume()
    socket.write('GET /healthz HTTP/1.1\r\nHost: shop.test\r\n\r\n')
  })
}

const pages = Array.from({ length: 20 }, (_, nr) => `/shop/?min_price=${nr}`)

/** Half of them send a form by a byte every half a second, half ask for twenty pages that are ready, and read none. */
export async function slowClients(url: string, count: number): Promise<Clients> {
  const { host } = new URL(url)
  const asking = leanClient()
  for (const page of pages) await asking.ask(new URL(page, url))
  asking.close()
  const all = await clients(url, count, (socket, nr) => {
    if (nr % 2 === 0) {
      socket.resume()
      socket.write(`POST /?wc-ajax=checkout HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 5000\r\n\r\n`)
      return
    }
    socket.pause()
    for (const page of pages) socket.write(`GET ${page} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  })
  const dripping = setInterval(() => {
    for (const [nr, socket] of all.sockets.entries()) if (nr % 2 === 0 && socket.writable) socket.write('x')
  }, 500)
  return {
    ...all,
    close() {
      clearInterval(dripping)
      all.close()
    },
  }
}

async function clients(url: string, count: number, begin: (socket: Socket, nr: number) => void): Promise<Clients> {
  const { hostname, port } = new URL(url)
  const sockets: Socket[] = []
  for (let nr = 0; nr < count; nr += 1) {
    const socket = connect({ host: hostname, port: Number(port), localAddress: addressOf(nr) })
    // Whom the shop hangs up on is no longer counted.
    socket.on('error', () => {})
    socket.once('connect', () => begin(socket, nr))
    sockets.push(socket)
    if (nr % 200 === 199) await sleep(20)
  }
  const deadline = performance.now() + 20_000
  while (sockets.some((socket) => socket.connecting) && performance.now() < deadline) await sleep(50)
  return {
    sockets,
    open: () => sockets.filter((socket) => !socket.connecting && !socket.destroyed && !socket.readableEnded).length,
    close() {
      for (const socket of sockets) socket.destroy()
    },
  }
}
