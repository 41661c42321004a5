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
  /** Where to; must not exist. */
  readonly file: string
  /** The shop's own folder, with its pictures. */
  readonly dataDir: string
  /** Of this program, as its `package.json` says. */
  readonly program: string
  /** Called after each piece, and waited for. */
  readonly onProgress?: (done: { bytes: number; what: string }) => void | Promise<void>
}

export type BackupReport = { tables: number; rows: number; files: number; bytes: number }

/**
 * The secrets of a day that visitors are counted by. With them, and the visits of that day, somebody could tell for as long as the
 * backup is kept whose they were. A shop that is restored makes new ones.
 */
const leftOut = 'public.stat_salt'

/**
 * Writes all that the shop knows and its files into one file while it sells: everything of the database as it was at one
 * moment, and then the files. Pictures have the name of what they show, so those of that moment are there unless they were
 * deleted meanwhile.
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

/** Paths below a folder, sorted; what is written at this moment (`.partial`, locks) is none of the shop's files yet. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      // A shop without downloads has no such folder. One that may not be looked into is another matter.
      if (error.code !== 'ENOENT') throw error
      return []
    },
  )
  return entries
    .filter((entry) => entry.isFile() && !/\.(?:lock|partial|tmp)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}
