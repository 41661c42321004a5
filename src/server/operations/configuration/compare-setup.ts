import { createHmac } from 'node:crypto'
import type { Log } from '#contract/shared/environment.ts'
import type { Database } from '#database/engine/connect.ts'
import { recordSetUp } from '#database/operations/configuration.ts'

type SetUp = { readonly secret: string; readonly publicBaseUrl: string | null }

/**
 * Says in the log where a process was given something else than the one that started before it and may still be there. What one
 * of them signs, or prints as its own address, the other refuses: half of all forms would fail, and nothing would say why.
 * @param isAlone no other process is there, so whatever is new is meant to be
 */
export async function compareSetUp(db: Database, log: Log, own: SetUp, isAlone: boolean): Promise<void> {
  const noted = {
    // Of the secret no more than whether it is the same.
    VITRINE_SECRET: createHmac('sha256', own.secret).update('set-up').digest('hex').slice(0, 16),
    PUBLIC_BASE_URL: own.publicBaseUrl ?? '',
  }
  const former = await recordSetUp(db, noted)
  if (isAlone || typeof former !== 'object' || former === null) return
  for (const [setting, value] of Object.entries(noted)) {
    if (Reflect.get(former, setting) === value) continue
    log.error(
      { setting },
      `${setting} is not the one of the process that started before: what the one prints the other refuses`,
    )
  }
}
