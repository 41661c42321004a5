import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Environment } from '#contract/shared/environment.ts'
import { reach } from '#database/engine/check-connection.ts'
import { connect } from '#database/engine/connect.ts'
import { isEmbeddedMade, runningEmbedded, startEmbedded } from '#database/engine/embedded/embedded.ts'
import { migrate, migrationsFolder } from '#database/engine/migrate.ts'
import { readConfiguration, sharedSecret } from '#database/operations/configuration.ts'
import { prepareJobQueue } from '#database/operations/job-queue.ts'
import { registerInstance } from '#database/payments/payments.ts'
import { noExchange } from '#domain/currency/exchange.ts'
import { createPayPal, type PayPal } from '#paypal/client.ts'
import { checkCommandSettings, readPrivateHosts } from '#server/operations/configuration/config.ts'
import { emptyCatalogCache } from '#shop/catalog/catalog-cache.ts'
import { pageSlugsIn } from '#shop/content/page-slugs.ts'
import type { MailDesk } from '#shop/mail/mail-desk.ts'
import type { ProviderAccount } from '#shop/operations/doctor/check-live.ts'
import { takeSecretFiles } from '#shop/operations/settings/secret-files.ts'
import { shopConfiguration } from '#shop/operations/settings/shop-configuration.ts'
import { guardedNetwork } from '#shop/shared/guarded-fetch.ts'
import { emptyBatchQueue } from '#shop/shared/run-in-batch.ts'
import type { Tools } from '#shop/shared/tools.ts'
import { interfaceTranslator } from '#shop/translation/translator.ts'
import { peakMegabytes } from './operations/peak-memory.ts'
import type { Command } from './shared/command.ts'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

const say = (line: string) => process.stderr.write(`${line}\n`)

/** The real clock, chance and network of every command. */
const environment: Environment = {
  clock: {
    now: () => new Date(),
    sleep: async (ms, signal) => {
      // An aborted wait has ended, which is all that a caller needs to know.
      if (!signal?.aborted) await wait(ms, undefined, signal && { signal }).catch(() => {})
    },
  },
  chance: {
    hex: (bytes) => randomBytes(bytes).toString('hex'),
    alphanumeric: (length) => Array.from({ length }, () => letters[randomInt(letters.length)]).join(''),
    uuid: () => randomUUID(),
    fraction: () => randomInt(2 ** 47) / 2 ** 47,
  },
  network: guardedNetwork((url, init) => fetch(url, init), {
    privateHosts: readPrivateHosts(process.env.PRIVATE_HOSTS),
  }),
  log: {
    info: () => {},
    warn: (_, message) => say(`Warning: ${message}`),
    error: (_, message) => say(`Error: ${message}`),
  },
}

/** Runs a command of the command line with the database and tools that it requires. @returns the exit code */
export async function executeCommand(command: Command, args: readonly string[]): Promise<number> {
  takeSecretFiles(process.env)
  if (command.runAlone) return withoutShop(command.runAlone, args)
  checkCommandSettings(process.env)
  return command.runBare ? onDatabase(command, command.runBare, args) : withShop(command, args)
}

const root = join(import.meta.dirname, '../..')
const print = (line: string) => process.stdout.write(`${line}\n`)

/** The timeout of a completion: the user waits after the Tab key. */
const completionTimeoutMs = 2000

async function withoutShop(run: NonNullable<Command['runAlone']>, args: readonly string[]): Promise<number> {
  const undo: (() => Promise<void>)[] = []
  const giveUp = setTimeout(() => process.exit(1), completionTimeoutMs)
  const open = async () => {
    const url = await runningDatabase(process.env.DATA_DIR || 'data')
    if (!url) return null
    const db = connect(url, { max: 1, name: 'vitrine-completion' })
    undo.push(() => db.close())
    return db
  }
  try {
    return await run(args, { print, say, root, node: process.execPath, open })
  } finally {
    for (const step of undo) await step()
    clearTimeout(giveUp)
  }
}

