import { expect, it } from 'vitest'
import { drawnRows, inMatrix } from './sample.ts'

const recovery = 'tests/recovery/payments/kills.test.ts'

it('a title that names a fault is a row of the fault matrix', () => {
  expect(inMatrix(recovery, 'P1 F12 at S11: is charged by nothing but another press')).toBe(true)
  expect(inMatrix(recovery, 'I2: a capture for an order that was given up')).toBe(false)
})

it('what names a behaviour or a method runs in every run', () => {
  expect(inMatrix(recovery, 'F12 P5 CHK-06 with another total')).toBe(false)
  expect(inMatrix(recovery, 'M5 F21 at S1 before a product is added')).toBe(true)
  expect(inMatrix(recovery, 'M1 I1 to I13, F1 to F4 at random: no promise is broken')).toBe(false)
})

it('purchases from one country after another are a table', () => {
  expect(inMatrix('/tests/journeys/countries.test.ts', 'CHK-10 ADDR-03 Japan: a guest on a phone')).toBe(true)
})

it('of a table one row in ten runs, and each behaviour that a row names', () => {
  const rows = Array.from({ length: 20 }, (_, at) => ({ name: at === 7 ? 'SEL-03 on a phone' : `SEL-01 row ${at}` }))
  const drawn = drawnRows(rows, true).map(({ name }) => name)
  expect(drawn).toContain('SEL-03 on a phone')
  expect(drawn.length).toBeLessThan(4)
})

it('states of pages and methods of the emulator’s libraries are matrices of their own', () => {
  const files = ['/tests/journeys/accessibility/states.test.ts', '/tests/contract/paypal-cards.browser.test.ts']
  for (const file of files) expect(inMatrix(file, 'whatever it is called')).toBe(true)
  expect(inMatrix(files[0] ?? '', 'STORE-02 the page before a shop opens')).toBe(false)
})
