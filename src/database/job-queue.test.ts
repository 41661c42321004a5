import { expect, it } from 'vitest'
import { queueAddress } from './job-queue.ts'

it.each([
  ['?sslmode=require', '?sslmode=no-verify'],
  ['?sslmode=prefer', '?sslmode=no-verify'],
  ['?sslmode=verify-ca', '?sslmode=verify-full'],
  ['?sslmode=verify-full', '?sslmode=verify-full'],
  ['?sslmode=disable', '?sslmode=disable'],
  ['?host=%2Ftmp%2Fsocket', '?host=%2Ftmp%2Fsocket'],
  ['', ''],
])("the queue's driver trusts whom the shop's does, by %s", (given, wanted) => {
  const address = 'postgres://shop:p%25w@db.example:5432/shop'
  expect(queueAddress(address + given)).toBe(address + wanted)
})
