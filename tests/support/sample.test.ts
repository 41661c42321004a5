import { expect, it } from 'vitest'
import { isInSample } from './sample.ts'

const faults = Array.from({ length: 400 }, (_, at) => `F7 at S${at}: paid once`)
const isDrawn = (file: string) => (title: string) => isInSample(file, title)

it('of the fault matrix one test in ten runs at every change, the same ones each time', () => {
  const drawn = faults.filter(isDrawn('tests/recovery/kills.test.ts'))
  expect(drawn.length).toBeGreaterThan(20)
  expect(drawn.length).toBeLessThan(60)
  expect(faults.filter(isDrawn('tests/recovery/kills.test.ts'))).toEqual(drawn)
})

it('what names a behaviour, or no fault, always runs', () => {
  const titles = faults.map((title) => `CHK-06 ${title}`)
  expect(titles.filter(isDrawn('tests/journeys/faults-tabs.test.ts'))).toEqual(titles)
  expect(isInSample('tests/journeys/cart.test.ts', 'a cart is kept')).toBe(true)
})

it('states of pages and methods of the emulator’s libraries are drawn by title alone', () => {
  const titles = faults.map((_, at) => `method ${at}`)
  for (const file of ['tests/journeys/accessibility/states.test.ts', 'tests/contract/paypal-cards.browser.test.ts']) {
    expect(titles.filter(isDrawn(file)).length).toBeLessThan(60)
  }
})
