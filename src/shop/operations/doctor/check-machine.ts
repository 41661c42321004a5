import { statfs } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { versions } from 'node:process'
import { migrationsFolder, readMigrations } from '#database/engine/migrate.ts'
import { listFailedJobs } from '#database/operations/failed-jobs.ts'
import { jobFigures } from '#database/operations/operation-figures.ts'
import type { MailDesk } from '../../mail/mail-desk.ts'
import type { Tools } from '../../shared/tools.ts'
import { missingPictures } from '../backup/missing-images.ts'
import { getOnce, type LiveFinding } from './check-live.ts'

type MachineTools = Pick<Tools, 'db' | 'clock' | 'network' | 'publicUrl' | 'paypal'> & {
  /** The data folder. */
  readonly dataDir: string
}

/** Space of a folder's disk, in bytes; null: the folder does not exist. */
export type DiskSpace = (folder: string) => Promise<{ readonly free: number; readonly total: number } | null>

const gigabyte = 1024 ** 3
/** An order needs some kilobytes; a day's WAL, an image with its sizes and a backup need more. */
const scarceBytes = gigabyte
const mostClockMs = 2_000
/** Due jobs start within seconds, jobs that failed once within minutes. */
const longestWaitSeconds = 10 * 60
const oldestPostgres = 150_000

const ok = (what: string): LiveFinding => ({ what, state: 'ok', advice: '' })
const missing = (what: string, advice: string): LiveFinding => ({ what, state: 'missing', advice })
const look = (what: string, advice: string): LiveFinding => ({ what, state: 'look', advice })

/** Checks disk space, clock, versions and jobs; uses nothing but the database. Changes nothing. */
export async function checkMachine(tools: MachineTools, diskSpace: DiskSpace = spaceOf): Promise<LiveFinding[]> {
  const parts = await Promise.all([
    checkDisk(tools, diskSpace),
    checkClock(tools),
    checkVersions(tools),
    checkJobs(tools),
  ])
  return parts.flat()
}

/** Checks that images are in the configured folder, which may differ between command and shop. */
export async function checkPictures({ db, dataDir }: Pick<MachineTools, 'db' | 'dataDir'>): Promise<LiveFinding[]> {
  const mediaDir = resolve(dataDir, 'media')
  const { known, lost } = await missingPictures(db, mediaDir)
  if (lost === 0) return [ok(`${known} pictures are there`)]
  return [
    missing(
      `${lost} of ${known} pictures are not in ${mediaDir}`,
      'Set DATA_DIR as the shop has it. Where it is that, put back the pictures of a backup, or import them again.',
    ),
  ]
}

/** Checks that external services respond: mail server, provider, and the shop's own address. */
export async function checkNeighbours(tools: MachineTools, mail: Pick<MailDesk, 'reach'>): Promise<LiveFinding[]> {
  const parts = await Promise.all([checkMail(mail), checkProvider(tools), checkAddress(tools)])
  return parts.flat()
}

