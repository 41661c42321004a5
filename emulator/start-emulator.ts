import { setTimeout as sleep } from 'node:timers/promises'
import { serve } from '@hono/node-server'
import { createWorld, DEFAULTS } from './create-world.ts'
import type { SigningCertificate } from './webhooks/certificate.ts'

export { DEFAULTS } from './create-world.ts'

export type EmulatorOptions = {
  /** 0 or absent: any free port. */
  port?: number
  /** A loopback address: the emulator hands out money to whoever asks. */
  host?: string
  clientId?: string
  clientSecret?: string
  /** Where all events go from the start, as if registered under `webhookId`. */
  webhookUrl?: string
  webhookId?: string
  clock?: { now(): Date }
  /** The same seed gives the same ids. */
  seed?: string | number
  /** Made at the start unless given. */
  certificate?: SigningCertificate
}

export type Emulator = {
  /** Its origin, without a slash at the end. */
  url: string
  close(): Promise<void>
}

export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const host = options.host ?? DEFAULTS.host
  if (!/^(127\.\d+\.\d+\.\d+|::1|localhost)$/.test(host))
    throw new Error(`the emulator listens on loopback only, not on ${host}`)
  const { world, app } = await createWorld({ ...options, sleep: async (ms) => void (await sleep(ms)) })
  const { webhooks } = world
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, hostname: host, port: options.port ?? 0 }, ({ port }) => {
      world.origin = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
      resolve({ url: world.origin, close })
    })
    server.once('error', reject)
    function close(): Promise<void> {
      webhooks.close()
      return new Promise((done) => {
        server.close(() => done())
        // Idle keep-alive connections would hold the server open.
        if ('closeAllConnections' in server) server.closeAllConnections()
      })
    }
  })
}
