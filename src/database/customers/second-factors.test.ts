import { afterAll, beforeAll, expect, it } from 'vitest'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import {
  consumeRecoveryCode,
  consumeStep,
  countRecoveryCodes,
  deleteSecondFactor,
  replaceRecoveryCodes,
  writeUnconfirmedFactor,
} from './second-factors.ts'

let db: TestDatabase
const at = new Date('2026-05-10T12:00Z')
beforeAll(async () => {
  db = await aDatabase({ max: 4 })
  await db.sql`insert into customers (id, email, username, created_at, updated_at)
    values (1, 'ida@example.test', 'ida', ${at}, ${at})`
  expect(await writeUnconfirmedFactor(db.kysely, { customer_id: 1, secret: 'sealed', created_at: at })).toBe(true)
})
afterAll(() => db.close())

it('T14 the code of a half minute counts once, and those before it no more', async () => {
  expect(await consumeStep(db.kysely, 1, 5)).toBe(true)
  expect(await consumeStep(db.kysely, 1, 5)).toBe(false)
  expect(await consumeStep(db.kysely, 1, 4)).toBe(false)
  const atOnce = await Promise.all([6, 6, 6, 6].map((step) => consumeStep(db.kysely, 1, step)))
  expect(atOnce.filter(Boolean)).toHaveLength(1)
  expect(await consumeStep(db.kysely, 2, 9)).toBe(false)
})

it('T14 a code for an emergency counts once, and with its secret all of them go', async () => {
  await db.kysely.transaction().execute((tx) => replaceRecoveryCodes(tx, 1, ['a', 'b']))
  const atOnce = await Promise.all(Array.from({ length: 4 }, () => consumeRecoveryCode(db.kysely, 1, 'a', at)))
  expect(atOnce.filter(Boolean)).toHaveLength(1)
  expect(await consumeRecoveryCode(db.kysely, 1, 'c', at)).toBe(false)
  expect(await consumeRecoveryCode(db.kysely, 2, 'b', at)).toBe(false)
  expect(await countRecoveryCodes(db.kysely, 1)).toBe(1)
  await db.sql`update second_factors set confirmed_at = ${at}`
  expect(await writeUnconfirmedFactor(db.kysely, { customer_id: 1, secret: 'another', created_at: at })).toBe(false)
  expect(await deleteSecondFactor(db.kysely, 1)).toBe(true)
  expect(await consumeRecoveryCode(db.kysely, 1, 'b', at)).toBe(false)
})
