import { readFileSync, statSync } from 'node:fs'
import { platform } from 'node:os'
import process from 'node:process'

/** Settings of the environment that hold a secret. Each may stand in a file instead, which `<NAME>_FILE` names. */
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
  'VITRINE_SECRET',
] as const

const mostBytes = 8 * 1024

/** Files of secrets that are missing or open to others, a line for each; it never holds what stands in them. */
export class SecretFileError extends Error {
  override readonly name = 'SecretFileError'
}

/**
 * Puts what stands in files in the place of the settings that name them. Only files that nobody but their owner may read
 * are taken, mode 600 or less, and of what is somebody else's those that no more than its group may read, as clusters hand secrets over.
 * Those of other settings are taken all the same.
 * @throws SecretFileError naming each setting, and what to do
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
    // Programs that we start get the setting: they need not read the file again.
    delete environment[`${name}_FILE`]
  }
  if (faults.length > 0) throw new SecretFileError(faults.join('\n'))
}

function secretIn(setting: string, path: string): { readonly secret: string } | { readonly fault: string } {
  const fault = (what: string) => ({ fault: `${setting}: ${what}` })
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats?.isFile()) return fault(`there is no file ${path}`)
  // Windows has no such modes, and says 666 of everything.
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