async function spaceOf(folder: string) {
  try {
    const { bavail, blocks, bsize } = await statfs(folder)
    return { free: bavail * bsize, total: blocks * bsize }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

async function checkDisk({ dataDir }: MachineTools, diskSpace: DiskSpace): Promise<LiveFinding[]> {
  const places = [
    ['data', dataDir],
    ['pictures', join(dataDir, 'media')],
    ['the database', join(dataDir, 'postgres')],
  ] as const
  const found = await Promise.all(
    places.map(async ([what, folder]): Promise<LiveFinding[]> => {
      const space = await diskSpace(folder)
      if (!space) return []
      const left = `${(space.free / gigabyte).toFixed(1)} GB of ${(space.total / gigabyte).toFixed(1)} GB left for ${what}`
      if (space.free < scarceBytes / 5)
        return [missing(left, `Make room on the disk of ${folder} now: without it no order can be written.`)]
      return [space.free < scarceBytes ? look(left, `Make room on the disk of ${folder}.`) : ok(left)]
    }),
  )
  return found.flat()
}

async function checkClock({ db, clock }: MachineTools): Promise<LiveFinding[]> {
  const before = clock.now().getTime()
  const [row] = await db.sql<{ now: Date }[]>`select clock_timestamp() as now`
  const after = clock.now().getTime()
  const theirs = row?.now.getTime() ?? before
  // The difference beyond the duration of the request.
  const apartMs = theirs < before ? before - theirs : Math.max(0, theirs - after)
  if (apartMs <= mostClockMs) return [ok('the clocks of the shop and of the database agree')]
  return [
    missing(
      `the clocks of the shop and of the database are ${(apartMs / 1000).toFixed(1)} s apart`,
      'Synchronize both clocks by NTP: reservations, sales and tokens expire by them.',
    ),
  ]
}

async function checkVersions({ db }: MachineTools): Promise<LiveFinding[]> {
  const [server] = await db.sql<{ number: number; version: string; encoding: string }[]>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
      current_setting('server_encoding') as encoding`
  const [schema] = await db.sql<{ last: number }[]>`select coalesce(max(number), 0)::int as last from schema_migrations`
  const known = (await readMigrations(migrationsFolder)).length
  const last = schema?.last ?? 0
  return [
    ok(`Node ${versions.node}`),
    (server?.number ?? 0) >= oldestPostgres
      ? ok(`PostgreSQL ${server?.version}`)
      : missing(`PostgreSQL ${server?.version}`, 'This version is too old for the shop: upgrade the database server.'),
    ...(server?.encoding === 'UTF8'
      ? []
      : [
          missing(
            `the database is encoded in ${server?.encoding}`,
            "Whose name it cannot hold cannot order. Restore a backup into one that is made with encoding 'UTF8'.",
          ),
        ]),
    last === known
      ? ok(`the database is at migration ${last}`)
      : last > known
        ? look(
            `the database is at migration ${last}, this version knows ${known}`,
            'A newer version of the shop uses this database: upgrade.',
          )
        : missing(
            `the database is at migration ${last}, this version needs ${known}`,
            'Start the shop once: it migrates.',
          ),
  ]
}

async function checkJobs({ db }: MachineTools): Promise<LiveFinding[]> {
  const [figures, givenUp] = await Promise.all([jobFigures(db), listFailedJobs(db)])
  const late = figures.filter(({ oldestSeconds }) => oldestSeconds > longestWaitSeconds)
  return [
    ...late.map(({ task, waiting, oldestSeconds }) =>
      missing(
        `${waiting} jobs of the kind ${task} wait, the oldest for ${Math.round(oldestSeconds / 60)} minutes`,
        'Check that a shop process is running, and its log.',
      ),
    ),
    ...(givenUp.length > 0
      ? [look(`${givenUp.length} jobs were given up`, 'npm run shop -- jobs says why; jobs retry all tries again.')]
      : []),
    ...(late.length + givenUp.length === 0 ? [ok('no job is stuck')] : []),
  ]
}

async function checkMail(mail: Pick<MailDesk, 'reach'>): Promise<LiveFinding[]> {
  const { to, fault } = await mail.reach()
  if (to === null)
    return [look('emails are written to the outbox folder', 'Set SMTP_URL to the address of a mail server.')]
  if (fault === null) return [ok(`the mail server ${to} answers`)]
  return [missing(`the mail server ${to} does not accept emails`, `${fault}. Messages wait and are sent once it does.`)]
}

async function checkProvider({ paypal }: MachineTools): Promise<LiveFinding[]> {
  if (!paypal) return []
  const asked = await paypal.listWebhooks()
  if (asked.ok) return [ok('PayPal answers')]
  return asked.kind === 'refused'
    ? [missing('PayPal rejects the credentials', 'doctor --live says which.')]
    : [missing('PayPal cannot be reached', `${asked.reason}. Visitors are told, and may pay in another way.`)]
}

async function checkAddress(tools: MachineTools): Promise<LiveFinding[]> {
  const answer = await getOnce(tools, `${tools.publicUrl}/healthz`)
  if (typeof answer === 'string')
    return [missing(`nothing answers at ${tools.publicUrl}`, `${answer}. Does the shop run, and the proxy before it?`)]
  if (answer.status === 200 && answer.text.trim() === 'ok') return [ok(`the shop answers at ${tools.publicUrl}`)]
  return [missing(`something else answers at ${tools.publicUrl}`, 'PUBLIC_BASE_URL or the proxy leads elsewhere.')]
}
