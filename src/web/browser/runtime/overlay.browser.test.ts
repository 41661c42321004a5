import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { aScene, eventually } from '#tests/support/browser-modules/scene.ts'

const scene = aScene('tests/support/browser-modules/parts-entry.ts')
const body = `<div id="panel"><button id="inside">Inside</button><input id="field" value="text"></div><button id="outside">Outside</button>`

const call = (page: Page, name: 'block' | 'unblock', options: object = {}) =>
  page.evaluate(
    ([name, options]) => Reflect.get(window, 'parts')[name as string](document.getElementById('panel'), options),
    [name, options] as const,
  )
const start = async (jQuery = false) => {
  await scene.open({ body, jQuery, entry: 'parts-entry.js' })
  await scene.page.waitForFunction(() => 'parts' in window)
  await scene.page.evaluate(() => {
    const presses: string[] = []
    Object.assign(window, { presses })
    for (const type of ['click', 'keydown'])
      document.addEventListener(type, (event) => presses.push(`${type} ${(event.target as Element).id}`))
  })
  return scene.page
}

/** The test controls the page's clock, however slow the machine is; animations continue. */
const stopTheClock = async (page: Page) => {
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
}

describe('the overlay of a classic script', () => {
  const styles = readFileSync(resolve(import.meta.dirname, '../../styles/notices/notices.css'), 'utf8')

  /**
   * Covers an element as the classic script does: positions in style attributes, which the policy blocks; looks in
   * properties.
   */
  const cover = (page: Page, selector: string, position: 'absolute' | 'fixed') =>
    page.evaluate(
      ([selector, position]) => {
        const target = document.querySelector<HTMLElement>(selector)
        const layer = (className: string) => {
          const node = document.createElement('div')
          node.className = className
          node.setAttribute('style', 'z-index:1000;display:none;border:none;width:100%;height:100%;top:0;left:0')
          target?.append(node)
          return node
        }
        if (target && position === 'absolute') target.style.position = 'relative'
        const [spacer, overlay, message] = [
          layer('blockUI'),
          layer('blockUI blockOverlay'),
          layer('blockUI blockMsg blockElement'),
        ]
        const before = [spacer, overlay, message].map((it) => getComputedStyle(it).display)
        Object.assign(overlay.style, { backgroundColor: '#fff', opacity: '0.6', cursor: 'wait', position })
        overlay.style.display = 'block'
        const [box, around] = [overlay, position === 'fixed' ? document.documentElement : target].map((it) =>
          it?.getBoundingClientRect(),
        )
        const atPoint = document.elementFromPoint((around?.left ?? 0) + 5, (around?.top ?? 0) + 5)
        return {
          before,
          size: [box?.width, box?.height],
          wanted: position === 'fixed' ? [innerWidth, innerHeight] : [target?.clientWidth, target?.clientHeight],
          covers: atPoint === overlay,
          after: [spacer, message].map((it) => getComputedStyle(it).display),
          zIndex: getComputedStyle(overlay).zIndex,
        }
      },
      [selector, position] as const,
    )

  it.each([
    ['#panel', 'absolute'],
    ['body', 'fixed'],
  ] as const)('OVL-01 covers all of %s, by the shop’s stylesheet alone', async (selector, position) => {
    scene.shop.at('/notices.css', () => ({ body: styles, headers: { 'Content-Type': 'text/css' } }))
    await scene.open({
      body: `<link rel="stylesheet" href="/notices.css"><div id="panel"><p>One</p><p>Two</p><button>Inside</button></div>`,
      entry: 'parts-entry.js',
    })
    const { size, wanted, ...seen } = await cover(scene.page, selector, position)
    expect(size).toEqual(wanted)
    expect(seen).toEqual({ before: Array(3).fill('none'), covers: true, after: ['none', 'none'], zIndex: '1000' })
  })
})

