import type { Hono } from 'hono'
import { createApp } from './app.ts'
import type { Env } from './rest/operation.ts'
import { certificatePath } from './rest/webhooks.ts'
import { emptyVault } from './vault/vault.ts'
import { createCertificate, type SigningCertificate } from './webhooks/certificate.ts'
import { webhookSender } from './webhooks/sender.ts'
import { DAY_MS, emulatorClock } from './world/clock.ts'
import { faultTable } from './world/faults.ts'
import { requestMemory } from './world/idempotency-keys.ts'
import { seededIds } from './world/ids.ts'
import { ring } from './world/ring.ts'
import type { World } from './world/world.ts'

/** What a shop in its first minutes uses when nobody chose otherwise. */
export const DEFAULTS = {
  host: '127.0.0.1',
  clientId: 'sb',
  clientSecret: 'emulator-secret',
  webhookId: '1JE4291016473214C',
}

export type WorldOptions = {
  clientId?: string
  clientSecret?: string
  webhookUrl?: string
  webhookId?: string
  clock?: { now(): Date }
  seed?: string | number
  /** Where it answers, for one that has no port to learn it from. */
  origin?: string
  /** Made here unless given: a key takes its time. */
  certificate?: SigningCertificate
  sleep: World['sleep']
}

const LOGGED_CALLS = 2_000

/** What the emulator signs its notifications with, valid from yesterday on for ten years. */
export function emulatorCertificate(now: Date): Promise<SigningCertificate> {
  return createCertificate(
    'emulator.paypal.test',
    new Date(now.getTime() - DAY_MS),
    new Date(now.getTime() + 3_650 * DAY_MS),
  )
}

/** Everything the emulator is but its port: `app.fetch` answers, and `world` is what it knows. */
export async function createWorld(options: WorldOptions): Promise<{ world: World; app: Hono<Env> }> {
  const clock = emulatorClock(options.clock ?? { now: () => new Date() })
  const ids = seededIds(String(options.seed ?? 'emulator'))
  const certificate = options.certificate ?? (await emulatorCertificate(new Date()))
  const certificateAt = certificatePath(certificate.pem)
  const webhooks = webhookSender({
    clock,
    ids,
    certificate,
    certificateUrl: () => `${world.origin}${certificateAt}`,
    fetch,
  })
  const world: World = {
    origin: options.origin ?? '',
    clientId: options.clientId ?? DEFAULTS.clientId,
    clientSecret: options.clientSecret ?? DEFAULTS.clientSecret,
    clock,
    ids,
    sleep: options.sleep,
    accessTokens: new Map(),
    clientTokens: new Map(),
    orders: new Map(),
    captures: new Map(),
    authorizations: new Map(),
    refunds: new Map(),
    disputes: new Map(),
    paidInvoices: new Map(),
    declinedFor: new Set(),
    captureOverrides: [],
    refundOverrides: [],
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
  return { world, app: createApp(world, certificate.pem) }
}
