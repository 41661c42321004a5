import { once } from 'node:events'

/** Has a process of Node's collect all garbage. @param port where its debugger listens on this machine (`--inspect`) */
export async function askForGarbage(port: number): Promise<void> {
  const [target] = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()
  const socket = new WebSocket(target.webSocketDebuggerUrl)
  await once(socket, 'open')
  try {
    // Twice: what a first collection sets free may have held something else.
    for (const id of [1, 2]) {
      socket.send(JSON.stringify({ id, method: 'HeapProfiler.collectGarbage' }))
      await once(socket, 'message')
    }
  } finally {
    socket.close()
  }
}
