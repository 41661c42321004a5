import { existsSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/**
 * Where the databases of tests live. One is a thousand files: in memory a copy takes 20 ms; ext4 without a journal
 * (containers, small virtual machines) takes 450, for it goes looking for inodes that were not freed in the last five seconds.
 */
export function scratchBase(): string {
  return roomInMemory() ? '/dev/shm' : tmpdir()
}

function roomInMemory(): boolean {
  if (!existsSync('/dev/shm')) return false
  const { bavail, bsize } = statfsSync('/dev/shm')
  return bavail * bsize > 4 * 2 ** 30
}
