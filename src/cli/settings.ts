import { shopSettings } from '#contract/settings.ts'
import { writeSettings } from '#database/configuration.ts'
import { changedSetting, readSetting } from '#shop/change-setting.ts'
import type { Command } from './command.ts'
import { tableLines } from './table.ts'

export const settingsCommand: Command = {
  usage: 'settings [<key>] [<value as JSON>]',
  summary: 'Shows the settings or changes one: settings name "Fogline", settings taxes.pricesIncludeTax true.',

  async run(args, { db, settings, print, say }) {
    const [key, value, ...more] = args
    if (more.length > 0 || args.some((arg) => arg.startsWith('--'))) {
      say('A value is one argument: put it in quotation marks.')
      return 2
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
      say(found.problem)
      return 2
    }
    if (value === undefined) {
      print(JSON.stringify(found.value, null, 2))
      return 0
    }
    const changed = changedSetting(settings, key, value)
    if (!changed.ok) {
      say(changed.problem)
      return 1
    }
    await writeSettings(db, { [changed.name]: changed.value })
    say(`${key} is ${JSON.stringify(readSetting(changed.settings, key).value)}. Running shops have been told.`)
    return 0
  },
}
