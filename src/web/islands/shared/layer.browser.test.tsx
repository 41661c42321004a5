import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { expectEqualMarkup, openComponent } from '#tests/support/browser-modules/component.ts'
import { Opener } from '#tests/support/browser-modules/layer-page.tsx'
import { aScene, eventually } from '#tests/support/browser-modules/scene.ts'
import { Island } from '../island.tsx'

const scene = aScene('tests/support/browser-modules/layer-entry.ts')
const behind = `<main><button id="after">After</button></main>`

async function start(top = false): Promise<Page> {
  const island = <Island name="opener" when="load" component={Opener} props={{ top }} />
  await openComponent(scene, island, { body: behind, entry: 'layer-entry.js' })
  await expectEqualMarkup(scene, 'opener')
  await scene.page.evaluate(() => {
    const styles = new CSSStyleSheet()
    styles.replaceSync(
      'main { height: 3000px } div.layer { position: fixed; inset: 0; display: grid; place-items: center }',
    )
    document.adoptedStyleSheets = [styles]
  })
  return scene.page
}

/** Opens it, and records when its class is added and removed and when it is removed, in milliseconds. */
async function open(page: Page): Promise<void> {
  await page.evaluate(() => {
    const times: Record<string, number> = {}
    let wasActive = false
    const look = () => {
      const layer = document.querySelector('.layer')
      const active = layer?.matches('.active') === true
      const now = performance.now()
      if (layer) times.opened ??= now
      if (active) times.active ??= now
      if (wasActive && !active) times.inactive ??= now
      if (times.opened && !layer) times.gone ??= now
      wasActive = active
    }
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true })
    Object.assign(window, { times })
  })
  await page.getByRole('button', { name: 'Open' }).focus()
  await page.keyboard.press('Enter')
  await dialog(page).waitFor()
}

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Sign up' })
const focused = (page: Page) => page.evaluate(() => document.activeElement?.id || document.activeElement?.className)
const dismissals = (page: Page) => page.locator('output').textContent()
const timeOf = (page: Page, from: string, to: string) =>
  page.evaluate(
    ([from = '', to = '']) => {
      const times = Reflect.get(window, 'times')
      return times[to] - times[from]
    },
    [from, to],
  )
const isFree = (page: Page) =>
  page.evaluate(() => !document.querySelector('main')?.inert && !document.documentElement.matches('.modal-open'))

describe('a dialog over the page', () => {
  it('MODAL-01 becomes active 10 ms after it was opened, and is gone 400 ms after it was closed', async () => {
    const page = await start()
    await open(page)
    await eventually(() => page.locator('.layer.active').count()).toBe(1)
    // A timer is never early; on a slow machine it is late.
    expect(await timeOf(page, 'opened', 'active')).toBeGreaterThanOrEqual(9)
    expect(await timeOf(page, 'opened', 'active')).toBeLessThan(390)
    await page.getByRole('button', { name: 'Close' }).click()
    expect(await page.locator('.layer.active').count()).toBe(0)
    await eventually(() => page.locator('.layer').count()).toBe(0)
    expect(await timeOf(page, 'inactive', 'gone')).toBeGreaterThanOrEqual(395)
    expect(await page.locator('body > span').count()).toBe(0)
    expect(scene.errors).toEqual([])
  })

  it('MODAL-02 keeps the focus: at either end it comes in again at the other', async () => {
    const page = await start()
    await open(page)
    await eventually(() => focused(page)).toBe('box')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('x')
    await page.keyboard.press('Shift+Tab')
    expect(await focused(page)).toBe('use')
    for (const next of ['x', 'name', 'use', 'x']) {
      await page.keyboard.press('Tab')
      expect(await focused(page)).toBe(next)
    }
  })

  it.each([false, true])(
    'MODAL-02 what is behind takes no focus and no scrolling; in the top layer: %s',
    async (top) => {
      const page = await start(top)
      await open(page)
      await eventually(() => isFree(page)).toBe(false)
      await page.evaluate(() => document.getElementById('after')?.focus())
      expect(await focused(page)).toBe(top ? 'x' : 'box')
      expect(await page.evaluate(() => document.documentElement.className)).toContain('modal-open')
    },
  )

  it.each([false, true])(
    'MODAL-02 Escape closes it, once, and the focus goes back; in the top layer: %s',
    async (top) => {
      const page = await start(top)
      await open(page)
      await page.locator('#name').fill('Ann')
      await page.keyboard.press('Escape')
      await eventually(() => focused(page)).toBe('before')
      await page.keyboard.press('Escape')
      expect(await dismissals(page)).toBe('1')
      expect(await isFree(page)).toBe(true)
      await eventually(() => dialog(page).count()).toBe(0)
    },
  )

  it('MODAL-02 a press beside it and its own button close it, a press in it does not', async () => {
    const page = await start()
    for (const press of [() => page.mouse.click(5, 500), () => page.getByRole('button', { name: 'Close' }).click()]) {
      await open(page)
      await page.locator('#name').click()
      expect(await focused(page)).toBe('name')
      await press()
      await eventually(() => focused(page)).toBe('before')
      await eventually(() => dialog(page).count()).toBe(0)
    }
    expect(await dismissals(page)).toBe('1')
  })

  it("MODAL-02 a provider's window that comes over it later can be used, and has its keys to itself", async () => {
    const page = await start()
    await open(page)
    await page.evaluate(() => {
      const over = document.createElement('input')
      over.id = 'code'
      Object.assign(over.style, { position: 'fixed', zIndex: '9', top: '0', left: '0' })
      document.body.append(over)
    })
    await page.locator('#code').click()
    await page.keyboard.type('123')
    await page.keyboard.press('Escape')
    expect(await page.locator('#code').inputValue()).toBe('123')
    expect(await dialog(page).isVisible()).toBe(true)
    expect(await focused(page)).toBe('code')
  })

  it('opens again while it closes, and frees the page when its island has gone', async () => {
    const page = await start()
    await open(page)
    await page.getByRole('button', { name: 'Close' }).click()
    await page.keyboard.press('Enter')
    await eventually(() => page.locator('.layer.active').count()).toBe(1)
    // The first closing would have removed it by then.
    await eventually(() =>
      page.evaluate(() => performance.now() - Reflect.get(window, 'times').inactive),
    ).toBeGreaterThan(450)
    expect(await dialog(page).count()).toBe(1)
    expect(await isFree(page)).toBe(false)
    await page.evaluate(() => document.querySelector('vitrine-island')?.remove())
    await eventually(() => isFree(page)).toBe(true)
    expect(await page.locator('.layer, body > span').count()).toBe(0)
  })
})
