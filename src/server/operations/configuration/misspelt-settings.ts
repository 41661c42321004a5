import { editSteps } from '#contract/shared/suggest-word.ts'
import { secretSettings } from '#shop/operations/settings/secret-files.ts'
import { settingNames } from './config.ts'

const known = [...settingNames, ...secretSettings.map((name) => `${name}_FILE`)]

/**
 * What stands in the environment and is no setting, but for a slip. With `DATABSE_URL` a shop would open on an empty database of
 * its own, and nothing would say why. The environment is everybody's: a name that is less like one of ours is not told of.
 */
export function misspeltSettings(
  environment: Readonly<Record<string, string | undefined>>,
): readonly { readonly name: string; readonly meant: string }[] {
  // Set to nothing is not set.
  const names = Object.keys(environment).filter((name) => environment[name])
  return names.flatMap((name) => {
    // Of short names too many are one step from each other.
    if (name.length < 8 || known.includes(name)) return []
    const meant = known.find((setting) => editSteps(name, setting) === 1)
    return meant === undefined || names.includes(meant) ? [] : [{ name, meant }]
  })
}
