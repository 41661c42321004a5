import { mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { checkDataFolder, PlaceError } from './check-resources.ts'

it('makes the folder of a new shop, takes one in which a shop has been, and names the setting of one that is closed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-place-'))
  const dataDir = join(folder, 'shops/ours')
  try {
    await checkDataFolder(dataDir)
    expect((await stat(dataDir)).isDirectory()).toBe(true)
    await mkdir(join(dataDir, 'media'))
    await symlink(dataDir, join(folder, 'link'))
    await checkDataFolder(join(folder, 'link'))
    // A file in place of the folder fails even for root, as a folder of another user does for others.
    await writeFile(join(dataDir, 'outbox'), '')
    await expect(checkDataFolder(dataDir)).rejects.toThrow(
      new PlaceError(
        `DATA_DIR: the shop cannot write to ${dataDir}: EACCES: permission denied, access '${dataDir}/outbox'`,
      ),
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

it('says at once that a place takes no folders', async () => {
  await expect(checkDataFolder('/proc/shops/ours')).rejects.toThrow(
    new PlaceError(
      "DATA_DIR: the shop cannot write to /proc/shops/ours: ENOENT: no such file or directory, mkdir '/proc/shops'",
    ),
  )
})