describe('the blocking overlay', () => {
  it('OVL-01 is black at 0.6 from layer 1000 on, fades in 200 ms and out in 400 ms', async () => {
    const page = await start()
    const fading = await page.evaluate(() => {
      const panel = document.getElementById('panel')
      Reflect.get(window, 'parts').block(panel)
      const overlay = panel?.querySelector('.blockUI.blockOverlay')
      const style = overlay && getComputedStyle(overlay)
      return {
        layers: panel?.querySelectorAll(':scope > .blockUI').length,
        fadesMs: overlay?.getAnimations()[0]?.effect?.getTiming().duration,
        zIndex: style?.zIndex,
        background: style?.backgroundColor,
        cursor: style?.cursor,
      }
    })
    expect(fading).toEqual({ layers: 3, fadesMs: 200, zIndex: '1000', background: 'rgb(0, 0, 0)', cursor: 'wait' })
    const overlay = page.locator('.blockOverlay')
    await eventually(() => overlay.evaluate((it) => getComputedStyle(it).opacity)).toBe('0.6')

    await call(page, 'unblock')
    expect(await overlay.evaluate((it) => it.getAnimations()[0]?.effect?.getTiming().duration)).toBe(400)
    await eventually(() => page.locator('.blockUI').count()).toBe(0)
    expect(await page.locator('#panel').getAttribute('style')).toBeFalsy()
  })

  it('OVL-01 is white where the shop asks for it', async () => {
    const page = await start()
    await call(page, 'block', { colour: 'white', cursor: 'default' })
    expect(await page.locator('.blockOverlay').evaluate((it) => [it.style.background, it.style.cursor])).toEqual([
      'rgb(255, 255, 255)',
      'default',
    ])
  })

  it('OVL-01 a growl stays for 3000 ms', async () => {
    const page = await start()
    await stopTheClock(page)
    await page.evaluate(() => Reflect.get(window, 'parts').growl('Saved', 'All is well'))
    await page.clock.runFor(2999)
    expect(await page.getByRole('status').filter({ hasText: 'Saved' }).textContent()).toBe('SavedAll is well')
    // It has faded in, and does not fade out yet.
    await eventually(() => page.locator('.growlUI').evaluate((it) => it.getAnimations().length)).toBe(0)
    await page.clock.runFor(1)
    await eventually(() => page.locator('.growlUI').count()).toBe(0)
  })

  it('OVL-01 a growl is 350 px wide, 10 px from the corner, fades in 700 ms and out in 1000 ms', async () => {
    const page = await start()
    const seen = await page.evaluate(() => {
      const close = Reflect.get(window, 'parts').growl('Saved', '<b>All</b> is well', 0)
      const box = document.querySelector('.growlUI')
      const fadesMs = () => box?.getAnimations().map((one) => one.effect?.getTiming().duration)
      const inMs = fadesMs()
      const { top, right, width } = box?.getBoundingClientRect() ?? new DOMRect()
      close()
      close()
      return { top, toTheEdge: document.documentElement.clientWidth - right, width, inMs, outMs: fadesMs()?.slice(-1) }
    })
    expect(seen).toEqual({ top: 10, toTheEdge: 10, width: 350, inMs: [700], outMs: [1000] })
    await eventually(() => page.locator('.growlUI').count()).toBe(0)
  })

  it('OVL-01 a growl is said after it is there, takes no focus, is no heading, and holds no markup', async () => {
    const page = await start()
    await page.locator('#outside').focus()
    const before = await page.evaluate(() => {
      Reflect.get(window, 'parts').growl('Saved', '<img src=x>', 0)
      return document.querySelector('.growlUI')?.textContent
    })
    expect(before).toBe('')
    const box = page.getByRole('status').filter({ hasText: 'Saved' })
    await box.waitFor()
    expect(await box.textContent()).toBe('Saved<img src=x>')
    expect(await box.getByRole('heading').count()).toBe(0)
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('outside')
  })

  it('OVL-01 a growl stays under the pointer, and goes when that has left', async () => {
    const page = await start()
    await stopTheClock(page)
    await page.evaluate(() => Reflect.get(window, 'parts').growl('Saved', '', 1500))
    await page.locator('.growlUI').hover()
    await page.clock.runFor(3000)
    await eventually(() =>
      page.locator('.growlUI').evaluate((it) => [it.getAnimations().length, it.matches(':hover')]),
    ).toEqual([0, true])
    await page.mouse.move(0, 400)
    await page.clock.runFor(1500)
    await eventually(() => page.locator('.growlUI').count()).toBe(0)
  })

  it('OVL-01 the next growl takes the place of the one before', async () => {
    const page = await start()
    await page.evaluate(() => {
      Reflect.get(window, 'parts').growl('First', '', 0)
      Reflect.get(window, 'parts').growl('Second', '', 0)
    })
    await page.getByText('Second').waitFor()
    expect(await page.locator('.growlUI').allTextContents()).toEqual(['Second'])
  })

  it('OVL-01 a growl does not move for who wants less of that', async () => {
    const page = await start()
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const left = await page.evaluate(async () => {
      const close = Reflect.get(window, 'parts').growl('Saved', '', 0)
      const moves = document.querySelector('.growlUI')?.getAnimations().length
      close()
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
      return [moves, document.querySelectorAll('.growlUI').length]
    })
    expect(left).toEqual([0, 0])
  })

  it('OVL-02 a blocked region takes no pointer and no keyboard input and is marked busy', async () => {
    const page = await start()
    await page.locator('#field').focus()
    await call(page, 'block')
    expect(await page.locator('#panel').getAttribute('aria-busy')).toBe('true')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('')

    const place = await page.locator('#inside').boundingBox()
    await page.mouse.click((place?.x ?? 0) + 5, (place?.y ?? 0) + 5)
    await page.keyboard.type('x')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('outside')
    const presses = await page.evaluate(() => Reflect.get(window, 'presses') as string[])
    expect(presses.filter((it) => /inside|field/.test(it))).toEqual([])
    expect(await page.locator('#field').inputValue()).toBe('text')
  })

  it('OVL-02 a released region works at once and has its focus back', async () => {
    const page = await start()
    await page.locator('#field').focus()
    await call(page, 'block')
    await call(page, 'unblock')
    await page.keyboard.type('!')
    expect(await page.locator('#field').inputValue()).toMatch(/!/)
    await page.locator('#inside').click()
    expect(await page.evaluate(() => Reflect.get(window, 'presses'))).toContain('click inside')
    expect(await page.locator('#panel').getAttribute('aria-busy')).toBeNull()
  })

  it('OVL-02 a region that is blocked twice stays covered, and is as it was once it is released', async () => {
    const page = await start()
    const position = () => page.locator('#panel').evaluate((it) => getComputedStyle(it).position)
    await page.locator('#field').focus()
    await call(page, 'block')
    await call(page, 'block')
    expect(await position()).toBe('relative')

    await call(page, 'unblock')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('field')
    await eventually(position).toBe('static')
  })

  it('replaces itself when the region is blocked again, and tells jQuery', async () => {
    const page = await start(true)
    await call(page, 'block')
    await call(page, 'block', { colour: 'white' })
    expect(await page.locator('.blockOverlay').count()).toBe(1)
    const blocked = () =>
      page.evaluate(() => Reflect.get(window, 'jQuery')(document.getElementById('panel')).data('blockUI.isBlocked'))
    expect(await blocked()).toBe(1)
    await call(page, 'unblock')
    expect(await blocked()).toBeUndefined()
  })
})
