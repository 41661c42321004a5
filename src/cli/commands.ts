import type { Command } from './command.ts'
import { importCommand } from './import.ts'

/** Every command of `npm run shop -- <command>` by its name. */
export const commands: Readonly<Record<string, Command>> = {
  import: importCommand,
}
