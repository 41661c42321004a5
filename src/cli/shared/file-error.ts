const words: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EISDIR: 'that is a folder',
  ENOTDIR: 'what it should be in is no folder',
  EACCES: 'it may not be read or written by whoever gives the command',
  ENOSPC: 'there is no space left',
}

/** Why a file that somebody named could not be used, in words; null where an error is about something else. */
export function fileTrouble(error: unknown): string | null {
  if (!(error instanceof Error && 'code' in error)) return null
  const { code } = error
  const path = 'path' in error ? error.path : undefined
  // The system does not say of which file a write failed that was open already.
  if (code === 'ENOSPC' && path === undefined) return 'There is no space left on the disk that is written to.'
  const said = typeof code === 'string' && Object.hasOwn(words, code) ? words[code] : undefined
  return said === undefined || typeof path !== 'string' ? null : `${path}: ${said}`
}
