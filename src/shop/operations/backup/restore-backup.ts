import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Chance, Clock } from '#contract/shared/environment.ts'
import { erasuresSince } from '#database/customers/erasures.ts'
import type { Database } from '#database/engine/connect.ts'
import type { Statements } from '#database/engine/driver/sql.ts'
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
import { deletePurgeMarks } from '#database/operations/page-purges.ts'
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

/** A backup that cannot be restored here; the message states the reason. Nothing was changed. */
export class RestoreError extends Error {
  override readonly name = 'RestoreError'
}

export type RestoreOptions = {
  readonly file: string
  readonly databaseUrl: string
  readonly dataDir: string
  /** Number of order numbers to skip, so that none is reused that a customer received after the backup. */
  readonly skipNumbers: number
  readonly onProgress?: (what: string) => void
}

export type RestoreReport = {
  takenAt: string
  tables: number
  rows: number
  files: number
  migrated: number
  /** Number of accounts and orders that the replaced database had erased since the backup. */
  erased: number
}

/**
 * Reads a whole backup, and returns its facts. @throws ArchiveError, RestoreError if it is damaged or of another
 * version
 */
export async function checkBackup(file: string): Promise<{ manifest: BackupManifest; summary: BackupSummary }> {
  let manifest: BackupManifest | null = null
  let summary: BackupSummary | null = null
  let sha256 = ''
  const onSummary = (found: string) => {
    sha256 = found
  }
  for await (const { name, content } of readArchive(file, onSummary)) {
    if (manifest === null) {
      if (name !== manifestName) throw new ArchiveError(`${file} is not a backup of a shop`)
      manifest = await parsed(backupManifest, content, file)
    } else if (name === summaryName) summary = await parsed(backupSummary, content, file)
  }
  if (!manifest || !summary) throw new ArchiveError(`${file} is truncated`)
  if (summary.sha256 !== sha256) throw new ArchiveError(`${file} is damaged: its checksum differs`)
  return { manifest, summary }
}

/**
 * Replaces the content of the database by a backup. All rows are inserted in one transaction, which commits only if
 * every table has its digest; an aborted restore leaves the database unchanged. Files are moved afterwards. Then newer
 * migrations are applied, and erasures of the replaced database since the backup are repeated.
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
  // The queue creates its own tables, and existing ones stay: their rows are replaced like all others.
  await prepareJobQueue(db, databaseUrl)
  // Erasures of the minute before may be in the backup already; repeating them is harmless.
  const erasures = await erasuresSince(db.sql, new Date(Date.parse(manifest.takenAt) - 60_000))
  await removeStaged(dataDir)
  const staging = join(dataDir, `restoring-${chance.hex(6)}`)
  try {
    await db.sql.begin(async (tx) => {
      await setCopyFormat(tx)
      // Another user of the database would block the restore for ever.
      await tx`set local lock_timeout = '10s'`
      await tx`set local maintenance_work_mem = '256MB'`
      await recreateSchema(tx, migrations)
      await fitting(tx, manifest)
      await withoutConstraints(tx, async () => {
        await tx.unsafe(`truncate ${manifest.tables.map(qualifiedName).join(', ')}`)
        await fillTables(tx, file, manifest, staging, onProgress)
        await compare(tx, manifest, summary, onProgress)
      })
      for (const sequence of summary.sequences) {
        const counts = sequence.schema === 'public' && sequence.name === 'orders_id_seq'
        await setSequence(tx, sequence, counts ? skipNumbers : 0)
      }
    })
    const files = await moveFiles(staging, dataDir)
    const { length: migrated } = await migrate(db)
    const erased = await reapplyErasures(tools, erasures)
    // CDNs contain pages of the state after the backup.
    await deletePurgeMarks(db)
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
    throw new RestoreError(`${file} has a format that is unknown to this version`, { cause: error })
  }
}

/** Returns the migrations of the backup's database. @throws RestoreError if this version's differ */
async function migrationsOf({ migrations, program }: BackupManifest): Promise<readonly Migration[]> {
  const known = await readMigrations(migrationsFolder)
  for (const { number, name, checksum } of migrations) {
    const ours = known[number - 1]
    if (!ours) throw new RestoreError(`the backup has migration ${name}: restore it with version ${program} or newer`)
    if (ours.checksum !== checksum)
      throw new RestoreError(`migration ${name} differs from the one of the backup, by version ${program}`)
  }
  return known.slice(0, migrations.length)
}

/** @throws RestoreError if a table or column of the backup does not exist */
async function fitting(tx: Statements, { tables, program }: BackupManifest): Promise<void> {
  const there = new Map((await listTables(tx)).map((table) => [qualifiedName(table), new Set(table.columns)]))
  for (const table of tables) {
    const columns = there.get(qualifiedName(table))
    const missing = columns ? table.columns.find((column) => !columns.has(column)) : ''
    if (missing === undefined) continue
    const what = missing === '' ? table.name : `${table.name}.${missing}`
    throw new RestoreError(`${what} of the backup does not exist: restore it with version ${program}`)
  }
}

/** Fills the tables from the chunks of the archive, and extracts files to `staging`. */
async function fillTables(
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

/** Fills one table from its consecutive chunks. @returns the first other entry */
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

/** File names in the archive are untrusted: they must stay within the shop's folders. */
const isKeptFile = (name: string) =>
  backupFolders.some((folder) => name.startsWith(`${folder}/`)) &&
  !name.includes('\\') &&
  name.split('/').every((part) => part !== '' && part !== '.' && part !== '..')

/** @throws RestoreError if a table's digest differs from the backup's */
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
    throw new RestoreError(`${table.name} has ${found.rows} rows that differ from the ${was?.rows ?? 0} of the backup`)
  }
}

/** Deletes files extracted by a killed restore: they may fill the disk that the next one needs. */
async function removeStaged(dataDir: string): Promise<void> {
  const names = await readdir(dataDir).catch(() => [])
  for (const name of names)
    if (/^restoring-[\da-f]{12}$/.test(name)) await rm(join(dataDir, name), { recursive: true, force: true })
}

/** Moves files from the staging folder to their places. @returns their number */
async function moveFiles(staging: string, dataDir: string): Promise<number> {
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
