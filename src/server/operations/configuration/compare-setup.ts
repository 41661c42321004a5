import { createHmac } from 'node:crypto'
import type { Log } from '#contract/shared/environment.ts'
import type { Database } from '#database/engine/connect.ts'
import { recordSetUp } from '#database/operations/configuration.ts'

type SetUp = { readonly secret: string; readonly publicBaseUrl: string | null }

/**
 * Logs settings that differ from those of a process that started before and may still run. Nonces signed by one process
 * are rejected by the other: half of all forms would fail without an explanation.
 * @param isAlone no other process runs, so new values are intended
 */
export async function compareSetUp(db: Database, log: Log, own: SetUp, isAlone: boolean): Promise<void> {
  const noted = {
    // Stores only a digest of the secret, enough for the comparison.
    VITRINE_SECRET: createHmac('sha256', own.secret).update('set-up').digest('hex').slice(0, 16),
    PUBLIC_BASE_URL: own.publicBaseUrl ?? '',
  }
  const former = await recordSetUp(db, noted)
  if (isAlone || typeof former !== 'object' || former === null) return
  for (const [setting, value] of Object.entries(noted)) {
    if (Reflect.get(former, setting) === value) continue
    log.error(
      { setting },
      `${setting} differs from the process that started before: each rejects the forms of the other`,
    )
  }
}
