import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { countBelongings, otherUsers } from '#database/operations/restore-target.ts'
import { ArchiveError } from '#shop/operations/backup/backup-archive.ts'
import { RestoreError, restoreBackup } from '#shop/operations/backup/restore-backup.ts'
import { checkInvariants } from '#shop/operations/doctor/check-invariants.ts'
import type { BareContext, Command } from '../shared/command.ts'
import { describedCommand, parsedRun, type SubCommand } from '../shared/command-group.ts'
import { counted, fail, rejectUsage } from '../shared/messages.ts'
import { brokenLine, printAgreement } from './doctor.ts'

/** More orders than a shop receives between a backup and its restore. */
const skippedNumbers = 10_000

const disconnectTimeoutMs = 2_000

const restoreSyntax: SubCommand<BareContext> = {
  usage: '<file> [--force] [--keep-numbers]',
  summary:
    'Restores a backup into an empty database while the shop is stopped, then compares every table with the backup and checks ' +
    'orders, payments and stock.',
  example: 'shop.tar.zst',
  options: {
    force: { type: 'boolean', what: 'replaces a shop that is in the database' },
    'keep-numbers': { type: 'boolean', what: 'skips no order numbers: no order was placed since the backup' },
  },
  words: [1, 1],
  async run([name = ''], given, context) {
    const file = resolve(name)
    if (!statSync(file, { throwIfNoEntry: false })?.isFile())
      return fail(context, `file ${file} does not exist. Check the path.`)
    if (!(await isRestorable(context, given.force === true))) return 1
    return restore(file, given['keep-numbers'] ? 0 : skippedNumbers, context)
  },
}

export const restoreCommand: Command = {
  ...describedCommand('restore', restoreSyntax),
  mayBegin: true,
  runBare: parsedRun('restore', restoreSyntax),
  run: async (_, context) => rejectUsage(context, 'stop the shop before restoring: npm run shop -- restore <file>'),
}

/** Checks that no process uses the database and that it holds no shop that would be lost. */
async function isRestorable(context: BareContext, force: boolean): Promise<boolean> {
  const { db, clock } = context
  let others = await otherUsers(db.sql)
  // The connections of a shop that was just stopped end a moment later.
  for (let waitedMs = 0; others.length > 0 && waitedMs < disconnectTimeoutMs; waitedMs += 200) {
    await clock.sleep(200)
    others = await otherUsers(db.sql)
  }
  if (others.length > 0) {
    fail(context, `the database is in use by ${others.join(', ')}. Stop the shop, and restart PgBouncer if it is used.`)
    return false
  }
  const belongings = await countBelongings(db.sql)
  if (belongings === 0 || force) return true
  fail(
    context,
    `the database holds a shop already (${belongings} orders, products, customers and coupons). Name an empty database by ` +
      'DATABASE_URL or DATA_DIR, or add --force to replace all of it.',
  )
  return false
}

async function restore(file: string, skipNumbers: number, context: BareContext): Promise<number> {
  const { db, say, print, progress, databaseUrl, dataDir } = context
  try {
    const report = await restoreBackup(context, { file, databaseUrl, dataDir, skipNumbers, onProgress: progress })
    progress('')
    const { takenAt, tables, rows, files, migrated, erased } = report
    say(
      `Restored the shop as of ${takenAt}: ${rows} rows of ${tables} tables, each compared with the backup, and ${files} files.`,
    )
    if (migrated > 0) say(`Applied ${counted(migrated, 'later migration')}.`)
    if (erased > 0)
      say(`Erased ${counted(erased, 'account or order', 'accounts and orders')} again, as since the backup.`)
  } catch (error) {
    if (!(error instanceof ArchiveError || error instanceof RestoreError)) throw error
    progress('')
    return fail(context, `nothing was restored: ${error.message}.`)
  }
  const broken = await checkInvariants({ db, clock: context.clock, paypal: context.paypal, newest: 'all' })
  for (const one of broken) print(brokenLine(one))
  const code = printAgreement(context, broken.length)
  if (skipNumbers > 0) say(`New orders skip ${skipNumbers} order numbers, which customers may have received already.`)
  return code
}
