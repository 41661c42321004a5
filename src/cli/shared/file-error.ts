const words: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder. Check the path.',
  EISDIR: 'is a folder. Name a file.',
  ENOTDIR: 'its parent is not a folder. Check the path.',
  EACCES: 'permission denied. Run the command as the user of the shop.',
  ENOSPC: 'no space left on the disk. Free some and run the command again.',
}

/** Describes why a file could not be used; null where an error is about something else. */
export function fileTrouble(error: unknown): string | null {
  if (!(error instanceof Error && 'code' in error)) return null
  const { code } = error
  const path = 'path' in error ? error.path : undefined
  // The system names no file where a write to an open one fails.
  if (code === 'ENOSPC' && path === undefined) return 'no space left on the disk. Free some and run the command again.'
  const text = typeof code === 'string' && Object.hasOwn(words, code) ? words[code] : undefined
  return text === undefined || typeof path !== 'string' ? null : `${path}: ${text}`
}
