import type { Server } from 'node:http'
import { type Server as Listening, type ListenOptions, createServer as listener } from 'node:net'

/**
 * Number of listening sockets. The event loop accepts one connection from each socket per iteration (libuv 1.52), and
 * an iteration of a busy shop takes twenty milliseconds. With one socket only fifty connections a second would be
 * accepted; a burst would wait half a minute and be reset, instead of receiving a 503 at once.
 */
const socketCount = 16

const further = new WeakMap<Server, Listening[]>()

/** A failure to listen; `EADDRINUSE` means that another program uses the port. */
type Failure = NodeJS.ErrnoException

/**
 * Listens on a port, with several sockets where the system distributes connections among them (SO_REUSEPORT).
 * @returns the port, or why it cannot be used
 */
export async function openListeners(server: Server, place: { port: number; host: string }): Promise<number | Failure> {
  // Sockets with SO_REUSEPORT share a port with other processes of the same user. A probe without it detects a port in
  // use.
  const probe = listener()
  const port = await listening(probe, place)
  if (typeof port !== 'number') return port
  await new Promise((resolve) => probe.close(resolve))
  const shared = { ...place, port, reusePort: true }
  const first = await listening(server, shared)
  if (typeof first !== 'number') return first.code === 'EADDRINUSE' ? first : listening(server, { ...place, port })
  const sockets: Listening[] = []
  for (let nr = 1; nr < socketCount; nr += 1) {
    // The options of an HTTP server's own connections.
    const socketServer = listener({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket))
    if (typeof (await listening(socketServer, shared)) !== 'number') break
    sockets.push(socketServer)
  }
  further.set(server, sockets)
  return port
}

/** Closes the listening sockets beside the server's own. @returns once their connections have ended */
export async function closeListeners(server: Server): Promise<void> {
  const sockets = further.get(server) ?? []
  further.delete(server)
  await Promise.all(sockets.map((socketServer) => new Promise((resolve) => socketServer.close(resolve))))
}

function listening(server: Listening, place: ListenOptions): Promise<number | Failure> {
  return new Promise((resolve) => {
    const onError = (error: Failure) => resolve(error)
    server.once('error', onError)
    server.listen(place, () => {
      server.off('error', onError)
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : (place.port ?? 0))
    })
  })
}
