import { dirname, join } from 'node:path'
import { shopSettings } from '#contract/shared/settings.ts'
import { updateSettings } from '#database/operations/configuration.ts'
import { themeWarnings } from '#shop/operations/settings/appearance-warnings.ts'
import { changedSetting, readSetting } from '#shop/operations/settings/change-setting.ts'
import { readSettings } from '#shop/operations/settings/shop-configuration.ts'
import { filesKey, storeAssets, storedFiles } from '#shop/operations/settings/store-configured-files.ts'
import { settingKeys } from '../completion/completion-values.ts'
import type { Command, CommandContext } from '../shared/command.ts'
import { jsonOption, singleCommand } from '../shared/command-group.ts'
import { didYouMean, fail, rejectUsage, warn } from '../shared/messages.ts'
import { tableLines } from '../shared/table.ts'

/** Settings of the shop's appearance: they name files and are checked for visible mistakes. */
const lookSettings: ReadonlySet<string> = new Set(['theme', 'menus', 'home'])
/** The same and the settings of price formats, which name no files. */
const shownSettings: ReadonlySet<string> = new Set([...lookSettings, 'priceFormat', 'currency', 'currencies'])

export const settingsCommand: Command = {
  ...singleCommand('settings', {
    usage: '[<key>] [<value as JSON>] [--json]',
    summary: 'Shows all settings or one, or changes one. Texts need no quotation marks of JSON.',
    example: 'taxes.pricesIncludeTax true',
    options: jsonOption,
    words: [0, 2],
    completes: ['setting', []],
    async run([key, value], { json }, context) {
      const { settings, print } = context
      if (key === undefined || (key === 'list' && value === undefined)) return printSettings(json === true, context)
      const found = readSetting(settings, key)
      if (!found.ok) return rejectUsage(context, `${found.problem}${didYouMean(key, settingKeys())}`)
      if (value !== undefined) return change(key, value, context)
      print(JSON.stringify(found.value ?? null, null, json ? 0 : 2))
      return 0
    },
  }),
  acceptsFaultySettings: true,
}

function printSettings(json: boolean, { settings, print, say }: CommandContext): number {
  if (json) {
    print(JSON.stringify(settings))
    return 0
  }
  const defaults = new Map<string, unknown>(Object.entries(shopSettings.parse({})))
  const rows = Object.entries(settings).map(([name, now]) => {
    const value = JSON.stringify(now)
    return [value === JSON.stringify(defaults.get(name)) ? '' : '*', name, value]
  })
  for (const line of tableLines(rows)) print(line)
  const changed = rows.filter(([mark]) => mark === '*').length
  say(`* ${changed} of ${rows.length} settings differ from their defaults.`)
  return 0
}

async function change(key: string, value: string, context: CommandContext): Promise<number> {
  const { db, chance, configFile, dataDir, pageSlugs, say } = context
  const { changed, problems } = await updateSettings(db, async (stored) => {
    const changed = changedSetting(readSettings(stored, 'left-out'), key, value, pageSlugs())
    if (!changed.ok) return { changed, problems: [changed.problem] }
    if (!lookSettings.has(changed.name)) return { changed, problems: [], write: { [changed.name]: changed.value } }
    const places = { folder: dirname(configFile), mediaDir: join(dataDir, 'media') }
    const kept = await storeAssets({ chance }, changed.settings, storedFiles(stored), places)
    if (kept.faults.length > 0)
      return { changed, problems: kept.faults.map((fault) => `${fault.key}: ${fault.problem}`) }
    return { changed, problems: [], write: { [changed.name]: changed.value, [filesKey]: kept.files } }
  })
  if (!changed.ok || problems.length > 0) {
    for (const problem of problems) fail(context, problem)
    return 1
  }
  if (shownSettings.has(changed.name))
    for (const warning of await themeWarnings(db.kysely, changed.settings)) warn(context, `${warning}.`)
  say(`${key} is now ${JSON.stringify(readSetting(changed.settings, key).value)}. Running shops were notified.`)
  return 0
}
