import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { urls } from '#contract/shared/urls.ts'
import type { Database } from '#database/engine/connect.ts'
import type { Checkpoint } from '#shop/shared/tools.ts'
import { sharedCertificate } from '#tests/support/payments/emulator-certificate.ts'
import {
  aStockedDatabase,
  callEmulator,
  emulatorEnvironment,
  emulatorSettings,
  freePort,
  stock,
  type TestShop,
} from '#tests/support/shop.ts'
import { startEmulator } from '../../../emulator/start-emulator.ts'

const main = join(import.meta.dirname, '../../../dist/server/main.js')
const webhookId = '1JE4291016473214C'

/** What tests ask of a shop, be it in this process or in one of its own. */
export type TestWorld = Pick<TestShop, 'url' | 'db' | 'dataDir' | 'paypal' | 'idOf' | 'emulate'>

/** A shop whose process is a real one, to be killed and started again; its database and its provider outlive it. */
export type ShopOfProcesses = AsyncDisposable &
  TestWorld & {
    readonly databaseUrl: string
    /** Starts the process and waits until it answers. @returns how long that took */
    start(options?: { crashAt?: Checkpoint; env?: Readonly<Record<string, string>> }): Promise<number>
    /** Has the running process die where it comes to that point; resolves when it knows. */
    arm(crashAt: Checkpoint): Promise<void>
    /** Has it stand still meanwhile, as a machine does that has too much to do. */
    standStill(meanwhile: () => Promise<unknown>): Promise<void>
    /** Ends it as a power cut would. */
    kill(): Promise<void>
    /** Waits until it has ended by itself, as one with `crashAt` does. */
    ended(): Promise<void>
    /** All that its processes have written. */
    output(): string
    close(): Promise<void>
  }

/** @param given a database of the caller's own, migrated and empty, instead of one of the run's; closed with the shop */
export async function aShopOfProcesses({
  settings = {},
  database: given,
}: {
  settings?: Record<string, unknown>
  database?: Database & { readonly url: string }
} = {}): Promise<ShopOfProcesses> {
  const dataDir = await mkdtemp(join(tmpdir(), 'vitrine-process-'))
  const database = given ?? (await aStockedDatabase(dataDir, settings))
  if (given) await stock(given.url, dataDir, settings)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const emulator = await startEmulator({
    webhookUrl: url + urls.paypalWebhook(),
    webhookId,
    certificate: await sharedCertificate(),
  })
  const paypal = emulatorSettings(emulator.url)
  const db: Database = database
  let child: ChildProcess | null = null
  let output = ''

  const ended = async () => {
    if (child && child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    child = null
  }
  const kill = async () => {
    child?.kill('SIGKILL')
    await ended()
  }
  const close = async () => {
    await kill()
    await emulator.close()
    await database.close()
    await rm(dataDir, { recursive: true, force: true })
  }
  return {
    url,
    db,
    databaseUrl: database.url,
    dataDir,
    paypal,
    async idOf(sku) {
      const row = await db.kysely.selectFrom('products').select('id').where('sku', '=', sku).executeTakeFirstOrThrow()
      return row.id
    },
    emulate: (path, body) => callEmulator(emulator.url, path, body),
    async start({ crashAt, env = {} } = {}) {
      const began = performance.now()
      const running = spawn(process.execPath, [main], {
        env: {
          PATH: process.env.PATH,
          HOST: '127.0.0.1',
          PORT: String(port),
          DATABASE_URL: database.url,
          DATA_DIR: dataDir,
          SHARE_PICTURES: 'off',
          ...emulatorEnvironment(paypal),
          LOG_LEVEL: 'debug',
          // As `npm start` has it.
          NODE_COMPILE_CACHE: join(import.meta.dirname, '../../../dist/.compiled'),
          VITRINE_CRASH_AT: crashAt ?? 'where we say later',
          ...env,
        },
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      })
      child = running
      for (const stream of [running.stdout, running.stderr]) stream?.on('data', (chunk) => (output += String(chunk)))
      while (!(await isHealthy(url))) {
        if (running.exitCode !== null) throw new Error(`the shop did not start:\n${output.slice(-2000)}`)
        if (performance.now() - began > 60_000) throw new Error('the shop does not answer')
        await sleep(10)
      }
      return performance.now() - began
    },
    async arm(crashAt) {
      if (!child) throw new Error('no process runs that could die')
      const heard = once(child, 'message')
      child.send(crashAt)
      await heard
    },
    async standStill(meanwhile) {
      child?.kill('SIGSTOP')
      try {
        await meanwhile()
      } finally {
        child?.kill('SIGCONT')
      }
    },
    kill,
    ended,
    output: () => output,
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function isHealthy(url: string): Promise<boolean> {
  return fetch(`${url}/healthz`).then(
    (response) => response.ok,
    () => false,
  )
}
