import { createHash } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { flushCompileCache } from 'node:module'
import { join, resolve } from 'node:path'
import { getHeapStatistics } from 'node:v8'
import { isDatabaseTrouble } from '#database/engine/connect.ts'
import { startEmbedded } from '#database/engine/embedded/embedded.ts'
import { SetUpError } from '#shop/operations/setup-errors.ts'
import { stockDemo } from '#shop/operations/stock-demo.ts'
import type { Checkpoint, Tools } from '#shop/shared/tools.ts'
import { generateSharePictures } from './catalog/share-pictures-process.ts'
import { readAssets } from './http/assets.ts'
import { checkDataFolder, checkListening, PortTakenError } from './operations/configuration/check-resources.ts'
import { misspeltSettings } from './operations/configuration/misspelt-settings.ts'
import { asSetUpError, readSetUp, wrongSetUp } from './operations/configuration/read-setup.ts'
import { heapCheckIntervalMs, heapKeeper } from './operations/load/heap-collector.ts'
import { logFormat } from './operations/metrics/log-line.ts'
import { throttledLog } from './operations/metrics/throttle-log.ts'
import { processPulse, statusReporter, systemEnvironment, systemLog } from './operations/startup/environment.ts'
import { usualIdleMs, usualNoticeMs } from './operations/startup/graceful-stop.ts'
import { startShop } from './operations/startup/start-shop.ts'
import { freePort, runEmulator } from './payments/demo-emulator.ts'

/** A signal to a process group arrives twice, as from systemd or a terminal: npm forwards its own, too. */
const sameWishMs = 1_000

const root = resolve(import.meta.dirname, '../..')
const format = logFormat(process.env, process.stdout)
const say = statusReporter({
  isTTY: format === 'text',
  write: (line: string | Uint8Array) => process.stdout.write(line),
})

async function main(): Promise<void> {
  // The reader of the output may be gone, or the log's disk full: the shop starts all the same.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const config = await readSetUp(process.env, declared).catch((error: unknown) => {
    if (!(error instanceof SetUpError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(wrongSetUp)
  })
  const log = systemLog(config.logLevel, format)
  for (const { name, meant } of misspeltSettings(process.env))
    log.warn({ name }, `unknown environment variable ${name}: did you mean ${meant}?`)
  // A pooler without its database reports ten errors a second.
  const tellOfDatabase = throttledLog(
    30_000,
    () => performance.now(),
    (error: string, times) => log.warn({ error, times }, 'database connection lost outside of a request'),
  )
  process.on('unhandledRejection', (reason) => {
    // The job runner does not await its bookkeeping of finished jobs: the shop must survive a database failure there.
    if (!isDatabaseTrouble(reason)) throw reason
    tellOfDatabase(String(reason))
  })
  const environment = systemEnvironment(log, config.privateHosts)
  const dataDir = resolve(root, config.dataDir)
  const clientFolder = join(root, 'dist/client')
  const stops: (() => Promise<void>)[] = []
  const stop = async (code: number) => {
    for (const step of stops.splice(0).reverse()) await step().catch(() => undefined)
    process.exit(code)
  }
  // A person at the keyboard waits for the end; after SIGTERM, visitors get time to finish.
  let patience: [idleMs: number, noticeMs: number] = [0, 0]
  let askedAt: number | null = null
  const onSignal = (signal: NodeJS.Signals) => {
    if (askedAt === null) {
      askedAt = performance.now()
      if (signal === 'SIGTERM') patience = [usualIdleMs, usualNoticeMs]
      void stop(0)
    } else if (signal === 'SIGINT' && performance.now() - askedAt > sameWishMs) {
      process.exit(130)
    }
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal)

  try {
    await checkListening(config.host, config.port)
    await checkDataFolder(dataDir)
    const wantsEmulator = config.demo && config.paypal === null
    const port = await freePort(config.port, config.host)
    // Visitors of the given port would reach another program. For a look at the demo any port will do.
    const thatPortAlone = config.portGiven && !config.demo
    if (thatPortAlone && port !== config.port) throw new PortTakenError(config.port)
    const emulator = wantsEmulator
      ? runEmulator({
          root,
          host: '127.0.0.1',
          shopPort: port,
          shopUrl: `http://127.0.0.1:${port}`,
          chance: environment.chance,
        })
      : null
    if (emulator) stops.push(async () => (await emulator).stop())
    const database = config.databaseUrl
      ? { url: config.databaseUrl, stop: async () => {} }
      : await startEmbedded({ ...environment, folder: join(dataDir, 'postgres') })
    stops.push(database.stop)
    const paypal = config.paypal ?? (await emulator)?.settings ?? null

    const shop = await startShop({
      ...config,
      port,
      thatPortAlone,
      environment,
      databaseUrl: database.url,
      databaseSetting: config.databaseUrl ? 'DATABASE_URL' : 'DATA_DIR',
      dataDir,
      clientFolder,
      rootFolder: root,
      contentFolder: resolve(root, config.contentDir),
      configFile: declared(config.configFile),
      assets: await readAssets(clientFolder),
      ...(config.purge && { build: await buildDigest(clientFolder) }),
      paypal,
      onImages: ({ all, unfinished }) => say(`  pictures in all sizes: ${all - unfinished} of ${all}`),
      prepare: (tools) => (config.demo ? stockIfEmpty(tools, dataDir) : Promise.resolve()),
      checkpoint: crashPoint(process.env.VITRINE_CRASH_AT),
      pulse: processPulse(),
    })
    stops.push(() => shop.stop(...patience))
    if (config.sharePictures) {
      const { tools } = shop.application
      const place = { root, dataDir, databaseUrl: database.url, variables: process.env }
      stops.push(generateSharePictures({ tools, ...place }).stop)
    }
    // Only exposed if Node was started as `scripts/server-process.json` describes.
    const { gc: collect } = globalThis
    if (collect) {
      const usedBytes = () => getHeapStatistics().used_heap_size
      setInterval(heapKeeper({ usedBytes, collect: () => void collect() }), heapCheckIntervalMs).unref()
    }
    const running = await emulator
    const taken = new URL(shop.url).port
    if (taken !== String(config.port)) say(`Port ${config.port} is taken, so this is ${taken}.`)
    say(`The shop is open at ${config.publicBaseUrl ?? shop.url}`)
    if (!config.publicBaseUrl && !config.demo)
      say('PUBLIC_BASE_URL is not set: links in messages and the way back from PayPal lead to that address.')
    if (running) say(`Payments go to the emulator: ${running.url}/__emulator/ (no real money)`)
    // Written now, so that it also survives a kill. Does nothing without a compile cache.
    flushCompileCache()
    if (!config.smtpUrl) say(`Outgoing mail is in ${join(dataDir, 'outbox')}`)
  } catch (thrown) {
    // A requested stop has removed what the start needed, and ends the process itself.
    if (askedAt !== null) return
    const error = await asSetUpError(thrown, declared(config.configFile))
    const plain = error instanceof Error && /^[A-Z].*Error$/.test(error.name) && error.name !== 'TypeError'
    process.stderr.write(
      `${plain || !(error instanceof Error) ? String(error instanceof Error ? error.message : error) : error.stack}\n`,
    )
    await stop(error instanceof SetUpError ? wrongSetUp : 1)
  }
}

