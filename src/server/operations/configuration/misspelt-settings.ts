import { editSteps } from '#contract/shared/suggest-word.ts'
import { secretSettings } from '#shop/operations/settings/secret-files.ts'
import { settingNames } from './config.ts'

const known = [...settingNames, ...secretSettings.map((name) => `${name}_FILE`)]

/**
 * Finds environment variables that look like misspelt settings. With `DATABSE_URL` a shop would silently start on an
 * empty embedded database. The environment belongs to other programs, too: less similar names are not reported.
 */
export function misspeltSettings(
  environment: Readonly<Record<string, string | undefined>>,
): readonly { readonly name: string; readonly meant: string }[] {
  // An empty variable counts as not set.
  const names = Object.keys(environment).filter((name) => environment[name])
  return names.flatMap((name) => {
    // Short names have too many neighbours at distance one.
    if (name.length < 8 || known.includes(name)) return []
    const meant = known.find((setting) => editSteps(name, setting) === 1)
    return meant === undefined || names.includes(meant) ? [] : [{ name, meant }]
  })
}
