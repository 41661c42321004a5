import { BreachedPasswordsError, checkBreachedPasswords } from '#shop/customers/credentials/breached-passwords.ts'
import { ConfigFileError } from '#shop/operations/settings/read-config-file.ts'
import { SecretFileError, takeSecretFiles } from '#shop/operations/settings/secret-files.ts'
import { StoredSettingsError } from '#shop/operations/settings/shop-configuration.ts'
import { configFileFaults, SetUpError } from '#shop/operations/setup-errors.ts'
import { type Config, ConfigError, readConfig } from './config.ts'

/** `EX_CONFIG` of sysexits.h: a restart is useless until the settings are corrected. */
export const wrongSetUp = 78

/**
 * Reads the operator's settings, including secrets in files.
 * @param fileOf returns the merchant's config file by its environment value; null: there is none
 * @throws SetUpError naming every fault in the settings and in the merchant's file
 */
export async function readSetUp(
  environment: Record<string, string | undefined>,
  fileOf: (named: string | null) => string | null,
): Promise<Config> {
  const faults: string[] = []
  const noted = <Value>(read: () => Value): Value | null => {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof ConfigError || error instanceof SecretFileError)) throw error
      faults.push(...error.message.split('\n').map((line) => `environment: ${line}`))
      return null
    }
  }
  noted(() => takeSecretFiles(environment))
  const config = noted(() => readConfig(environment))
  const breached = config?.breachedPasswords ?? environment.BREACHED_PASSWORDS
  if (breached) faults.push(...(await breachedFaults(breached)))
  if (config && faults.length === 0) return config
  throw new SetUpError([...faults, ...(await configFileFaults(fileOf(environment.SHOP_CONFIG || null)))])
}

async function breachedFaults(path: string): Promise<string[]> {
  try {
    await checkBreachedPasswords(path)
    return []
  } catch (error) {
    if (!(error instanceof BreachedPasswordsError)) throw error
    return [`environment: BREACHED_PASSWORDS: ${error.message}`]
  }
}

/**
 * Converts a start-up error to a SetUpError with all other faults, if settings caused it. @param file the merchant's,
 * if any
 */
export async function asSetUpError(error: unknown, file: string | null): Promise<unknown> {
  if (error instanceof ConfigFileError) return new SetUpError(error.message.split('\n'))
  if (!(error instanceof StoredSettingsError)) return error
  return new SetUpError([...error.message.split('\n'), ...(await configFileFaults(file))])
}
