import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Environment } from '#contract/environment.ts'
import { readConfiguration } from '#database/configuration.ts'
import { connect } from '#database/connect.ts'
import { runningEmbedded, startEmbedded } from '#database/embedded.ts'
import { migrate } from '#database/migrate.ts'
import { createPayPal, type PayPal } from '#paypal/client.ts'
import { shopConfiguration } from '#shop/shop-configuration.ts'
import type { Command } from './command.ts'
import { commands } from './commands.ts'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

const say = (line: string) => process.stderr.write(`${line}\n`)

/** The real clock, chance and network: this file is where commands get them from. */
const environment: Environment = {
  clock: {
    now: () => new Date(),
    sleep: async (ms, signal) => {
      // Waiting that was called off is over, which is all that a caller asks for.
      if (!signal?.aborted) await wait(ms, undefined, signal && { signal }).catch(() => {})
    },
  },
  chance: {
    hex: (bytes) => randomBytes(bytes).toString('hex'),
    alphanumeric: (length) => Array.from({ length }, () => letters[randomInt(letters.length)]).join(''),
    uuid: () => randomUUID(),
    fraction: () => randomInt(2 ** 47) / 2 ** 47,
  },
  network: { fetch: (url, init) => fetch(url, init) },
  log: {
    info: () => {},
    warn: (_, message) => say(message),
    error: (_, message) => say(message),
  },
}

async function main([name = '', ...args]: string[]): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) {
    if (name && name !== 'help' && name !== '--help') say(`There is no command "${name}".`)
    say('npm run shop -- <command>')
    for (const { usage, summary } of Object.values(commands)) say(`  ${usage}\n      ${summary}`)
    return name && name !== 'help' && name !== '--help' ? 2 : 0
  }
  if (args.includes('--help')) {
    say(`npm run shop -- ${command.usage}\n${command.summary}`)
    return 0
  }
  try {
    return await withShop(command, args)
  } catch (error) {
    // A person reads this; the place in the code is for those who ask.
    say(
      process.env.DEBUG && error instanceof Error
        ? (error.stack ?? error.message)
        : String(error instanceof Error ? error.message : error),
    )
    return 1
  }
}

async function withShop(command: Command, args: readonly string[]): Promise<number> {
  const dataDir = process.env.DATA_DIR || 'data'
  const { url, stop } = await database(dataDir)
  const db = connect(url, { max: 4, name: 'vitrine-command' })
  try {
    await migrate(db)
    const configuration = shopConfiguration(await readConfiguration(db))
    return await command.run(args, {
      ...environment,
      ...configuration,
      db,
      paypal: provider(process.env),
      dataDir,
      say,
      print: (line) => process.stdout.write(`${line}\n`),
      progress: progressOn(process.stderr),
      peakMegabytes: () => Math.round(process.resourceUsage().maxRSS / 1024),
    })
  } finally {
    await db.close()
    await stop()
  }
}

/** The payment provider, where the environment names credentials for it. */
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

/** The database of DATABASE_URL, or that of a shop running beside us, or the embedded one started for this command. */
async function database(dataDir: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const given = process.env.DATABASE_URL || (await runningEmbedded(join(dataDir, 'postgres')))
  if (given) return { url: given, stop: async () => {} }
  return startEmbedded({ ...environment, folder: join(dataDir, 'postgres') })
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

// Last: everything above must be there when the command runs.
process.exitCode = await main(process.argv.slice(2))
