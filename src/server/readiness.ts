import { migrationsFolder, pendingMigrations } from '#database/migrate.ts'
import type { Application } from './application.ts'

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
  const asked = pendingMigrations(db, migrationsFolder).then(
    (pending) => (pending > 0 ? [`${pending} migrations are not applied`] : []),
    () => ['the database does not answer'],
  )
  try {
    return await Promise.race([asked, late])
  } finally {
    done.abort()
  }
}

/** The answer at `/readyz`: 200 while visitors may be sent here, else 503 with the reasons, one on a line. */
export async function readyAnswer(app: Application): Promise<Response> {
  const reasons = await notReady(app)
  const ready = reasons.length === 0
  return new Response(ready ? 'ready' : `${reasons.join('\n')}\n`, {
    status: ready ? 200 : 503,
    headers: {
      'Content-Type': 'text/plain; charset=UTF-8',
      'Cache-Control': 'no-store',
      ...(ready ? {} : { 'Retry-After': '5' }),
    },
  })
}
