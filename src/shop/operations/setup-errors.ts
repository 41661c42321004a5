import { basename } from 'node:path'
import { configFile } from '#contract/config-file.ts'
import { schemaFaults } from '#contract/shared/merchant-rules.ts'
import { shopSettings } from '#contract/shared/settings.ts'
import { declaredSettings } from './settings/declared-settings.ts'
import { ConfigFileError, readConfigFile } from './settings/read-config-file.ts'

/** All faults of the shop's start-up configuration: one line each, beginning with its location. */
export class SetUpError extends Error {
  override readonly name = 'SetUpError'
  constructor(faults: readonly string[]) {
    super(['The shop cannot start like this:', ...faults.map((fault) => `  ${fault}`)].join('\n'))
  }
}

/**
 * Returns the faults of the merchant's file that can be found without a database. Missing members count as in a new
 * shop.
 * @param file null: there is none
 */
export async function configFileFaults(file: string | null): Promise<readonly string[]> {
  if (file === null) return []
  try {
    const { config, describe } = await readConfigFile(file)
    const parsed = configFile.safeParse(config)
    const settings = parsed.success ? declaredSettings(shopSettings.parse({}), parsed.data) : null
    const faults = parsed.success ? (settings?.ok === false ? settings.faults : []) : schemaFaults(parsed.error)
    return faults.length > 0 ? describe(faults).message.split('\n') : []
  } catch (error) {
    if (!(error instanceof ConfigFileError)) throw error
    return error.message.split('\n').map((line) => (line.includes(basename(file)) ? line : `${file}: ${line}`))
  }
}
