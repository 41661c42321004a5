import { recordAccess } from '#database/customers/access-log.ts'
import type { CommandContext } from './command.ts'
import type { Given } from './command-group.ts'

/** Records access to personal data. Call it before printing any: the log must be complete even if the command fails later. */
export async function recordStaffAccess(
  { db, clock, who }: CommandContext,
  action: string,
  subject: string,
): Promise<void> {
  await recordAccess(db.kysely, { at: clock.now(), who, action, subject })
}

/** The options of a list for the log: `list search=ida page=2`. */
export function listSubject(given: Given): string {
  const asked = Object.entries(given).flatMap(([option, value]) =>
    value === undefined ? [] : value === true ? option : `${option}=${String(value)}`,
  )
  return ['list', ...asked].join(' ').slice(0, 500)
}
