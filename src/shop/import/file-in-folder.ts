import { realpath, stat } from 'node:fs/promises'
import { resolve, sep } from 'node:path'

/** Returns the file at a path below a folder, after resolving links, so that none leaves the folder. */
export async function fileInFolder(
  folder: string,
  path: string,
): Promise<{ readonly path: string; readonly size: number } | 'absent' | 'outside'> {
  const named = resolve(folder, path)
  const facts = await stat(named).catch(() => null)
  if (!facts?.isFile()) return 'absent'
  const [inner, outer] = await Promise.all([realpath(named), realpath(folder)])
  if (!inner.startsWith(outer.endsWith(sep) ? outer : outer + sep)) return 'outside'
  return { path: inner, size: facts.size }
}
