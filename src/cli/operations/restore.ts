import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { countBelongings, otherUsers } from '#database/operations/restore-target.ts'
import { ArchiveError } from '#shop/operations/backup/backup-archive.ts'
import { RestoreError, restoreBackup } from '#shop/operations/backup/restore-backup.ts'
import { checkInvariants } from '#shop/operations/doctor/check-invariants.ts'
import type { BareContext, Command } from '../shared/command.ts'
import { agreementLine, brokenLine } from './doctor.ts'

const options = {
  force: { type: 'boolean', default: false },
  'keep-numbers': { type: 'boolean', default: false },
} as const

/** More orders than any shop takes between two backups and the day on which it needs one. */
const skippedNumbers = 10_000

const patienceMs = 2_000

export const restoreCommand: Command = {
  mayBegin: true,
  usage: 'restore <file> [--force] [--keep-numbers]',
  summary:
    'Puts a backup into an empty database while the shop is stopped, compares every table with it and checks that everything ' +
    'agrees. --force: in the place of what is there. --keep-numbers: no order was taken since the backup.',
  completes: [],

  async runBare(args, context) {
    const { say } = context
    let wanted: { values: { force: boolean; 'keep-numbers': boolean }; positionals: string[] }
    try {
      wanted = parseArgs({ args: [...args], options, allowPositionals: true })
    } catch (error) {
      say(error instanceof Error ? error.message : String(error))
      return 2
    }
    const [name, ...more] = wanted.positionals
    if (name === undefined || more.length > 0) {
      say('restore <file>: which backup, for example restore shop.tar.zst')
      return 2
    }
    const file = resolve(name)
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
      say(`There is no file ${file}.`)
      return 1
    }
    if (!(await isOurs(context, wanted.values.force))) return 1
    return restore(file, wanted.values['keep-numbers'] ? 0 : skippedNumbers, context)
  },

  async run(_, { say }) {
    say('restore runs beside no shop: npm run shop -- restore <file>')
    return 2
  },
}

/** Whether nobody uses the database and nothing is lost with what it holds. */
async function isOurs({ db, clock, say }: BareContext, force: boolean): Promise<boolean> {
  let others = await otherUsers(db.sql)
  // A shop that was just stopped takes a moment to be gone.
  for (let waitedMs = 0; others.length > 0 && waitedMs < patienceMs; waitedMs += 200) {
    await clock.sleep(200)
    others = await otherUsers(db.sql)
  }
  if (others.length > 0) {
    say(
      `The database is in use by ${others.join(', ')}: stop the shop first, and restart PgBouncer where there is one.`,
    )
    return false
  }
  const belongings = await countBelongings(db.sql)
  if (belongings === 0 || force) return true
  say(`The database holds a shop already (${belongings} orders, products, customers and coupons).`)
  say('Name an empty one by DATABASE_URL or DATA_DIR, or add --force: all that it holds is then gone.')
  return false
}

async function restore(file: string, skipNumbers: number, context: BareContext): Promise<number> {
  const { db, say, print, progress, databaseUrl, dataDir } = context
  try {
    const report = await restoreBackup(context, { file, databaseUrl, dataDir, skipNumbers, onProgress: progress })
    progress('')
    const { takenAt, tables, rows, files, migrated, erased } = report
    say(
      `The shop is as it was at ${takenAt}: ${rows} rows of ${tables} tables, each as in the backup, and ${files} files.`,
    )
    if (migrated > 0) say(`${migrated} ${migrated === 1 ? 'migration was' : 'migrations were'} applied since.`)
    if (erased > 0)
      say(
        `${erased} ${erased === 1 ? 'account or order was' : 'accounts and orders were'} erased again, as since the backup.`,
      )
  } catch (error) {
    if (!(error instanceof ArchiveError || error instanceof RestoreError)) throw error
    progress('')
    say(`Nothing was restored: ${error.message}.`)
    return 1
  }
  const broken = await checkInvariants({ db, clock: context.clock, paypal: context.paypal, newest: 'all' })
  for (const one of broken) print(brokenLine(one))
  say(agreementLine(broken.length))
  if (skipNumbers > 0) say(`New orders leave out ${skipNumbers} numbers, which may have gone to customers already.`)
  return broken.length === 0 ? 0 : 1
}
