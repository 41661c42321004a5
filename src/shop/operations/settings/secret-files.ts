import { readFileSync, statSync } from 'node:fs'
import { platform } from 'node:os'
import process from 'node:process'

/** Environment variables with secrets. Each may be in a file instead, which `<NAME>_FILE` names. */
export const secretSettings = [
  'CDN_PURGE_TOKEN',
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_REPLICA_URL',
  'METRICS_TOKEN',
  'PAYPAL_CLIENT_SECRET',
  'PAYPAL_WEBHOOK_ID',
  'SMTP_URL',
  'TRANSLATION_KEY',
  'VITRINE_MIGRATE_KEY',
  'VITRINE_MIGRATE_SECRET',
  'VITRINE_SECRET',
] as const

const mostBytes = 8 * 1024

/** Secret files that are missing or accessible to others, one line each; a line never contains the secret. */
export class SecretFileError extends Error {
  override readonly name = 'SecretFileError'
}

/**
 * Replaces `<NAME>_FILE` variables by the content of their files. A file must be readable by its owner only (mode 600
 * or less); a file of another user by its group at most, as clusters provide secrets. Valid files are read even if
 * others have faults.
 * @throws SecretFileError naming each setting, and the remedy
 */
export function takeSecretFiles(environment: Record<string, string | undefined>): void {
  const faults: string[] = []
  for (const name of secretSettings) {
    const path = environment[`${name}_FILE`]
    if (!path) continue
    const read = environment[name]
      ? { fault: `${name} is set, and ${name}_FILE as well: keep one of them` }
      : secretIn(`${name}_FILE`, path)
    if ('fault' in read) {
      faults.push(read.fault)
      continue
    }
    environment[name] = read.secret
    // Child processes inherit the setting: they need not read the file again.
    delete environment[`${name}_FILE`]
  }
  if (faults.length > 0) throw new SecretFileError(faults.join('\n'))
}

function secretIn(setting: string, path: string): { readonly secret: string } | { readonly fault: string } {
  const fault = (what: string) => ({ fault: `${setting}: ${what}` })
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats?.isFile()) return fault(`there is no file ${path}`)
  // Windows has no such modes, and reports 666 for all files.
  const isOurs = stats.uid === process.getuid?.()
  if (platform() !== 'win32' && (stats.mode & (isOurs ? 0o077 : 0o037)) !== 0) {
    const mode = (stats.mode & 0o777).toString(8)
    return fault(`others may read ${path} (mode ${mode}): chmod ${isOurs ? 600 : 440} ${path}`)
  }
  if (stats.size > mostBytes) return fault(`${path} is too large for a secret`)
  const secret = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  if (secret === '') return fault(`${path} is empty`)
  return { secret }
}
