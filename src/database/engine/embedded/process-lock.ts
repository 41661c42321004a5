import { spawnSync } from 'node:child_process'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { kill, pid } from 'node:process'

/** A process by its id and the moment it started: ids are used again, moments are not. */
export type ProcessIdentity = { readonly pid: number; readonly started: string }

/** Takes the lock file for this process and answers null, or answers who lives and holds it. A dead holder's lock is taken over. */
export async function takeLock(file: string): Promise<ProcessIdentity | null> {
  const mine = `${file}.${pid}`
  try {
    await writeFile(mine, JSON.stringify({ pid, started: await startOf(pid) }), { mode: 0o600 })
    for (;;) {
      // Only `link` makes a file that is complete from its first moment and fails when the name is taken.
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

/** The living process that holds the lock file, or null. */
export async function lockHolder(file: string): Promise<ProcessIdentity | null> {
  const holder = identityIn((await readFile(file, 'utf8').catch(unless('ENOENT'))) || '')
  return holder && (await isAlive(holder)) ? holder : null
}

/** Removes a dead holder's lock; when another process was quicker and the file is its lock by now, puts that back. */
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
    // Half a file: its writer died. Nobody holds it.
    return null
  }
}

async function isAlive(identity: ProcessIdentity): Promise<boolean> {
  return isRunning(identity.pid) && (await startOf(identity.pid)) === identity.started
}

/** Whether the system has a process of this id, whoever owns it. */
export function isRunning(id: number): boolean {
  try {
    return kill(id, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Boot and start tick of a process on Linux, start time elsewhere; '' when there is no such process. */
async function startOf(id: number): Promise<string> {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8')
    const stat = await readFile(`/proc/${id}/stat`, 'utf8')
    // The command, second of the fields, is in brackets and may hold blanks: count from the last bracket. The 22nd is the start.
    return `${boot.trim()} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`
  } catch {
    return spawnSync('ps', ['-o', 'lstart=', '-p', String(id)], { encoding: 'utf8' }).stdout?.trim() ?? ''
  }
}

/** The command line of a process, or '' when it cannot be read. */
export async function commandOf(id: number): Promise<string> {
  try {
    return (await readFile(`/proc/${id}/cmdline`, 'utf8')).replaceAll('\0', ' ')
  } catch {
    return spawnSync('ps', ['-o', 'command=', '-p', String(id)], { encoding: 'utf8' }).stdout?.trim() ?? ''
  }
}

const always = () => true

/** For a promise whose one expected failure means "no". */
function unless(code: string): (error: unknown) => false {
  return (error) => {
    if (error instanceof Error && 'code' in error && error.code === code) return false
    throw error
  }
}
