import { lookup } from 'node:dns/promises'
import { hasUnfinishedMigration, migrateShop, restartMigration } from '#shop/import/migration/migrate-shop.ts'
import { type MigrationOptions, type MigrationStep, migrationSteps } from '#shop/import/migration/migration-run.ts'
import { sourceAddress } from '#shop/import/migration/source-address.ts'
import { connectToSource, type SourceKey } from '#shop/import/migration/source-connection.ts'
import { SourceError } from '#shop/import/migration/source-error.ts'
import type { CommandContext } from '../shared/command.ts'
import {
  type Given,
  isConfirmed,
  jsonOption,
  listGiven,
  singleCommand,
  textGiven,
  yesOption,
} from '../shared/command-group.ts'
import { fail, rejectUsage } from '../shared/messages.ts'
import { printMigration, printMigrationPlan, stepText } from './migration-text.ts'

export const migrateCommand = singleCommand('migrate', {
  usage: '<address> [options]',
  summary:
    'Brings a WooCommerce shop here over its REST interface, and only reads there. A repeated run brings new records.',
  example: 'https://old.example --dry-run',
  options: {
    key: { type: 'string', value: 'ck_…', what: 'consumer key; default: VITRINE_MIGRATE_KEY, or a question' },
    secret: { type: 'string', value: 'cs_…', what: 'consumer secret; default: VITRINE_MIGRATE_SECRET, or a question' },
    'dry-run': { type: 'boolean', what: 'reports what would come and what will differ, and changes nothing' },
    only: {
      type: 'string',
      value: '<steps>',
      multiple: true,
      completes: migrationSteps,
      what: migrationSteps.join(', '),
    },
    since: { type: 'string', value: '2026-12-31', what: 'brings products, coupons, reviews and orders created since' },
    'skip-faulty': { type: 'boolean', what: 'leaves faulty records out; otherwise the migration stops' },
    restart: { type: 'boolean', what: 'reads everything again instead of continuing an unfinished run' },
    'insecure-http': { type: 'boolean', what: 'allows plain http, with signed requests' },
    'key-in-query': { type: 'boolean', what: 'for servers that drop the header with the key; https only' },
    verbose: { type: 'boolean', what: 'lists every difference' },
    ...yesOption,
    ...jsonOption,
  },
  words: [1, 1],
  async run([address = ''], given, context) {
    const options = optionsGiven(given, context)
    if (typeof options === 'string') return rejectUsage(context, options)
    try {
      // Before a key is typed for an address that cannot be used.
      sourceAddress(address, given['insecure-http'] === true)
      const key = await keyGiven(given, context)
      if (typeof key === 'string') return rejectUsage(context, key)
      return await migrate(address, key, options, given, context)
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      context.progress('')
      return fail(context, `${error.message}`)
    }
  },
})

async function migrate(
  address: string,
  key: SourceKey,
  options: MigrationOptions,
  given: Given,
  context: CommandContext,
): Promise<number> {
  const source = connectToSource(context, {
    address,
    key,
    insecureHttp: given['insecure-http'] === true,
    keyInQuery: given['key-in-query'] === true,
    onRetry: (problem, waitMs) => context.progress(`${problem}: waiting for ${Math.ceil(waitMs / 1000)} s`),
  })
  const start = context.clock.now().getTime()
  const { name } = source.location
  if (!options.dryRun) {
    if (given.restart) await restartMigration(context, source, options)
    if (await hasUnfinishedMigration(context, source))
      context.say(`The migration from ${name} continues where it stopped.`)
    else if (!(await isAgreed(source, options, given, context))) return 1
  }
  const result = await migrateShop(context, source, options, ({ kind, done, of }) =>
    context.progress(`${stepText(kind)}: ${done}${of === null ? '' : ` of ${of}`}`),
  )
  context.progress('')
  const seconds = Math.round((context.clock.now().getTime() - start) / 100) / 10
  return printMigration(context, name, result, {
    seconds,
    json: given.json === true,
    verbose: given.verbose === true,
    dryRun: options.dryRun,
  })
}

/** Shows the settings that would change and the number of records, and asks. */
async function isAgreed(
  source: ReturnType<typeof connectToSource>,
  options: MigrationOptions,
  given: Given,
  context: CommandContext,
): Promise<boolean> {
  if (given.yes) return true
  const only = options.only.filter((step) => step === 'settings' || step === 'taxes')
  const plan = await migrateShop(context, source, { ...options, only, dryRun: true })
  if (plan.stopped !== null && plan.stopped !== 'faulty-records') throw new SourceError(plan.stopped.problem)
  await printMigrationPlan(context, source, plan.report, options.only)
  return isConfirmed(given, context, `Bring the shop ${source.location.name} here`)
}

function optionsGiven(given: Given, { dataDir, clock }: CommandContext): MigrationOptions | string {
  const wanted = listGiven(given.only) ?? [...migrationSteps]
  const only: MigrationStep[] = []
  for (const word of wanted) {
    const step = migrationSteps.find((one) => one === word)
    if (!step) return `--only "${word}" is unknown. Choose from: ${migrationSteps.join(', ')}.`
    only.push(step)
  }
  const text = textGiven(given.since)
  const since = text === undefined ? null : new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text)
  if (since && (Number.isNaN(since.getTime()) || since > clock.now()))
    return `--since "${text}" is not a day in the past. Example: 2026-06-30`
  return {
    only,
    since,
    dryRun: given['dry-run'] === true,
    skipFaulty: given['skip-faulty'] === true,
    dataDir,
    lookup: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  }
}

/** Returns the key from options, environment or terminal. A key is never printed. */
async function keyGiven(given: Given, context: CommandContext): Promise<SourceKey | string> {
  const { migrationKey, askSecret } = context
  const find = async (option: 'key' | 'secret', set: string, question: string) =>
    textGiven(given[option]) ?? (set || (await askSecret(question)))
  const consumerKey = await find('key', migrationKey.consumerKey, 'Consumer key (ck_…) of the old shop')
  const consumerSecret = consumerKey && (await find('secret', migrationKey.consumerSecret, 'Consumer secret (cs_…)'))
  if (!consumerKey || !consumerSecret)
    return 'the key of the old shop is missing: --key and --secret, or VITRINE_MIGRATE_KEY and VITRINE_MIGRATE_SECRET.'
  if (!/^ck_\w{1,100}$/.test(consumerKey)) return 'the consumer key does not begin with ck_.'
  return /^cs_\w{1,100}$/.test(consumerSecret)
    ? { consumerKey, consumerSecret }
    : 'the consumer secret does not begin with cs_.'
}
