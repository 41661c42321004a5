import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { advisoryLocks } from './advisory-locks.ts'
import { type Database, sqlState } from './connect.ts'
import type { Statements } from './driver/sql.ts'

export type Migration = {
  readonly number: number
  readonly name: string
  readonly text: string
  readonly checksum: string
}

/** A database and a folder of migrations that do not match; the message names the file and the remedy. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'
}

/** Beside this file, and beside the bundle: the build copies it there. */
export const migrationsFolder = join(import.meta.dirname, '../migrations')

/**
 * Applies missing migrations, and returns them. Each runs in a transaction of its own with its row in
 * `schema_migrations`. Without any it is one query. It waits for other users of a table, such as a backup, without
 * blocking visitors meanwhile. One process migrates; the others wait and find nothing to do.
 * @param onWait called once for each migration that has to wait
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
    // A long wait for another process or a large table must not hit the role's own timeouts.
    await connection.unsafe('set lock_timeout = 0; set statement_timeout = 0')
    await connection`select pg_advisory_lock(${advisoryLocks.migrations})`
    await makeList(connection)
    // Read again: another process may have migrated while this one waited for the lock.
    const todo = outstanding(migrations, await appliedMigrations(connection))
    for (const migration of todo) await apply(connection, migration, onWait)
    return todo
  } finally {
    await connection`select pg_advisory_unlock(${advisoryLocks.migrations})`
    await connection.unsafe('reset lock_timeout; reset statement_timeout')
    connection.release()
  }
}

/** Reads the files `0001_catalog.sql`, `0002_…` of a folder in order. */
export async function readMigrations(folder: string): Promise<readonly Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
  const migrations = await Promise.all(files.map((file) => readMigration(folder, file)))
  for (const [index, { number, name }] of migrations.entries()) {
    if (number !== index + 1)
      throw new MigrationError(`migration ${name} is at position ${index + 1}: numbers must run from 0001 without gaps`)
  }
  return migrations
}

async function readMigration(folder: string, file: string): Promise<Migration> {
  const number = Number(/^(\d{4})_[a-z0-9_]+\.sql$/.exec(file)?.[1])
  if (!number) throw new MigrationError(`migration ${join(folder, file)} must be named like 0001_what_it_makes.sql`)
  // Line endings are ignored: a checkout on Windows must not look like an edit.
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
        `the database has migration ${row.name}, which is unknown to this version: start a newer version`,
      )
    }
    if (migration.checksum !== row.checksum) {
      throw new MigrationError(
        `migration ${migration.name} was edited after it was applied (as ${row.name}): restore the file and add the change as a new migration`,
      )
    }
  }
  return migrations.slice(applied.length)
}

/** Migrates an empty schema to the last of these migrations within the caller's transaction: all or none. */
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
 * Queries of a table queue behind a migration that waits for its lock, and time out before the migration does.
 * Therefore it waits for this time, in milliseconds …
 */
const inLineMs = 1_000
/** … and then releases the queue for this number of seconds. */
const asideSeconds = 1
const lockNotAvailable = '55P03'

async function apply(connection: Statements, migration: Migration, onWait: (migration: string) => void): Promise<void> {
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

/** Returns the applied migrations of a database, to create a copy of it. */
export function listMigrations(sql: Statements): Promise<readonly Applied[]> {
  return appliedMigrations(sql)
}

/**
 * Counts the migrations of the folder that are missing in the database. None if a newer version has migrated further:
 * this version runs beside it during a rolling upgrade.
 */
export async function pendingMigrations({ sql }: Pick<Database, 'sql'>, folder: string): Promise<number> {
  const [known, applied] = await Promise.all([readdir(folder), appliedMigrations(sql)])
  return Math.max(0, known.filter((file) => file.endsWith('.sql')).length - applied.length)
}
