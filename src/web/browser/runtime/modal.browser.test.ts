import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { aScene, eventually } from '#tests/support/browser-modules/scene.ts'

const scene = aScene('tests/support/browser-modules/parts-entry.ts')

const layer = `<div class="layer"><div class="box" role="dialog" aria-modal="true" aria-label="Sign up">
  <button class="x">Close</button><input id="name"><button id="use">Use</button></div></div>`
const body = `<main><a href="#" id="before">Before</a><div style="height:3000px"></div><button id="after">After</button></main>
  <template id="layer">${layer}</template>`

async function start(): Promise<Page> {
  await scene.open({ body, entry: 'parts-entry.js' })
  const { page } = scene
  await page.waitForFunction(() => 'parts' in window)
  return page
}

/** Opens it from the link, and records when its class is added and removed and when it is removed, in milliseconds. */
const open = (page: Page) =>
  page.evaluate(() => {
    const template = document.querySelector('template')
    const layer = template?.content.firstElementChild?.cloneNode(true)
    if (!(layer instanceof HTMLElement)) throw new Error('no layer')
    Object.assign(layer.style, { position: 'fixed', inset: '0', display: 'grid', placeItems: 'center' })
    const times: Record<string, number> = {}
    const note = (name: string) => {
      times[name] ??= performance.now()
    }
    document.getElementById('before')?.focus()
    let wasActive = false
    new MutationObserver(() => {
      const active = layer.classList.contains('active')
      if (active) note('active')
      if (wasActive && !active) note('inactive')
      wasActive = active
    }).observe(layer, { attributes: true })
    new MutationObserver(() => layer.isConnected || note('gone')).observe(document.body, { childList: true })
    let closings = 0
    note('opened')
    const modal = Reflect.get(window, 'parts').openModal(layer, '.x', () => {
      closings += 1
    })
    Object.assign(window, { times, modal, closings: () => closings })
  })

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Sign up' })
const focused = (page: Page) => page.evaluate(() => document.activeElement?.id || document.activeElement?.className)
const timeOf = (page: Page, from: string, to: string) =>
  page.evaluate(
    ([from, to]) => {
      const times = Reflect.get(window, 'times')
      return times[to as string] - times[from as string]
    },
    [from, to] as const,
  )

describe('a window over the page', () => {
  it('MODAL-01 becomes active 10 ms after it was opened, and is gone 400 ms after it was closed', async () => {
    const page = await start()
    await open(page)
    await eventually(() => page.locator('.layer.active').count()).toBe(1)
    // A timer is never early; on a slow machine it is late.
    expect(await timeOf(page, 'opened', 'active')).toBeGreaterThanOrEqual(9)
    expect(await timeOf(page, 'opened', 'active')).toBeLessThan(390)
    await page.evaluate(() => Reflect.get(window, 'modal').close())
    expect(await page.locator('.layer.active').count()).toBe(0)
    await eventually(() => page.locator('.layer').count()).toBe(0)
    expect(await timeOf(page, 'inactive', 'gone')).toBeGreaterThanOrEqual(395)
  })

  it('MODAL-02 keeps the focus: at either end it comes in again at the other', async () => {
    const page = await start()
    await open(page)
    expect(await focused(page)).toBe('box')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('x')
    await page.keyboard.press('Shift+Tab')
    expect(await focused(page)).toBe('use')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('x')
    for (const next of ['name', 'use', 'x']) {
      await page.keyboard.press('Tab')
      expect(await focused(page)).toBe(next)
    }
  })

  it('MODAL-02 what is behind takes no focus, no press and no scrolling', async () => {
    const page = await start()
    await open(page)
    expect(await page.evaluate(() => document.getElementById('after')?.matches('[inert] *, [inert]'))).toBe(true)
    await page.evaluate(() => document.getElementById('after')?.focus())
    expect(await focused(page)).toBe('box')
    expect(await page.evaluate(() => document.documentElement.className)).toContain('modal-open')
  })

  it('MODAL-02 Escape closes it, once, and the focus goes back', async () => {
    const page = await start()
    await open(page)
    await page.locator('#name').fill('Ann')
    await page.keyboard.press('Escape')
    expect(await focused(page)).toBe('before')
    await page.keyboard.press('Escape')
    await page.evaluate(() => Reflect.get(window, 'modal').close())
    expect(await page.evaluate(() => Reflect.get(window, 'closings')())).toBe(1)
    expect(await page.evaluate(() => document.getElementById('after')?.matches('[inert] *, [inert]'))).toBe(false)
    expect(await page.evaluate(() => document.documentElement.className)).not.toContain('modal-open')
    await eventually(() => dialog(page).count()).toBe(0)
  })

  it('MODAL-02 a press beside it and its own button close it, a press in it does not', async () => {
    const page = await start()
    for (const press of [() => page.mouse.click(5, 5), () => page.getByRole('button', { name: 'Close' }).click()]) {
      await open(page)
      await page.locator('#name').click()
      expect(await page.evaluate(() => Reflect.get(window, 'closings')())).toBe(0)
      await press()
      expect(await focused(page)).toBe('before')
      await eventually(() => dialog(page).count()).toBe(0)
    }
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
})
