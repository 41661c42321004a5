import { connect } from 'node:net'

/** What came back on a connection, and whether the server has hung up by itself. */
export type Heard = { readonly text: string; readonly hungUp: boolean; readonly tookMs: number }

/**
 * Sends these very bytes, and listens until the server hangs up or the time is over.
 * @param listenMs how long at most; only what leaves the connection open takes so long
 */
export function talk(port: number, bytes: string | Uint8Array, listenMs = 8_000): Promise<Heard> {
  return new Promise((resolve) => {
    const began = performance.now()
    const socket = connect(port, '127.0.0.1')
    let text = ''
    const done = (hungUp: boolean) => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ text, hungUp, tookMs: performance.now() - began })
    }
    const timer = setTimeout(() => done(false), listenMs)
    socket.on('data', (part) => {
      text += part.toString('latin1')
    })
    socket.on('close', () => done(true))
    // Cut off while still sending: that is a way to hang up, too.
    socket.on('error', () => undefined)
    socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
  })
}

export const statusesOf = ({ text }: Heard): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
