import { open, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'

export type StoredFile = {
  readonly path: string
  readonly size: number
  readonly etag: string
  readonly modified: Date
}

/**
 * Finds the file at a path below the downloads folder, or null. Never returns a file outside: no parent, absolute or
 * hidden path, and no link that leads out.
 */
export async function findStoredFile(folder: string, path: string): Promise<StoredFile | null> {
  const parts = path.split('/')
  if (/[\\\p{Cc}]/u.test(path) || parts.some((part) => part === '' || part.startsWith('.'))) return null
  try {
    const [root, real] = await Promise.all([realpath(folder), realpath(join(folder, ...parts))])
    if (!real.startsWith(root + sep)) return null
    const file = await open(real)
    try {
      const stats = await file.stat()
      const { size, mtime } = stats
      const etag = `"${size.toString(36)}-${mtime.getTime().toString(36)}"`
      return stats.isFile() ? { path: real, size, etag, modified: mtime } : null
    } finally {
      await file.close()
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && missingFileCodes.has(String(error.code))) return null
    throw error
  }
}

const missingFileCodes = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ENAMETOOLONG', 'EACCES'])
