import type { Server } from 'node:http'
import { type Server as Listening, type ListenOptions, createServer as listener } from 'node:net'

/**
 * Sockets on which a server listens. The event loop takes one connection from each of them in a turn (libuv 1.52), and a turn of a
 * busy shop takes twenty milliseconds: at one door fifty a second would come in, and a crowd would wait before it for half a minute
 * and be reset, where each could be told in a moment when to come again.
 */
const doorCount = 16

const further = new WeakMap<Server, Listening[]>()

/** Who is to listen where another program does learns it from the error's code, `EADDRINUSE`. */
type Failure = NodeJS.ErrnoException

/**
 * Listens on a port, where the system can at several sockets among which it shares out who comes (SO_REUSEPORT).
 * @returns the port, or why it cannot be listened on
 */
export async function openListeners(server: Server, place: { port: number; host: string }): Promise<number | Failure> {
  // Such sockets share a port with any other of the same user's: that nobody has it is seen by one that does not.
  const probe = listener()
  const port = await listening(probe, place)
  if (typeof port !== 'number') return port
  await new Promise((resolve) => probe.close(resolve))
  const shared = { ...place, port, reusePort: true }
  const first = await listening(server, shared)
  if (typeof first !== 'number') return first.code === 'EADDRINUSE' ? first : listening(server, { ...place, port })
  const doors: Listening[] = []
  for (let nr = 1; nr < doorCount; nr += 1) {
    // As an HTTP server has its connections.
    const door = listener({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket))
    if (typeof (await listening(door, shared)) !== 'number') break
    doors.push(door)
  }
  further.set(server, doors)
  return port
}

/** Takes no more connections at the doors beside the server's own. @returns once those that came in there have ended */
export async function closeListeners(server: Server): Promise<void> {
  const doors = further.get(server) ?? []
  further.delete(server)
  await Promise.all(doors.map((door) => new Promise((resolve) => door.close(resolve))))
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
