import { readFileSync, statSync } from 'node:fs'
import { platform } from 'node:os'

/** Settings of the environment that hold a secret. Each may stand in a file instead, which `<NAME>_FILE` names. */
export const secretSettings = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'PAYPAL_CLIENT_SECRET',
  'PAYPAL_WEBHOOK_ID',
  'SMTP_URL',
  'TRANSLATION_KEY',
  'VITRINE_SECRET',
] as const

const mostBytes = 8 * 1024

/** A file of a secret that is missing or open to others; its message never holds what stands in it. */
export class SecretFileError extends Error {
  override readonly name = 'SecretFileError'
}

/**
 * Puts what stands in files in the place of the settings that name them. Only files that nobody but their owner may read
 * are taken: mode 600 or less.
 * @throws SecretFileError naming the setting, and what to do
 */
export function takeSecretFiles(environment: Record<string, string | undefined>): void {
  for (const name of secretSettings) {
    const path = environment[`${name}_FILE`]
    if (!path) continue
    if (environment[name]) throw new SecretFileError(`${name} is set, and ${name}_FILE as well: keep one of them`)
    environment[name] = secretIn(`${name}_FILE`, path)
    // Programs that we start get the setting: they need not read the file again.
    delete environment[`${name}_FILE`]
  }
}

function secretIn(setting: string, path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats?.isFile()) throw new SecretFileError(`${setting}: there is no file ${path}`)
  // Windows has no such modes, and says 666 of everything.
  if (platform() !== 'win32' && (stats.mode & 0o077) !== 0) {
    const mode = (stats.mode & 0o777).toString(8)
    throw new SecretFileError(`${setting}: others may read ${path} (mode ${mode}): chmod 600 ${path}`)
  }
  if (stats.size > mostBytes) throw new SecretFileError(`${setting}: ${path} is too large for a secret`)
  const secret = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  if (secret === '') throw new SecretFileError(`${setting}: ${path} is empty`)
  return secret
}