async function onDatabase(
  command: Command,
  run: NonNullable<Command['runBare']>,
  args: readonly string[],
): Promise<number> {
  const dataDir = process.env.DATA_DIR || 'data'
  const { url, stop } = await database(command, dataDir)
  const db = connect(url, { max: 4, name: 'vitrine-command' })
  try {
    await reach(db.sql, addressSetting(), url)
    const progress = progressOn(process.stderr)
    return await run(args, {
      ...environment,
      db,
      databaseUrl: url,
      dataDir,
      paypal: provider(process.env),
      print,
      say,
      progress,
    })
  } finally {
    await db.close()
    await stop()
  }
}

async function withShop(command: Command, args: readonly string[]): Promise<number> {
  const dataDir = process.env.DATA_DIR || 'data'
  const { url, stop } = await database(command, dataDir)
  const db = connect(url, { max: 4, name: 'vitrine-command' })
  const undo = [stop, () => db.close()]
  try {
    await reach(db.sql, addressSetting(), url)
    await migrate(db, migrationsFolder, (name) =>
      say(`Migration ${name} waits for the users of its table, such as a backup…`),
    )
    await prepareJobQueue(db, url)
    // The shop finishes the work of a killed command; this row tells it that the process has ended.
    const { instance, release } = await registerInstance(db, environment.clock)
    undo.push(release)
    const unreadable = command.acceptsFaultySettings ? 'left-out' : 'refused'
    const configuration = shopConfiguration(await readConfiguration(db), unreadable)
    const pages = await pageSlugsIn(resolve(root, process.env.CONTENT_DIR || 'content'))
    const tools: Tools = {
      ...environment,
      ...configuration,
      db,
      exchange: noExchange(configuration.settings.currency),
      terms: () => null,
      translator: async () => interfaceTranslator(configuration.settings.language),
      pageSlugs: () => pages,
      machineKey: process.env.TRANSLATION_KEY ?? '',
      breachedPasswords: process.env.BREACHED_PASSWORDS || null,
      paypal: provider(process.env),
      paymentEnvironment: process.env.PAYPAL_ENVIRONMENT === 'live' ? 'live' : 'sandbox',
      publicUrl: (process.env.PUBLIC_BASE_URL || `http://127.0.0.1:${process.env.PORT || 3000}`).replace(/\/+$/, ''),
      instance,
      working: new Set(),
      finishing: new Map(),
      serialQueues: new Map(),
      orderBatches: emptyBatchQueue(),
      storedTerms: new Set<string>(),
      catalogCache: emptyCatalogCache(),
      checkpoint: () => {},
    }
    return await command.run(args, {
      ...tools,
      ...configuration,
      providerAccount: providerAccount(process.env),
      migrationKey: {
        consumerKey: process.env.VITRINE_MIGRATE_KEY ?? '',
        consumerSecret: process.env.VITRINE_MIGRATE_SECRET ?? '',
      },
      mailDesk: () => mailDesk(tools, dataDir),
      shopSecret: async () => process.env.VITRINE_SECRET || sharedSecret(db, environment.chance.hex(32)),
      root,
      node: process.execPath,
      who: userName(process.env),
      dataDir,
      configFile: resolve(process.env.SHOP_CONFIG || 'shop.config.ts'),
      say,
      print,
      ask,
      askSecret,
      progress: progressOn(process.stderr),
      peakMegabytes,
    })
  } finally {
    for (const step of undo.reverse()) await step()
  }
}

/** Loads email previews from the build, because Node reads no JSX. */
async function mailDesk(tools: Tools, dataDir: string): Promise<MailDesk> {
  const built = join(import.meta.dirname, '../../dist/mail-desk/mail-desk.js')
  if (!existsSync(built)) throw new Error('the shop is not built. Run: npm run build')
  // Built from src/server/mail/mail-desk.ts, whose only export this is.
  const { openMailDesk } = (await import(pathToFileURL(built).href)) as {
    openMailDesk(tools: Tools, delivery: { smtpUrl: string; outbox: string }): MailDesk
  }
  const smtpUrl = process.env.SMTP_URL || tools.settings.mail.smtpUrl
  return openMailDesk(tools, { smtpUrl, outbox: join(dataDir, 'outbox') })
}

