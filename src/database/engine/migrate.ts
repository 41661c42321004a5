import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sql, ISql as Statements } from 'postgres'
import { type Database, sqlState } from './connect.ts'

export type Migration = {
  readonly number: number
  readonly name: string
  readonly text: string
  readonly checksum: string
}

/** A database and a folder of migrations that do not belong together; the message says which file and what to do. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'
}

/** Beside this file, and beside the bundle: the build copies them there. */
export const migrationsFolder = join(import.meta.dirname, '../migrations')

/** Any constant that no other program takes: one process migrates, the others wait and find nothing to do. */
export const migrationLock = 7_305_117

/**
 * Brings the database to the newest migration and answers which were applied. Each runs in a transaction of its own with
 * its row in `schema_migrations`. With nothing to do it is one query. It waits for whoever uses a table, as a backup does, and
 * lets visitors pass meanwhile.
 * @param onWait told once of each migration that has to wait for that
 * @throws MigrationError when an applied file was edited, or the database is newer than the folder.
 */
export async function migrate(
  db: Database,
  folder: string = migrationsFolder,
  onWait: (migration: string) => void = () => {},
): Promise<readonly Migration[]> {
  const migrations = await readMigrations(folder)
  if (outstanding(migrations, await appliedMigrations(db.sql)).length === 0) return []

  const connection = await db.session.reserve()
  try {
    // However long another process takes for it, or a large table, and however soon the role that is used here gives up else.
    await connection.unsafe('set lock_timeout = 0; set statement_timeout = 0')
    await connection`select pg_advisory_lock(${migrationLock})`
    await makeList(connection)
    // Read again: another process may have migrated while this one waited for the lock.
    const todo = outstanding(migrations, await appliedMigrations(connection))
    for (const migration of todo) await apply(connection, migration, onWait)
    return todo
  } finally {
    await connection`select pg_advisory_unlock(${migrationLock})`
    await connection.unsafe('reset lock_timeout; reset statement_timeout')
    connection.release()
  }
}

/** The files `0001_catalog.sql`, `0002_…` of a folder in order. */
export async function readMigrations(folder: string): Promise<readonly Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
  const migrations = await Promise.all(files.map((file) => readMigration(folder, file)))
  for (const [index, { number, name }] of migrations.entries()) {
    if (number !== index + 1)
      throw new MigrationError(
        `migration ${name} stands at place ${index + 1}: numbers must run from 0001 without gaps`,
      )
  }
  return migrations
}

async function readMigration(folder: string, file: string): Promise<Migration> {
  const number = Number(/^(\d{4})_[a-z0-9_]+\.sql$/.exec(file)?.[1])
  if (!number) throw new MigrationError(`migration ${join(folder, file)} must be named like 0001_what_it_makes.sql`)
  // Line ends do not count: a checkout on Windows must not look like an edit.
  const text = (await readFile(join(folder, file), 'utf8')).replaceAll('\r\n', '\n')
  return { number, name: file, text, checksum: createHash('sha256').update(text).digest('hex') }
}

export type Applied = { number: number; name: string; checksum: string }

const undefinedTable = '42P01'

async function appliedMigrations(sql: Statements): Promise<readonly Applied[]> {
  try {
    return await sql<Applied[]>`select number, name, checksum from schema_migrations order by number`
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === undefinedTable) return []
    throw error
  }
}

function outstanding(migrations: readonly Migration[], applied: readonly Applied[]): readonly Migration[] {
  for (const row of applied) {
    const migration = migrations[row.number - 1]
    if (!migration) {
      throw new MigrationError(
        `the database has migration ${row.name}, which this version does not know: start a newer version`,
      )
    }
    if (migration.checksum !== row.checksum) {
      throw new MigrationError(
        `migration ${migration.name} was edited after it was applied (as ${row.name}): restore the file and put the change into a new one`,
      )
    }
  }
  return migrations.slice(applied.length)
}

/** Brings an empty schema to the last of these migrations within a transaction of the caller's: all of them stand or none. */
export async function migrateWithin(tx: Statements, migrations: readonly Migration[]): Promise<void> {
  await makeList(tx)
  for (const migration of migrations) await write(tx, migration)
}

async function makeList(connection: Statements): Promise<void> {
  await connection`create table if not exists schema_migrations (
    number integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())`
}

async function write(connection: Statements, { number, name, checksum, text }: Migration): Promise<void> {
  await connection.unsafe(text).simple()
  await connection`insert into schema_migrations (number, name, checksum) values (${number}, ${name}, ${checksum})`
}

/**
 * Whoever asks for a table stands in line behind a migration that waits for it, and gives up before the migration does. So it
 * waits for so long, in milliseconds …
 */
const inLineMs = 1_000
/** … and then stands aside for so many seconds. */
const asideSeconds = 1
const lockNotAvailable = '55P03'

async function apply(connection: Sql, migration: Migration, onWait: (migration: string) => void): Promise<void> {
  const { name } = migration
  for (let tries = 1; ; tries += 1) {
    await connection`begin`
    try {
      await connection`select set_config('lock_timeout', ${`${inLineMs}ms`}, true)`
      await write(connection, migration)
      await connection`commit`
      return
    } catch (error) {
      await connection`rollback`
      if (sqlState(error) !== lockNotAvailable) throw failure(name, error)
    }
    if (tries === 1) onWait(name)
    await connection`select pg_sleep(${asideSeconds})`
  }
}

const failure = (name: string, cause: unknown) =>
  new MigrationError(`migration ${name} failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })

/** What was applied to a database, for whoever must make another one like it. */
export function listMigrations(sql: Statements): Promise<readonly Applied[]> {
  return appliedMigrations(sql)
}

/**
 * How many migrations of the folder the database does not have. None for a database that a newer version has brought
 * further: this one serves beside it while the machines are upgraded one by one.
 */
export async function pendingMigrations({ sql }: Pick<Database, 'sql'>, folder: string): Promise<number> {
  const [known, applied] = await Promise.all([readdir(folder), appliedMigrations(sql)])
  return Math.max(0, known.filter((file) => file.endsWith('.sql')).length - applied.length)
}
