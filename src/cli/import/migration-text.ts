import type { MigrationResult } from '#shop/import/migration/migrate-shop.ts'
import type { MigrationReport } from '#shop/import/migration/migration-report.ts'
import type { MigrationStep } from '#shop/import/migration/migration-run.ts'
import type { SourceConnection } from '#shop/import/migration/source-connection.ts'
import type { CommandContext } from '../shared/command.ts'
import { counted, fail, warn } from '../shared/messages.ts'
import { tableLines } from '../shared/table.ts'

/** Differences that are printed without --verbose. */
const shownDifferences = 30

const phases: Readonly<Record<string, string>> = {
  checking: 'Checking products',
  pictures: 'Generating images',
  files: 'Copying downloadable files',
  references: 'Writing variations and links',
}

/** Returns the title of a progress line. */
export const stepText = (kind: string) => phases[kind] ?? `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`

/** Lists that a migration reads, with their paths: their headers say how many records there are. */
const lists: Readonly<Partial<Record<MigrationStep, readonly string[]>>> = {
  taxes: ['taxes'],
  terms: ['products/categories', 'products/tags', 'products/attributes'],
  products: ['products'],
  shipping: ['shipping/zones'],
  coupons: ['coupons'],
  customers: ['customers'],
  reviews: ['products/reviews'],
  orders: ['orders'],
}

/** Prints what a migration would bring: numbers of records, and the settings that would change. */
export async function printMigrationPlan(
  { say }: CommandContext,
  source: SourceConnection,
  report: MigrationReport,
  steps: readonly MigrationStep[],
): Promise<void> {
  const rows: string[][] = []
  for (const step of steps) {
    for (const path of lists[step] ?? []) {
      const answer = await source.read(path, { per_page: 1 })
      const total = answer?.total ?? (Array.isArray(answer?.body) ? answer.body.length : 0)
      rows.push([`  ${path.replace('products/', '').replace('shipping/', 'shipping ')}`, String(total)])
    }
  }
  say(`The shop ${source.location.name} has:`)
  for (const line of tableLines(rows)) say(line)
  printSettings(report, say, 'would change')
  say('A dry run lists what will differ: --dry-run')
}

function printSettings({ settings }: MigrationReport, say: (line: string) => void, verb: string): void {
  if (settings.length === 0) return
  say(`${counted(settings.length, 'setting')} ${verb}:`)
  const shown = (value: unknown) => JSON.stringify(value ?? null)
  for (const line of tableLines(
    settings.map(({ key, before, after }) => [`  ${key}`, shown(before), '→', shown(after)]),
  ))
    say(line)
}

/** Prints the result of a migration. @returns the exit code */
export function printMigration(
  context: CommandContext,
  name: string,
  { report, done, stopped }: MigrationResult,
  given: { readonly seconds: number; readonly json: boolean; readonly verbose: boolean; readonly dryRun: boolean },
): 0 | 1 {
  const { say } = context
  const ok = stopped === null
  if (given.json) {
    const { settings, differences, differenceCount, faults, faultCount } = report
    const counts = Object.fromEntries(report.counts)
    const facts = { ok, dryRun: given.dryRun, source: name, seconds: given.seconds, done, stopped, counts }
    context.print(JSON.stringify({ ...facts, settings, differences, differenceCount, faults, faultCount }))
    return ok ? 0 : 1
  }
  printSettings(report, say, given.dryRun ? 'would change' : 'changed')
  const differences = given.verbose ? report.differences : report.differences.slice(0, shownDifferences)
  for (const { kind, id, text } of differences) warn(context, `${[kind, id].filter(Boolean).join(' ')}: ${text}`)
  if (report.differenceCount > differences.length)
    warn(context, `${report.differenceCount - differences.length} more differences (list with --verbose).`)
  for (const { kind, id, text } of report.faults) fail(context, `${[kind, id].filter(Boolean).join(' ')}: ${text}`)
  const verb = given.dryRun ? 'would come' : 'added'
  const rows = [...report.counts].map(([kind, { found, added, known, left }]) => [
    `  ${kind}`,
    `${found} read`,
    `${added} ${verb}`,
    `${known} here already`,
    `${left} left out`,
  ])
  for (const line of tableLines(rows)) say(line)
  if (stopped === 'faulty-records') {
    return fail(
      context,
      `the migration stopped at ${counted(report.faultCount, 'faulty record')}. Correct them in the old shop and add --restart, or leave them out with --skip-faulty.`,
    )
  }
  if (stopped !== null) return fail(context, `${stopped.problem}. The next run continues from here.`)
  const faulty = report.faultCount > 0 ? `, ${counted(report.faultCount, 'faulty record')} left out` : ''
  say(
    given.dryRun
      ? `Checked the shop ${name} in ${given.seconds} s. Nothing was changed.`
      : `Migrated the shop ${name} in ${given.seconds} s${faulty}.`,
  )
  return 0
}
