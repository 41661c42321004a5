import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command, CommandContext } from '#cli/shared/command.ts'
import type { Database } from '#database/engine/connect.ts'
import { readConfiguration } from '#database/operations/configuration.ts'
import { noExchange } from '#domain/currency/exchange.ts'
import { systemEnvironment, systemLog } from '#server/operations/startup/environment.ts'
import { emptyCatalogCache } from '#shop/catalog/catalog-cache.ts'
import { shopConfiguration } from '#shop/operations/settings/shop-configuration.ts'
import { emptyBatchQueue } from '#shop/shared/run-in-batch.ts'
import { interfaceTranslator } from '#shop/translation/translator.ts'

/** Runs a command as `npm run shop` does, in this process: what it printed, what it said, how it ended. */
export function runCommand(command: Command, db: Database, ...args: string[]) {
  return runCommandWith({}, command, db, ...args)
}

/** The same with another payment provider, clock or answer at the terminal. */
export async function runCommandWith(
  change: Partial<CommandContext>,
  command: Command,
  db: Database,
  ...args: string[]
) {
  const [out, err]: [string[], string[]] = [[], []]
  const configuration = shopConfiguration(await readConfiguration(db))
  const context: CommandContext = {
    ...systemEnvironment(systemLog('silent'), ['127.0.0.1']),
    ...configuration,
    db,
    exchange: noExchange(configuration.settings.currency),
    terms: () => null,
    translator: async () => interfaceTranslator(configuration.settings.language),
    dataDir: 'data',
    migrationKey: { consumerKey: '', consumerSecret: '' },
    configFile: 'shop.config.ts',
    peakMegabytes: () => 0,
    print: (line) => out.push(line),
    say: (line) => err.push(line),
    machineKey: '',
    pageSlugs: () => new Set(),
    breachedPasswords: null,
    paypal: null,
    paymentEnvironment: 'sandbox',
    publicUrl: 'http://shop.test',
    instance: 0,
    working: new Set(),
    finishing: new Map(),
    serialQueues: new Map(),
    orderBatches: emptyBatchQueue(),
    storedTerms: new Set<string>(),
    catalogCache: emptyCatalogCache(),
    checkpoint: () => {},
    root: process.cwd(),
    node: process.execPath,
    who: 'tester',
    providerAccount: null,
    // Brings the whole of React along: only for who asks.
    mailDesk: async () => {
      const { openMailDesk } = await import('#server/mail/mail-desk.ts')
      return openMailDesk(context, { smtpUrl: '', outbox: join(tmpdir(), 'vitrine-test-outbox') })
    },
    shopSecret: async () => 'a secret for tests that is long enough',
    ask: async () => null,
    askSecret: async () => null,
    progress: () => {},
    ...change,
  }
  const code = await command.run(args, context)
  return { code, out: out.join('\n'), err: err.join('\n') }
}
