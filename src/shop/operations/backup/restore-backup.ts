import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { ISql as Statements } from 'postgres'
import type { Chance, Clock } from '#contract/shared/environment.ts'
import { erasuresSince } from '#database/customers/erasures.ts'
import type { Database } from '#database/engine/connect.ts'
import { type Migration, migrate, migrationsFolder, readMigrations } from '#database/engine/migrate.ts'
import {
  type BackupTable,
  copyIn,
  listTables,
  qualifiedName,
  setCopyFormat,
  tableDigest,
} from '#database/operations/backup-tables.ts'
import { prepareJobQueue } from '#database/operations/job-queue.ts'
import { forgetPurgeMarks } from '#database/operations/page-purges.ts'
import { recreateSchema, setSequence, withoutConstraints } from '#database/operations/restore-target.ts'
import { reapplyErasures } from '../../customers/reapply-erasures.ts'
import { type ArchiveEntry, ArchiveError, readArchive, summaryName } from './backup-archive.ts'
import {
  type BackupManifest,
  type BackupSummary,
  backupFolders,
  backupManifest,
  backupSummary,
  manifestName,
  tableOfPiece,
} from './backup-manifest.ts'

/** A backup that cannot be restored here; the message says why. Nothing was changed. */
export class RestoreError extends Error {
  override readonly name = 'RestoreError'
}

export type RestoreOptions = {
  readonly file: string
  readonly databaseUrl: string
  readonly dataDir: string
  /** How many order numbers are left out, so that none is given again that went to a customer after the backup was taken. */
  readonly skipNumbers: number
  readonly onProgress?: (what: string) => void
}

export type RestoreReport = {
  takenAt: string
  tables: number
  rows: number
  files: number
  migrated: number
  /** Accounts and orders that the shop before had erased since the backup. */
  erased: number
}

/** Reads a whole backup and says what it is. @throws ArchiveError, RestoreError where it is damaged or of another kind */
export async function checkBackup(file: string): Promise<{ manifest: BackupManifest; summary: BackupSummary }> {
  let manifest: BackupManifest | null = null
  let summary: BackupSummary | null = null
  let sha256 = ''
  const onSummary = (found: string) => {
    sha256 = found
  }
  for await (const { name, content } of readArchive(file, onSummary)) {
    if (manifest === null) {
      if (name !== manifestName) throw new ArchiveError(`${file} is no backup of a shop`)
      manifest = await parsed(backupManifest, content, file)
    } else if (name === summaryName) summary = await parsed(backupSummary, content, file)
  }
  if (!manifest || !summary) throw new ArchiveError(`${file} ends too early: it is not complete`)
  if (summary.sha256 !== sha256) throw new ArchiveError(`${file} is damaged: its checksum is another one`)
  return { manifest, summary }
}

/**
 * Puts a backup in the place of whatever the database holds. The rows come in one transaction, which ends only when every
 * table holds what it held then; a restore that is broken off leaves the database as it was. Files take their places after
 * it. Then what this version has changed since the backup's is applied, and whom the shop before has erased since is erased again.
 * @throws ArchiveError, RestoreError before anything is changed
 */