/** The user name of the caller, even under sudo. */
function userName(env: NodeJS.ProcessEnv): string {
  try {
    return env.SUDO_USER || userInfo().username
  } catch {
    // Containers may run programs as users without a name.
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

async function ask(question: string): Promise<boolean | null> {
  if (!process.stdin.isTTY) return null
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim())
  } finally {
    terminal.close()
  }
}

async function askSecret(question: string): Promise<string | null> {
  if (!process.stdin.isTTY) return null
  process.stderr.write(`${question}: `)
  // The terminal echoes into an output that shows nothing.
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true })
  try {
    return (await terminal.question('')).trim() || null
  } finally {
    terminal.close()
    say('')
  }
}

/** The client of PayPal, where the environment holds its credentials. */
function provider(env: NodeJS.ProcessEnv): PayPal | null {
  const { PAYPAL_CLIENT_ID: clientId, PAYPAL_CLIENT_SECRET: clientSecret } = env
  if (!clientId || !clientSecret) return null
  const host = env.PAYPAL_ENVIRONMENT === 'live' ? 'api-m.paypal.com' : 'api-m.sandbox.paypal.com'
  const apiBase = (env.PAYPAL_API_BASE || `https://${host}`).replace(/\/+$/, '')
  return createPayPal({
    environment,
    config: { apiBase, clientId, clientSecret, webhookId: env.PAYPAL_WEBHOOK_ID ?? '' },
  })
}

function providerAccount(env: NodeJS.ProcessEnv): ProviderAccount | null {
  const host = env.PAYPAL_ENVIRONMENT === 'live' ? 'www.paypal.com' : 'www.sandbox.paypal.com'
  const { PAYPAL_CLIENT_ID: clientId, PAYPAL_WEBHOOK_ID: webhookId = '' } = env
  return clientId ? { clientId, webhookId, sdkUrl: env.PAYPAL_SDK_URL || `https://${host}/sdk/js` } : null
}

/** The database of DATABASE_URL, or of the running shop, or the embedded one, started for this command. */
async function database({ mayBegin }: Command, dataDir: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const given = await runningDatabase(dataDir)
  if (given) return { url: given, stop: async () => {} }
  const folder = join(dataDir, 'postgres')
  if (mayBegin || (await isEmbeddedMade(folder))) return startEmbedded({ ...environment, folder })
  throw new Error(
    `no shop in ${resolve(folder)} that ${userName(process.env)} may read. Set DATABASE_URL or DATA_DIR as the shop has them, or start the shop once.`,
  )
}

/** The setting that names the database. Commands may use the direct address: they need few connections. */
function addressSetting(): 'DATABASE_DIRECT_URL' | 'DATABASE_URL' | 'DATA_DIR' {
  if (process.env.DATABASE_DIRECT_URL) return 'DATABASE_DIRECT_URL'
  return process.env.DATABASE_URL ? 'DATABASE_URL' : 'DATA_DIR'
}

async function runningDatabase(dataDir: string): Promise<string | null> {
  const given = process.env.DATABASE_DIRECT_URL || process.env.DATABASE_URL
  return given || (await runningEmbedded(join(dataDir, 'postgres')))
}

const quietMs = 3000

function progressOn(stream: NodeJS.WriteStream): (line: string) => void {
  let last = 0
  if (stream.isTTY) return (line) => stream.write(`\r\u001B[K${line}`)
  return (line) => {
    const now = Date.now()
    if (now - last < quietMs) return
    last = now
    stream.write(`${line}\n`)
  }
}
