import { createHash } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { flushCompileCache } from 'node:module'
import { join, resolve } from 'node:path'
import { getHeapStatistics } from 'node:v8'
import { isDatabaseTrouble, isTypeLookupError } from '#database/engine/connect.ts'
import { startEmbedded } from '#database/engine/embedded/embedded.ts'
import { SetUpError } from '#shop/operations/setup-errors.ts'
import { stockDemo } from '#shop/operations/stock-demo.ts'
import type { Checkpoint, Tools } from '#shop/shared/tools.ts'
import { keepSharePictures } from './catalog/share-pictures-process.ts'
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

/** Who ends a whole group of processes, as systemd and terminals do, is heard twice: npm passes on what it has got as well. */
const sameWishMs = 1_000

const root = resolve(import.meta.dirname, '../..')
const format = logFormat(process.env, process.stdout)
const say = statusReporter({
  isTTY: format === 'text',
  write: (line: string | Uint8Array) => process.stdout.write(line),
})

async function main(): Promise<void> {
  // Whoever reads along may be gone, and the disk of the log full: the shop opens all the same.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const config = await readSetUp(process.env, declared).catch((error: unknown) => {
    if (!(error instanceof SetUpError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(wrongSetUp)
  })
  const log = systemLog(config.logLevel, format)
  for (const { name, meant } of misspeltSettings(process.env))
    log.warn({ name }, `${name} in the environment is no setting: was ${meant} meant?`)
  // Ten a second by a pooler whose database is away, for as long as it is.
  const tellOfDatabase = throttledLog(
    30_000,
    () => performance.now(),
    (error: string, times) => log.warn({ error, times }, 'the database went away, and nobody waited for its answer'),
  )
  process.on('unhandledRejection', (reason) => {
    // The job runner waits for nothing when it notes that a job is done: the shop outlives its database all the same.
    if (!isTypeLookupError(reason) && !isDatabaseTrouble(reason)) throw reason
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
  // A person at the keyboard waits for the end; a machine that sends SIGTERM waits for the visitors.
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
    // Whoever was told to come to that port would meet another program there. Only to look at a demo any will do.
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
      stops.push(keepSharePictures({ tools, ...place }).stop)
    }
    // There where Node was started as `scripts/server-process.json` says.
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
    // Kept now, not at the end: who is killed leaves it to the next one all the same. Nothing where no cache is kept.
    flushCompileCache()
    if (!config.smtpUrl) say(`Outgoing mail is in ${join(dataDir, 'outbox')}`)
  } catch (thrown) {
    // The end that was asked for has taken away what the start needed, and ends the process once it is done.
    if (askedAt !== null) return
    const error = await asSetUpError(thrown, declared(config.configFile))
    const plain = error instanceof Error && /^[A-Z].*Error$/.test(error.name) && error.name !== 'TypeError'
    process.stderr.write(
      `${plain || !(error instanceof Error) ? String(error instanceof Error ? error.message : error) : error.stack}\n`,
    )
    await stop(error instanceof SetUpError ? wrongSetUp : 1)
  }
}

/** A file that was named must be there; the one in the project may be. */
function declared(named: string | null): string | null {
  const file = resolve(root, named ?? 'shop.config.ts')
  return named !== null || existsSync(file) ? file : null
}

/** Of the program and of the list of its scripts and sheets: whatever makes pages differ, but for settings and texts. */
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
      `The demo products have ${report.faultCount} faults, the first in row ${first?.row}, ${first?.column}`,
    )
  }
}

/**
 * For tests of recovery: ends the process at a named point as a power cut would. Who has started us with a channel names
 * another point by it, while we run.
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
