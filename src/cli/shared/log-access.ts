import { recordAccess } from '#database/customers/access-log.ts'
import type { CommandContext } from './command.ts'
import type { Given } from './command-group.ts'

/** Puts down that a command shows personal data. Before it does: what was seen stands in the log, whatever comes then. */
export async function recordStaffAccess(
  { db, clock, who }: CommandContext,
  action: string,
  subject: string,
): Promise<void> {
  await recordAccess(db.kysely, { at: clock.now(), who, action, subject })
}

/** How a list was asked for: `list search=ida page=2`. */
export function listSubject(given: Given): string {
  const asked = Object.entries(given).flatMap(([option, value]) =>
    value === undefined ? [] : value === true ? option : `${option}=${String(value)}`,
  )
  return ['list', ...asked].join(' ').slice(0, 500)
}
