import { fileTroubles } from '#shop/shared/file-trouble.ts'

/** Describes why a file could not be used; null where an error is about something else. */
export function fileTrouble(error: unknown): string | null {
  if (!(error instanceof Error && 'code' in error)) return null
  const { code } = error
  const path = 'path' in error ? error.path : undefined
  // The system names no file where a write to an open one fails.
  if (code === 'ENOSPC' && path === undefined) return fileTroubles.ENOSPC ?? null
  const text = typeof code === 'string' && Object.hasOwn(fileTroubles, code) ? fileTroubles[code] : undefined
  return text === undefined || typeof path !== 'string' ? null : `${path}: ${text}`
}
