import { dirname, join } from 'node:path'
import { shopSettings } from '#contract/shared/settings.ts'
import { hint } from '#contract/shared/suggest-word.ts'
import { updateSettings } from '#database/operations/configuration.ts'
import { themeWarnings } from '#shop/operations/settings/appearance-warnings.ts'
import { changedSetting, readSetting } from '#shop/operations/settings/change-setting.ts'
import { readSettings } from '#shop/operations/settings/shop-configuration.ts'
import { filesKey, storeAssets, storedFiles } from '#shop/operations/settings/store-configured-files.ts'
import { settingKeys } from '../completion/completion-values.ts'
import type { Command } from '../shared/command.ts'
import { tableLines } from '../shared/table.ts'

/** What decides what the shop looks like: files are named there, and slips can be seen. */
const lookSettings: ReadonlySet<string> = new Set(['theme', 'menus', 'home'])
/** And those of how prices are written, which name no files. */
const shownSettings: ReadonlySet<string> = new Set([...lookSettings, 'priceFormat', 'currency', 'currencies'])

export const settingsCommand: Command = {
  acceptsFaultySettings: true,
  usage: 'settings [<key>] [<value as JSON>] [--json]',
  summary: 'Shows the settings or changes one: settings name "Fogline", settings taxes.pricesIncludeTax true.',
  completes: ['setting'],

  async run(args, { db, settings, chance, configFile, dataDir, pageSlugs, print, say }) {
    const json = args.includes('--json')
    const words = args.filter((arg) => arg !== '--json')
    const [key, value, ...more] = words
    const option = words.find((word) => word.startsWith('--'))
    if (option) {
      say(`There is no option ${option}.${hint(option, ['--json'])}`)
      return 2
    }
    if (more.length > 0) {
      say('A value is one argument: put it in quotation marks.')
      return 2
    }
    if (key === undefined && json) {
      print(JSON.stringify(settings))
      return 0
    }
    if (key === undefined) {
      const defaults = new Map<string, unknown>(Object.entries(shopSettings.parse({})))
      const rows = Object.entries(settings).map(([name, now]) => {
        const value = JSON.stringify(now)
        return [value === JSON.stringify(defaults.get(name)) ? '' : '*', name, value]
      })
      for (const line of tableLines(rows)) print(line)
      say('* differs from the default.')
      return 0
    }
    const found = readSetting(settings, key)
    if (!found.ok) {
      say(`${found.problem}${hint(key, settingKeys())}`)
      return 2
    }
    if (value === undefined) {
      print(JSON.stringify(found.value ?? null, null, json ? 0 : 2))
      return 0
    }
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
      for (const problem of problems) say(problem)
      return 1
    }
    if (shownSettings.has(changed.name))
      for (const warning of await themeWarnings(db.kysely, changed.settings)) say(`Note: ${warning}.`)
    say(`${key} is ${JSON.stringify(readSetting(changed.settings, key).value)}. Running shops have been told.`)
    return 0
  },
}
