/** Why a file could not be used, by the code of the system. */
export const fileTroubles: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder. Check the path.',
  EISDIR: 'is a folder. Name a file.',
  ENOTDIR: 'its parent is not a folder. Check the path.',
  EACCES: 'permission denied. Run the command as the user of the shop.',
  ENOSPC: 'no space left on the disk. Free some and run the command again.',
}

/** Describes why a file could not be opened, without its name. */
export function fileTrouble(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const known = Object.hasOwn(fileTroubles, code) ? fileTroubles[code] : undefined
  return known ?? `could not be read (${error instanceof Error ? error.message : String(error)})`
}
