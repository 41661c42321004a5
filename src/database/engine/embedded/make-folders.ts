import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates a folder and its missing parents. Node's `recursive` loops for ever in a folder that permits no children, as
 * `/proc`.
 * @param mode of the last one, if it is created
 * @throws the system's error for the first that cannot be created
 */
export async function makeFolders(folder: string, mode?: number): Promise<void> {
  try {
    await mkdir(folder, mode)
  } catch (error) {
    // The cast is safe: file system calls throw nothing else.
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error
    await makeFolders(dirname(folder))
    await mkdir(folder, mode).catch((again: NodeJS.ErrnoException) => {
      // Another process created it in the meantime.
      if (again.code !== 'EEXIST') throw again
    })
  }
}
