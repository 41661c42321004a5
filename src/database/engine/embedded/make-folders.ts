import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a folder and those above it that are missing. Node's own way (`recursive`) asks for ever where a folder is there and takes
 * none, as `/proc` does.
 * @param mode of the last one, when it is made
 * @throws what the system says of the first that cannot be made
 */
export async function makeFolders(folder: string, mode?: number): Promise<void> {
  try {
    await mkdir(folder, mode)
  } catch (error) {
    // Proof of the cast: the file system's calls throw nothing else.
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error
    await makeFolders(dirname(folder))
    await mkdir(folder, mode).catch((again: NodeJS.ErrnoException) => {
      // Somebody else made it in the meantime.
      if (again.code !== 'EEXIST') throw again
    })
  }
}
