import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, it } from 'vitest'
import { connect } from '#database/engine/connect.ts'
import type { Tools } from '#shop/shared/tools.ts'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { systemEnvironment, systemLog } from '../startup/environment.ts'
import { metrics } from './metrics-registry.ts'
import { measureOperation } from './operation-metrics.ts'

const environment = systemEnvironment(systemLog('silent'))
/** The timeout of a monitor is not the clock of a test. */
const clock = {
  ...environment.clock,
  sleep: (ms: number, signal?: AbortSignal) => environment.clock.sleep(ms / 20, signal),
}

/** Returns the metrics of the database behind a port, and whether the check finished by itself. */
async function told(port: number) {
  const db = connect(`postgres://shop@127.0.0.1:${port}/shop`, { max: 1 })
  try {
    const fault = await measureOperation({ ...environment, clock, db } as Tools).then(
      () => null,
      (error: unknown) => String(error),
    )
    return { fault, figures: await metrics.getSingleMetricAsString('vitrine_database_answer_seconds') }
  } finally {
    await db.close()
  }
}
const forEver = /^vitrine_database_answer_seconds \+Inf$/m

it('F5 a database that takes a question and never answers is told as that, in time for a monitor', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  try {
    const { fault, figures } = await told((silent.address() as AddressInfo).port)
    expect(fault).toContain('database did not answer')
    expect(figures).toMatch(forEver)
  } finally {
    silent.close()
  }
})

it('F5 a database that is away is not told as quick as it was when it was there', async () => {
  const { fault, figures } = await told(9)
  expect(fault).toContain('ECONNREFUSED')
  expect(figures).toMatch(forEver)
})

it('M16 each shop of a process is looked through by itself, and no oftener than once an hour', async () => {
  const [one, other] = await Promise.all([aDatabase(), aDatabase()])
  const checked = () => metrics.getSingleMetricAsString('vitrine_invariants_checked_seconds')
  const lookAt = async (db: TestDatabase, seconds: number) => {
    const at = { ...clock, now: () => new Date(seconds * 1000) }
    await measureOperation({ ...environment, clock: at, db } as unknown as Tools)
  }
  try {
    await lookAt(one, 1_000)
    await expect.poll(checked).toContain('_seconds 1000')
    await lookAt(other, 1_001)
    await expect.poll(checked).toContain('_seconds 1001')
    await lookAt(one, 1_000 + 3_599)
    await lookAt(other, 1_001 + 3_600)
    await expect.poll(checked).toContain('_seconds 4601')
  } finally {
    await Promise.all([one.close(), other.close()])
  }
})