export async function restoreBackup(
  tools: { readonly db: Database; readonly clock: Clock; readonly chance: Chance },
  { file, databaseUrl, dataDir, skipNumbers, onProgress = () => {} }: RestoreOptions,
): Promise<RestoreReport> {
  const { db, chance } = tools
  onProgress('Reading the backup')
  const { manifest, summary } = await checkBackup(file)
  const migrations = await migrationsOf(manifest)
  // The queue makes its tables itself, and one that is there stays: its rows change with all others.
  await prepareJobQueue(db, databaseUrl)
  // What was erased in the minute before is in the backup or is not; it is no matter to erase it twice.
  const erasures = await erasuresSince(db.sql, new Date(Date.parse(manifest.takenAt) - 60_000))
  await removeStaged(dataDir)
  const staging = join(dataDir, `restoring-${chance.hex(6)}`)
  try {
    await db.sql.begin(async (tx) => {
      await setCopyFormat(tx)
      // Somebody who still uses the database would have us wait for ever.
      await tx`set local lock_timeout = '10s'`
      await tx`set local maintenance_work_mem = '256MB'`
      await recreateSchema(tx, migrations)
      await fitting(tx, manifest)
      await withoutConstraints(tx, async () => {
        await tx.unsafe(`truncate ${manifest.tables.map(qualifiedName).join(', ')}`)
        await takeIn(tx, file, manifest, staging, onProgress)
        await compare(tx, manifest, summary, onProgress)
      })
      for (const sequence of summary.sequences) {
        const counts = sequence.schema === 'public' && sequence.name === 'orders_id_seq'
        await setSequence(tx, sequence, counts ? skipNumbers : 0)
      }
    })
    const files = await moveIn(staging, dataDir)
    const { length: migrated } = await migrate(db)
    const erased = await reapplyErasures(tools, erasures)
    // A cache in front holds pages of what came after the backup.
    await forgetPurgeMarks(db)
    const rows = summary.tables.reduce((sum, table) => sum + table.rows, 0)
    return { takenAt: manifest.takenAt, tables: summary.tables.length, rows, files, migrated, erased }
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

async function parsed<Kind>(
  schema: { parse(value: unknown): Kind },
  content: AsyncIterable<Buffer>,
  file: string,
): Promise<Kind> {
  const pieces: Buffer[] = []
  for await (const piece of content) pieces.push(piece)
  try {
    return schema.parse(JSON.parse(Buffer.concat(pieces).toString()))
  } catch (error) {
    throw new RestoreError(`${file} is of a kind that this version does not know`, { cause: error })
  }
}

/** Those that the backed up database had. @throws RestoreError where this version's are others */
async function migrationsOf({ migrations, program }: BackupManifest): Promise<readonly Migration[]> {
  const known = await readMigrations(migrationsFolder)
  for (const { number, name, checksum } of migrations) {
    const ours = known[number - 1]
    if (!ours) throw new RestoreError(`the backup has migration ${name}: restore it with version ${program} or newer`)
    if (ours.checksum !== checksum)
      throw new RestoreError(`migration ${name} is not what it was when the backup was taken, by version ${program}`)
  }
  return known.slice(0, migrations.length)
}

/** @throws RestoreError where a table of the backup is not there, or has not its columns */
async function fitting(tx: Statements, { tables, program }: BackupManifest): Promise<void> {
  const there = new Map((await listTables(tx)).map((table) => [qualifiedName(table), new Set(table.columns)]))
  for (const table of tables) {
    const columns = there.get(qualifiedName(table))
    const missing = columns ? table.columns.find((column) => !columns.has(column)) : ''
    if (missing === undefined) continue
    const what = missing === '' ? table.name : `${table.name}.${missing}`
    throw new RestoreError(`there is no ${what} for what the backup holds: restore it with version ${program}`)
  }
}

/** Fills the tables from the pieces of the archive, and puts files into `staging`. */
async function takeIn(
  tx: Statements,
  file: string,
  { tables }: BackupManifest,
  staging: string,
  onProgress: (what: string) => void,
): Promise<void> {
  const byName = new Map(tables.map((table) => [`${table.schema}.${table.name}`, table]))
  const entries = readArchive(file, () => {})
  let next = await entries.next()
  while (!next.done) {
    const { name, content } = next.value
    const tableName = tableOfPiece(name)
    const table = tableName === null ? null : byName.get(tableName)
    if (table) {
      onProgress(`Filling ${table.name}`)
      next = await fill(tx, table, next, entries)
      continue
    }
    if (isKeptFile(name)) {
      const path = join(staging, name)
      await mkdir(dirname(path), { recursive: true })
      await pipeline(content, createWriteStream(path, { flags: 'wx' }))
    }
    next = await entries.next()
  }
}

/** Fills one table from its pieces, which follow each other. @returns the first entry that is none of them */
async function fill(
  tx: Statements,
  table: BackupTable,
  first: IteratorYieldResult<ArchiveEntry>,
  entries: AsyncGenerator<ArchiveEntry>,
): Promise<IteratorResult<ArchiveEntry>> {
  let next: IteratorResult<ArchiveEntry> = first
  const own = `${table.schema}.${table.name}`
  async function* pieces(): AsyncGenerator<Buffer> {
    while (!next.done && tableOfPiece(next.value.name) === own) {
      yield* next.value.content
      next = await entries.next()
    }
  }
  await copyIn(tx, table, pieces())
  return next
}

/** A name out of a file is believed in nothing: it stays below the folders that a shop has. */
const isKeptFile = (name: string) =>
  backupFolders.some((folder) => name.startsWith(`${folder}/`)) &&
  !name.includes('\\') &&
  name.split('/').every((part) => part !== '' && part !== '.' && part !== '..')

/** @throws RestoreError where a table does not hold what it held when the backup was taken */
async function compare(
  tx: Statements,
  { tables }: BackupManifest,
  summary: BackupSummary,
  onProgress: (what: string) => void,
): Promise<void> {
  const expected = new Map(summary.tables.map((table) => [qualifiedName(table), table]))
  for (const table of tables) {
    onProgress(`Comparing ${table.name}`)
    const found = await tableDigest(tx, table)
    const was = expected.get(qualifiedName(table))
    if (found.rows === was?.rows && found.digest === was.digest) continue
    throw new RestoreError(
      `${table.name} came out with ${found.rows} rows that are not the ${was?.rows ?? 0} of the backup`,
    )
  }
}

/** What a restore that was killed has unpacked: nobody would look for it, and it may fill the disk on which the next one needs room. */
async function removeStaged(dataDir: string): Promise<void> {
  const names = await readdir(dataDir).catch(() => [])
  for (const name of names)
    if (/^restoring-[\da-f]{12}$/.test(name)) await rm(join(dataDir, name), { recursive: true, force: true })
}

/** Moves files from a folder beside to where they belong. @returns how many */
async function moveIn(staging: string, dataDir: string): Promise<number> {
  const entries = await readdir(staging, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile())
  for (const { parentPath, name } of files) {
    const from = join(parentPath, name)
    const to = join(dataDir, from.slice(staging.length + 1))
    await mkdir(dirname(to), { recursive: true })
    await rename(from, to)
  }
  return files.length
}