/** Returns the merchant's config file: a named one must exist, the default one may. */
function declared(named: string | null): string | null {
  const file = resolve(root, named ?? 'shop.config.ts')
  return named !== null || existsSync(file) ? file : null
}

/**
 * Digests the program and the list of its scripts and stylesheets: everything that changes pages, except settings and
 * texts.
 */
async function buildDigest(clientFolder: string): Promise<string> {
  const hash = createHash('sha256')
  for (const file of [import.meta.filename, join(clientFolder, '.vite/manifest.json')])
    hash.update(await readFile(file))
  return hash.digest('hex').slice(0, 16)
}

async function stockIfEmpty(tools: Tools, dataDir: string): Promise<void> {
  const any = await tools.db.kysely.selectFrom('products').select('id').limit(1).executeTakeFirst()
  if (any) return
  say('Stocking the demo shop…')
  let shown = ''
  const report = await stockDemo(
    tools,
    join(root, 'demo'),
    {
      mediaDir: join(dataDir, 'media'),
      downloadsDir: join(dataDir, 'downloads'),
      lookup: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
    },
    ({ phase, done, of }) => {
      const line = of ? `  ${phase}: ${Math.floor((done / of) * 10) * 10} %` : `  ${phase}`
      if (line !== shown) say(line)
      shown = line
    },
  )
  if (!report.ok) {
    const first = report.faults[0]
    throw new Error(
      `demo products have ${report.faultCount} faults, the first in row ${first?.row}, column ${first?.column}`,
    )
  }
}

/**
 * Ends the process at a named checkpoint like a power failure, for recovery tests. A parent process with a channel can
 * name another checkpoint while we run.
 */
function crashPoint(first: string | undefined): (reached: Checkpoint) => void {
  if (first === undefined) return () => {}
  let point = first
  process.on('message', (next) => {
    point = String(next)
    process.send?.(next)
  })
  return (reached) => {
    if (point === reached) process.kill(process.pid, 'SIGKILL')
  }
}

await main()
