import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { applyConfig } from '#shop/operations/settings/apply-config-file.ts'
import { changeLine } from '#shop/operations/settings/config-changes.ts'
import { ConfigFileError, readConfigFile } from '#shop/operations/settings/read-config-file.ts'
import type { CommandContext } from '../shared/command.ts'
import { commandGroup, type Given, jsonOption, type Options, textGiven } from '../shared/command-group.ts'
import { counted, fail, warn } from '../shared/messages.ts'

const options = {
  file: { type: 'string', value: '<path>', what: 'reads this file instead of shop.config.ts' },
  ...jsonOption,
} as const satisfies Options

export const configCommand = commandGroup('config', {
  check: {
    usage: '[--file shop.config.ts] [--json]',
    summary: 'Shows what the file would change, and changes nothing.',
    example: '',
    options,
    words: [0, 0],
    run: (_, given, context) => applyFile(given, context, true),
  },

  apply: {
    usage: '[--file shop.config.ts] [--json]',
    summary: 'Applies the file, as every start of the shop does, and notifies running shops.',
    example: '',
    options,
    words: [0, 0],
    run: (_, given, context) => applyFile(given, context, false),
  },
})

async function applyFile(given: Given, context: CommandContext, dryRun: boolean): Promise<number> {
  const named = textGiven(given.file)
  const file = named === undefined ? context.configFile : resolve(named)
  if (named === undefined && !existsSync(file)) {
    context.say(`Nothing to do: ${file} does not exist, and settings come from commands alone.`)
    return 0
  }
  try {
    const { config, describe } = await readConfigFile(file)
    const result = await applyConfig(context, config, {
      dryRun,
      places: { folder: dirname(file), mediaDir: join(context.dataDir, 'media') },
      onWarning: (warning) => warn(context, `${warning}.`),
    })
    if (!result.ok) throw describe(result.faults)
    const changes = result.value
    if (given.json) context.print(JSON.stringify(changes))
    else for (const change of changes) context.print(changeLine(change))
    const count = counted(changes.length, 'change')
    if (changes.length === 0) context.say(`No changes: the shop matches ${basename(file)}.`)
    else if (dryRun) context.say(`${count} would be made. Apply them with: config apply`)
    else context.say(`Applied ${count}. Running shops were notified.`)
    return 0
  } catch (error) {
    if (!(error instanceof ConfigFileError)) throw error
    return fail(context, error.message)
  }
}
