import { expect, it } from 'vitest'
import { aDatabase } from '#tests/support/database/database.ts'
import { compareSetUp } from './compare-setup.ts'

const secret = 'a secret that all processes share'
const publicBaseUrl = 'https://shop.example'

it('P11 names what a process was given otherwise than those beside it, and keeps the secret to itself', async () => {
  await using db = await aDatabase()
  const said: string[] = []
  const log = { info: () => {}, warn: () => {}, error: (_: unknown, message: string) => said.push(message) }
  const start = async (own: Parameters<typeof compareSetUp>[2], isAlone = false) => {
    said.length = 0
    await compareSetUp(db, log, own, isAlone)
    return said.map((message) => message.split(' ')[0])
  }
  expect(await start({ secret, publicBaseUrl }, true)).toEqual([])
  expect(await start({ secret, publicBaseUrl })).toEqual([])
  expect(await start({ secret: `${secret}!`, publicBaseUrl })).toEqual(['VITRINE_SECRET'])
  expect(await start({ secret: `${secret}!`, publicBaseUrl: null })).toEqual(['PUBLIC_BASE_URL'])
  // A stopped shop may restart with another secret and address.
  expect(await start({ secret, publicBaseUrl }, true)).toEqual([])
  const [kept] = await db.sql<{ value: object }[]>`select value from settings where key = 'setUp'`
  expect(JSON.stringify(kept)).toContain(publicBaseUrl)
  expect(JSON.stringify(kept)).not.toContain(secret)
})
