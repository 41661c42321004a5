import { migrationsFolder, pendingMigrations } from '#database/engine/migrate.ts'
import type { Visit } from '../../http/visit.ts'
import type { Application } from '../startup/application.ts'
import { refusedMonitor } from './monitor-access.ts'

/** Whoever asks decides within seconds where to send visitors; a database that takes longer is none. */
const patienceMs = 1_000

/** What keeps the shop from taking visitors now: nothing where it can. */
export async function notReady({
  tools,
  clientFolder,
}: Pick<Application, 'tools' | 'clientFolder'>): Promise<string[]> {
  const { db, clock } = tools
  if (clientFolder === '') return ['the shop was never built']
  const done = new AbortController()
  const late = clock.sleep(patienceMs, done.signal).then(() => ['the database does not answer'])
  const asked = pendingMigrations({ sql: db.spare }, migrationsFolder).then(
    (pending) => (pending > 0 ? [`${pending} migrations are not applied`] : []),
    () => ['the database does not answer'],
  )
  try {
    return await Promise.race([asked, late])
  } finally {
    done.abort()
  }
}

/**
 * The answer at `/readyz`: 200 while visitors may be sent here, else 503. The reasons, one on a line, are for those who may
 * read figures too.
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
