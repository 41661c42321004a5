import { setTimeout as sleep } from 'node:timers/promises'
import { serve } from '@hono/node-server'
import { createApp } from './app.ts'
import { certificatePath } from './rest/webhooks.ts'
import { emptyVault } from './vault/vault.ts'
import { createCertificate } from './webhooks/certificate.ts'
import { webhookSender } from './webhooks/sender.ts'
import { DAY_MS, emulatorClock } from './world/clock.ts'
import { faultTable } from './world/faults.ts'
import { seededIds } from './world/ids.ts'
import { requestMemory } from './world/request-memory.ts'
import { ring } from './world/ring.ts'
import type { World } from './world/world.ts'

/** What a shop in its first minutes uses when nobody chose otherwise. */
export const DEFAULTS = {
  host: '127.0.0.1',
  clientId: 'sb',
  clientSecret: 'emulator-secret',
  webhookId: '1JE4291016473214C',
}

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
}

export type Emulator = {
  /** Its origin, without a slash at the end. */
  url: string
  close(): Promise<void>
}

const LOGGED_CALLS = 2_000

export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const host = options.host ?? DEFAULTS.host
  if (!/^(127\.\d+\.\d+\.\d+|::1|localhost)$/.test(host))
    throw new Error(`the emulator listens on loopback only, not on ${host}`)
  const clock = emulatorClock(options.clock ?? { now: () => new Date() })
  const ids = seededIds(String(options.seed ?? 'emulator'))
  const now = new Date()
  const certificate = await createCertificate(
    'emulator.paypal.test',
    new Date(now.getTime() - DAY_MS),
    new Date(now.getTime() + 3_650 * DAY_MS),
  )
  const certificateAt = certificatePath(certificate.pem)
  const webhooks = webhookSender({
    clock,
    ids,
    certificate,
    certificateUrl: () => `${world.origin}${certificateAt}`,
    fetch,
  })
  const world: World = {
    origin: '',
    clientId: options.clientId ?? DEFAULTS.clientId,
    clientSecret: options.clientSecret ?? DEFAULTS.clientSecret,
    clock,
    ids,
    sleep: async (ms) => {
      await sleep(ms)
    },
    accessTokens: new Map(),
    clientTokens: new Map(),
    orders: new Map(),
    captures: new Map(),
    authorizations: new Map(),
    refunds: new Map(),
    disputes: new Map(),
    paidInvoices: new Map(),
    captureWishes: [],
    refundWishes: [],
    vault: emptyVault(),
    memory: requestMemory(),
    faults: faultTable(clock),
    log: ring(LOGGED_CALLS),
    webhooks,
    eligibility: new Map(),
  }
  if (options.webhookUrl !== undefined) {
    const id = options.webhookId ?? DEFAULTS.webhookId
    webhooks.webhooks.set(id, { id, url: options.webhookUrl, eventTypes: ['*'] })
  }

  const app = createApp(world, certificate.pem)
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
