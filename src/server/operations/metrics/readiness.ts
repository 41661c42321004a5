import { migrationsFolder, pendingMigrations } from '#database/engine/migrate.ts'
import type { Visit } from '../../http/visit.ts'
import type { Application } from '../startup/application.ts'
import { refusedMonitor } from './monitor-access.ts'

/** Load balancers decide within seconds; a slower database counts as unavailable. */
const patienceMs = 1_000

/** Returns the reasons why the shop cannot serve visitors now: empty if it can. */
export async function notReady({
  tools,
  clientFolder,
}: Pick<Application, 'tools' | 'clientFolder'>): Promise<string[]> {
  const { db, clock } = tools
  if (clientFolder === '') return ['the shop was never built']
  const done = new AbortController()
  const late = clock.sleep(patienceMs, done.signal).then(() => ['database did not answer'])
  const asked = pendingMigrations({ sql: db.spare }, migrationsFolder).then(
    (pending) => (pending > 0 ? [`${pending} migrations are not applied`] : []),
    () => ['database did not answer'],
  )
  try {
    return await Promise.race([asked, late])
  } finally {
    done.abort()
  }
}

/**
 * Answers `/readyz`: 200 while the shop can serve visitors, otherwise 503. The reasons, one per line, are shown only to
 * authorized monitors.
 */
export async function readyAnswer(visit: Visit): Promise<Response> {
  const reasons = await notReady(visit.app)
  const ready = reasons.length === 0
  const told = refusedMonitor(visit) === null ? reasons : ['not ready']
  return new Response(ready ? 'ready' : `${told.join('\n')}\n`, {
    status: ready ? 200 : 503,
    headers: {
      'Content-Type': 'text/plain; charset=UTF-8',
      'Cache-Control': 'no-store',
      ...(ready ? {} : { 'Retry-After': '5' }),
    },
  })
}
