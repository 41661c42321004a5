import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { applyConfig } from '#shop/operations/settings/apply-config-file.ts'
import { changeLine } from '#shop/operations/settings/config-changes.ts'
import { ConfigFileError, readConfigFile } from '#shop/operations/settings/read-config-file.ts'
import type { CommandContext } from '../shared/command.ts'
import { commandGroup, type Given, jsonOption, type Options, textGiven } from '../shared/command-group.ts'

const options = {
  file: { type: 'string', value: '<path>', what: 'another file than shop.config.ts' },
  ...jsonOption,
} as const satisfies Options

export const configCommand = commandGroup('config', {
  check: {
    usage: '[--file shop.config.ts] [--json]',
    summary: 'Reads the file and shows what it would change. Writes nothing.',
    options,
    words: [0, 0],
    run: (_, given, context) => use(given, context, true),
  },

  apply: {
    usage: '[--file shop.config.ts] [--json]',
    summary: 'Makes the shop what the file says, as every start does. Running shops are told.',
    options,
    words: [0, 0],
    run: (_, given, context) => use(given, context, false),
  },
})

async function use(given: Given, context: CommandContext, dryRun: boolean): Promise<number> {
  const named = textGiven(given.file)
  const file = named === undefined ? context.configFile : resolve(named)
  if (named === undefined && !existsSync(file)) {
    context.say(`There is no ${basename(file)}: the shop is what commands have made it.`)
    return 0
  }
  try {
    const { config, describe } = await readConfigFile(file)
    const result = await applyConfig(context, config, {
      dryRun,
      places: { folder: dirname(file), mediaDir: join(context.dataDir, 'media') },
      onWarning: (warning) => context.say(`Note: ${warning}.`),
    })
    if (!result.ok) throw describe(result.faults)
    const changes = result.value
    if (given.json) context.print(JSON.stringify(changes))
    else for (const change of changes) context.print(changeLine(change))
    const count = changes.length === 1 ? '1 change' : `${changes.length} changes`
    if (changes.length === 0) context.say(`The shop is what ${basename(file)} says.`)
    else context.say(dryRun ? `${count}; nothing was written.` : `${count}. Running shops have been told.`)
    return 0
  } catch (error) {
    if (!(error instanceof ConfigFileError)) throw error
    context.say(error.message)
    return 1
  }
}
