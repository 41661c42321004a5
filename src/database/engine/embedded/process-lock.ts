import { spawnSync } from 'node:child_process'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { kill, pid } from 'node:process'

/** A process by id and start time: ids are reused, the pair is not. */
export type ProcessIdentity = { readonly pid: number; readonly started: string }

/**
 * Takes the lock file for this process and returns null, or returns its living holder. A dead holder's lock is taken
 * over.
 */
export async function takeLock(file: string): Promise<ProcessIdentity | null> {
  const mine = `${file}.${pid}`
  try {
    await writeFile(mine, JSON.stringify({ pid, started: await startOf(pid) }), { mode: 0o600 })
    for (;;) {
      // Only `link` creates a complete file atomically and fails if the name exists.
      if (await link(mine, file).then(always, unless('EEXIST'))) return null
      const seen = await readFile(file, 'utf8').catch(unless('ENOENT'))
      if (seen === false) continue
      const holder = identityIn(seen)
      if (holder && (await isAlive(holder))) return holder
      await discard(file, seen, `${mine}.dead`)
    }
  } finally {
    await rm(mine, { force: true })
  }
}

export async function releaseLock(file: string): Promise<void> {
  const holder = identityIn((await readFile(file, 'utf8').catch(unless('ENOENT'))) || '')
  if (holder?.pid === pid) await rm(file, { force: true })
}

/** Returns the living process that holds the lock file, or null. */
export async function lockHolder(file: string): Promise<ProcessIdentity | null> {
  const holder = identityIn((await readFile(file, 'utf8').catch(unless('ENOENT'))) || '')
  return holder && (await isAlive(holder)) ? holder : null
}

/** Deletes a dead holder's lock; if another process has replaced it meanwhile, restores that. */
async function discard(file: string, dead: string, aside: string): Promise<void> {
  if ((await rename(file, aside).then(always, unless('ENOENT'))) === false) return
  if ((await readFile(aside, 'utf8')) !== dead) await link(aside, file).catch(unless('EEXIST'))
  await rm(aside, { force: true })
}

function identityIn(text: string): ProcessIdentity | null {
  try {
    const { pid, started } = JSON.parse(text)
    return Number.isSafeInteger(pid) && typeof started === 'string' ? { pid, started } : null
  } catch {
    // An incomplete file: its writer died, so the lock is free.
    return null
  }
}

async function isAlive(identity: ProcessIdentity): Promise<boolean> {
  return isRunning(identity.pid) && (await startOf(identity.pid)) === identity.started
}

/** Checks whether a process of this id exists, of any user. */
export function isRunning(id: number): boolean {
  try {
    return kill(id, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Returns boot id and start tick of a process on Linux, its start time elsewhere; '' if there is no such process. */
async function startOf(id: number): Promise<string> {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8')
    const stat = await readFile(`/proc/${id}/stat`, 'utf8')
    // The second field, the command, is in parentheses and may contain spaces: count from the last one. Field 22 is the
    // start.
    return `${boot.trim()} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`
  } catch {
    return spawnSync('ps', ['-o', 'lstart=', '-p', String(id)], { encoding: 'utf8' }).stdout?.trim() ?? ''
  }
}

/** Returns the command line of a process, or '' if it cannot be read. */
export async function commandOf(id: number): Promise<string> {
  try {
    return (await readFile(`/proc/${id}/cmdline`, 'utf8')).replaceAll('\0', ' ')
  } catch {
    return spawnSync('ps', ['-o', 'command=', '-p', String(id)], { encoding: 'utf8' }).stdout?.trim() ?? ''
  }
}

const always = () => true

/** Returns false for the expected error code, and rethrows others. */
function unless(code: string): (error: unknown) => false {
  return (error) => {
    if (error instanceof Error && 'code' in error && error.code === code) return false
    throw error
  }
}
