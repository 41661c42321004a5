import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '#contract/shared/environment.ts'
import type { Database } from '#database/engine/connect.ts'
import { listMigrations } from '#database/engine/migrate.ts'
import { copyOut, inSnapshot, listSequences, listTables, tableDigest } from '#database/operations/backup-tables.ts'
import { type ArchiveWriter, writeArchive } from './backup-archive.ts'
import { type BackupManifest, type BackupSummary, backupFolders, manifestName, pieceName } from './backup-manifest.ts'

export type BackupTools = { readonly db: Database; readonly clock: Clock }

export type BackupOptions = {
  /** Output file; must not exist. */
  readonly file: string
  /** The data folder, which contains the images. */
  readonly dataDir: string
  /** Version of this program, from its `package.json`. */
  readonly program: string
  /** Called and awaited after each chunk. */
  readonly onProgress?: (done: { bytes: number; what: string }) => void | Promise<void>
}

export type BackupReport = { tables: number; rows: number; files: number; bytes: number }

/**
 * The daily salts of visitor ids. With them, the visits of that day could be linked to persons for as long as the
 * backup exists. A restored shop creates new ones.
 */
const leftOut = 'public.stat_salt'

/**
 * Writes all data and files of the running shop into one file: a snapshot of the database, then the files. Images are
 * named by their content, so those of the snapshot exist unless they were deleted meanwhile.
 */
export async function takeBackup({ db, clock }: BackupTools, options: BackupOptions): Promise<BackupReport> {
  const archive = await writeArchive(options.file)
  try {
    const tell = async (what: string) => options.onProgress?.({ bytes: archive.bytes, what })
    const read = await inSnapshot(db.sql, async (tx) => {
      const tables = (await listTables(tx)).filter(({ schema, name }) => `${schema}.${name}` !== leftOut)
      const migrations = await listMigrations(tx)
      const manifest: BackupManifest = {
        format: 'vitrine-backup',
        version: 1,
        program: options.program,
        takenAt: clock.now().toISOString(),
        migrations: migrations.map(({ number, name, checksum }) => ({ number, name, checksum })),
        tables,
      }
      await archive.add(manifestName, Buffer.from(JSON.stringify(manifest, null, 1)))
      const digests: BackupSummary['tables'] = []
      for (const table of tables) {
        let piece = 0
        await copyOut(tx, table, async (content) => {
          piece += 1
          await archive.add(pieceName(table, piece), content)
          await tell(table.name)
        })
        digests.push({ schema: table.schema, name: table.name, ...(await tableDigest(tx, table)) })
      }
      return { digests, sequences: await listSequences(tx) }
    })
    const files = await addFiles(archive, options.dataDir, tell)
    await archive.finish(
      (sha256): BackupSummary => ({ sha256, tables: read.digests, sequences: read.sequences, files }),
    )
    const rows = read.digests.reduce((sum, table) => sum + table.rows, 0)
    return { tables: read.digests.length, rows, files, bytes: archive.bytes }
  } catch (error) {
    await archive.abandon()
    throw error
  }
}

async function addFiles(
  archive: ArchiveWriter,
  dataDir: string,
  tell: (what: string) => Promise<void>,
): Promise<number> {
  let count = 0
  for (const folder of backupFolders) {
    for (const name of await filesBelow(join(dataDir, folder))) {
      const file = await openFile(join(dataDir, folder, name))
      // Deleted since the folder was listed.
      if (!file) continue
      const { size } = await file.stat()
      await archive.addStream(`${folder}/${name}`, size, file.createReadStream({ end: Math.max(size - 1, 0) }))
      count += 1
      await tell(folder)
    }
  }
  return count
}

async function openFile(path: string): Promise<FileHandle | null> {
  return open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
}

/** Returns the paths below a folder, sorted, without files in progress (`.partial`, locks). */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      // A shop without downloads lacks the folder. A folder without permission is an error.
      if (error.code !== 'ENOENT') throw error
      return []
    },
  )
  return entries
    .filter((entry) => entry.isFile() && !/\.(?:lock|partial|tmp)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}
