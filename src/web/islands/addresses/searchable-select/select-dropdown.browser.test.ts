import { describe, expect, it } from 'vitest'
import { eventually } from '#tests/support/browser-modules/scene.ts'
import { aSelectPage, form, someSelect } from '#tests/support/browser-modules/select-page.tsx'

const { scene, start, open, country, field, options, highlighted, value, isOpen, hasFocus } = aSelectPage()

const list = () => scene.page.locator('.select2-results__options')

/** Options of which every seventh takes several lines. */
const manyOptions = Array.from({ length: 400 }, (_, place) => {
  const text = place % 7 === 0 ? `${place} ${'long '.repeat(60)}` : `${place} short`
  return `<option value="v${place}">${text}</option>`
}).join('')

/** @returns the texts' numbers of the rows that are wholly seen, from top to bottom */
const seen = () =>
  list().evaluate((it) => {
    const view = it.getBoundingClientRect()
    const rows = [...it.children].map(
      (row) => [row.getBoundingClientRect(), Number.parseInt(row.textContent ?? '', 10)] as const,
    )
    return rows
      .filter(([{ top, bottom }]) => top >= view.top - 1 && bottom <= view.bottom + 1)
      .map(([, number]) => number)
  })

describe('the code of the list', () => {
  it('SEL-01 comes with the first press, which opens the list with the letters typed until then', async () => {
    const scripts: string[] = []
    let release = () => {}
    await scene.page.route('**/mount-dropdown*', async (route) => {
      await new Promise<void>((done) => {
        release = done
      })
      await route.continue()
    })
    scene.page.on('request', (request) => scripts.push(request.url()))
    await open()
    expect(scripts.filter((url) => /react|mount-dropdown/.test(url))).toEqual([])
    await country().press('g')
    await scene.page.keyboard.type('er')
    await eventually(() => scripts.filter((url) => url.includes('mount-dropdown')).length).toBe(1)
    expect(await isOpen()).toBe(false)
    release()
    await field().waitFor()
    expect([await field().inputValue(), await highlighted()]).toEqual(['ger', 'Germany'])
    await field().press('Enter')
    expect([await value(), await hasFocus()]).toEqual(['DE', true])
    expect(scene.errors).toEqual([])
  })

  it('SEL-01 chooses what was typed and entered before it came', async () => {
    let release = () => {}
    await scene.page.route('**/mount-dropdown*', async (route) => {
      await new Promise<void>((done) => {
        release = done
      })
      await route.continue()
    })
    await open()
    const asked = scene.page.waitForRequest(/mount-dropdown/)
    await country().press('g')
    await asked
    await scene.page.keyboard.type('er')
    await scene.page.keyboard.press('Enter')
    release()
    await eventually(() => value()).toBe('DE')
    expect([await isOpen(), await hasFocus(), scene.errors]).toEqual([false, true, []])
  })

  it('SEL-01 is not waited for by who has gone on', async () => {
    let release = () => {}
    await scene.page.route('**/mount-dropdown*', async (route) => {
      await new Promise<void>((done) => {
        release = done
      })
      await route.continue()
    })
    await open()
    await country().press('Enter')
    await scene.page.locator('#billing_address_1').focus()
    const loaded = scene.page.waitForResponse(/mount-dropdown/)
    release()
    await loaded
    await scene.page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
    expect(await isOpen()).toBe(false)
    expect(await scene.page.evaluate(() => document.activeElement?.id)).toBe('billing_address_1')
  })

  it('SEL-03 gives the plain select back where it cannot be loaded', async () => {
    await open()
    scene.shop.breakAssets('mount-dropdown')
    await country().press('Enter')
    const select = scene.page.locator('#billing_country')
    await eventually(() => select.evaluate((it) => it === document.activeElement)).toBe(true)
    expect(await select.getAttribute('aria-hidden')).toBe(null)
    await select.selectOption('FR')
    await eventually(() => scene.page.locator('#billing_country + .select2-container').count()).toBe(0)
    expect(await value()).toBe('FR')
  })
})

it('SEL-03 gives the plain select back where the list fails', async () => {
  await start()
  await country().click()
  await scene.page.evaluate(() => {
    String.prototype.normalize = () => {
      throw new Error('out of order')
    }
  })
  await field().press('g')
  const select = scene.page.locator('#billing_country')
  await eventually(() => select.evaluate((it) => it === document.activeElement)).toBe(true)
  expect(await scene.page.locator('#billing_country + .select2-container').count()).toBe(0)
  await scene.page.keyboard.press('ArrowUp')
  expect(await value()).not.toBe('US')
})

describe('a long list', () => {
  it('SEL-01 has only the rows near to what is seen, and the chosen one in the middle', async () => {
    await start(form)
    await country().click()
    expect(await highlighted()).toBe('United States')
    expect(await options().count()).toBeLessThan(60)
    const middle = await list().evaluate((it) => {
      const row = it.querySelector('.select2-results__option--highlighted')?.getBoundingClientRect()
      const view = it.getBoundingClientRect()
      return row && row.top >= view.top && row.bottom <= view.bottom
    })
    expect(middle).toBe(true)
    expect(
      await scene.page.getByRole('option', { name: 'United States', exact: true }).getAttribute('aria-posinset'),
    ).toBe('238')
  })

  it('SEL-01 shows every row in its place by keys and by scrolling, whatever its height', async () => {
    await start(someSelect('', manyOptions))
    await country().click()
    for (let press = 0; press < 60; press += 1) await field().press('ArrowDown')
    expect(Number.parseInt((await highlighted()) ?? '', 10)).toBe(60)
    expect(await seen()).toContain(60)
    const scrollTo = (place: number) =>
      list().evaluate((it, place) => it.scrollTo(0, place * (it.scrollHeight - it.clientHeight)), place)
    for (const place of [0.5, 1, 0.25, 0]) {
      await scrollTo(place)
      await eventually(async () => (await seen()).length).toBeGreaterThan(2)
      const numbers = await seen()
      expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index))
      expect(await options().count()).toBeLessThan(60)
    }
    await eventually(async () => (await seen())[0]).toBe(0)
    // Rows that turn out to be higher than most move the end.
    await eventually(async () => {
      await scrollTo(1)
      return (await seen()).at(-1)
    }).toBe(399)
    await field().press('ArrowUp')
    await eventually(async () => (await seen()).includes(59)).toBe(true)
    expect(Number.parseInt((await highlighted()) ?? '', 10)).toBe(59)
    expect(scene.errors).toEqual([])
  })
})
