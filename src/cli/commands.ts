import type { Command } from './command.ts'
import { doctorCommand } from './doctor.ts'
import { importCommand } from './import.ts'
import { ordersCommand } from './orders.ts'
import { settingsCommand } from './settings.ts'

/** Every command of `npm run shop -- <command>` by its name. */
export const commands: Readonly<Record<string, Command>> = {
  doctor: doctorCommand,
  import: importCommand,
  orders: ordersCommand,
  settings: settingsCommand,
}
