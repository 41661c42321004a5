import type { Browser, Page } from 'playwright-core'
import { type ReactElement, useId } from 'react'
import { renderToString } from 'react-dom/server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { passTime } from '#tests/support/browser/page-time.ts'
import { aBrowser, aVisitor, pointerAtRest, type Visitor } from '#tests/support/browser.ts'
import { type Bundle, bundle } from '#tests/support/browser-modules/bundle.ts'
import { type FixtureShop, fixtureShop, pageHtml } from '#tests/support/browser-modules/fixture-shop.ts'
import { Counter, Fragile, Mirror, Outer } from '#tests/support/browser-modules/islands.tsx'
import { Lost } from '#tests/support/browser-modules/lost-island.tsx'
import { Island } from '../../islands/island.tsx'
import { IslandRenderProvider } from '../../islands/island-render.tsx'

let browser: Browser
let assets: Bundle
beforeAll(async () => {
  ;[browser, assets] = await Promise.all([aBrowser(), bundle('tests/support/browser-modules/islands-entry.ts')])
})
afterAll(() => browser.close())

let shop: FixtureShop
let visit: Visitor
let page: Page
beforeEach(async () => {
  shop = await fixtureShop(assets)
  visit = await aVisitor(browser)
  page = visit.page
})
afterEach(async () => {
  await visit[Symbol.asyncDispose]()
  await shop.close()
})

const html = (element: ReactElement, scope = '') =>
  renderToString(<IslandRenderProvider scope={scope}>{element}</IslandRenderProvider>)

async function open(element: ReactElement): Promise<void> {
  await page.clock.install()
  shop.page('/', pageHtml({ body: html(element), entry: 'islands-entry.js' }))
  shop.page('/posted/', '<!doctype html><title>Posted</title>')
  await page.goto(shop.url)
  await page.waitForFunction(() => customElements.get('vitrine-island') !== undefined)
}

const eventually = <Value,>(read: () => Promise<Value> | Value) => expect.poll(read, { timeout: 5000 })
const awake = () => page.locator('vitrine-island').evaluateAll((all) => all.map((it) => Reflect.get(it, 'live')))
const replace = (selector: string, markup: string) =>
  page.evaluate(
    async ([selector, markup]) => {
      const target = document.querySelector(selector ?? '')
      await Reflect.get(window, 'replaceMarkup')(target, markup)
    },
    [selector, markup],
  )
const hasReact = () =>
  page.evaluate(() => performance.getEntriesByType('resource').some((it) => it.name.includes('island-root')))

describe('waking', () => {
  it('when loaded: at once', async () => {
    await open(<Island name="counter" when="load" component={Counter} props={{ label: 'A' }} />)
    await eventually(awake).toEqual([true])
    await page.getByRole('button').click()
    await eventually(() => page.getByRole('button').textContent()).toBe('A: 0 + 1')
    expect(visit.errors).toEqual([])
  })

  it('when idle: soon, by itself', async () => {
    await open(<Island name="counter" when="idle" component={Counter} props={{ label: 'A' }} />)
    await eventually(awake).toEqual([true])
  })

  it('when visible: not before it is seen', async () => {
    await open(
      <>
        <svg height="3000" width="10" aria-hidden="true" />
        <Island name="counter" when="visible" component={Counter} props={{ label: 'A' }} />
      </>,
    )
    await passTime(page, 1000)
    expect(await awake()).toEqual([false])
    expect(await hasReact()).toBe(false)
    await page.getByRole('button').scrollIntoViewIfNeeded()
    await eventually(awake).toEqual([true])
  })

  it('at a sign of presence: neither before a person moves nor before it is seen', async () => {
    await pointerAtRest(page)
    await open(
      <>
        <Island name="counter" when="presence" component={Counter} props={{ label: 'A' }} />
        <svg height="3000" width="10" aria-hidden="true" />
        <Island name="counter" when="presence" component={Counter} props={{ label: 'B' }} />
      </>,
    )
    await passTime(page, 1000)
    expect(await awake()).toEqual([false, false])
    expect(await hasReact()).toBe(false)
    await page.mouse.move(300, 300)
    await eventually(awake).toEqual([true, false])
    await page.getByRole('button', { name: 'B' }).scrollIntoViewIfNeeded()
    await eventually(awake).toEqual([true, true])
    expect(visit.errors).toEqual([])
  })

  it('at a sign of presence: what leaves the page before the sign never wakes', async () => {
    await pointerAtRest(page)
    await open(<Island name="counter" when="presence" component={Counter} props={{ label: 'A' }} />)
    await page.locator('vitrine-island').evaluate((island) => island.remove())
    await page.mouse.move(300, 300)
    await passTime(page, 1000)
    expect(await hasReact()).toBe(false)
  })

  it('on interaction: React is not loaded before, and the press that wakes it counts', async () => {
    await open(<Island name="counter" when="interaction" component={Counter} props={{ label: 'A' }} />)
    await passTime(page, 1000)
    expect(await hasReact()).toBe(false)
    await page.getByRole('button').click()
    await eventually(() => page.getByRole('button').textContent()).toBe('A: 0 + 1')
  })

  it('every press while it wakes counts, in order', async () => {
    await open(<Island name="counter" when="interaction" component={Counter} props={{ label: 'A' }} />)
    await page.getByRole('button').evaluate((button: HTMLElement) => {
      for (let press = 0; press < 3; press += 1) button.click()
    })
    await eventually(() => page.getByRole('button').textContent()).toBe('A: 0 + 3')
  })

  it('what was typed and ticked before is kept, and React learns of it', async () => {
    await open(<Island name="mirror" when="interaction" component={Mirror} props={{ initial: 'server' }} />)
    const text = page.getByLabel('Text')
    await page.evaluate(() => {
      const [text, tick] = document.querySelectorAll('input')
      if (text) text.value = 'typed'
      if (tick) tick.checked = true
      text?.focus()
      text?.setSelectionRange(2, 2)
    })
    await eventually(() => page.locator('output').textContent()).toBe('knows typed, ticked; ')
    expect(await text.inputValue()).toBe('typed')
    expect(await text.evaluate((it: HTMLInputElement) => it.selectionStart)).toBe(2)
    await page.keyboard.type('!')
    await eventually(() => page.locator('output').textContent()).toBe('knows ty!ped, ticked; ')
    expect(visit.errors).toEqual([])
  })

  it('a submit waits for the island and is its own then', async () => {
    await open(<Island name="mirror" when="interaction" component={Mirror} props={{ initial: 'server' }} />)
    await page.getByRole('button', { name: 'Send' }).dblclick()
    await eventually(() => page.locator('output').textContent()).toBe('knows server, unticked; sent server')
    expect(shop.seen.filter((it) => it.path.startsWith('/posted/'))).toEqual([])
  })

  it('Enter in a field that nobody has touched before is a submit like any other', async () => {
    await open(<Island name="mirror" when="interaction" component={Mirror} props={{ initial: 'server' }} />)
    await page.getByLabel('Text').evaluate((field) => field.closest('form')?.requestSubmit())
    await eventually(() => page.locator('output').textContent()).toContain('sent server')
  })
})

describe('ids', () => {
  function Frame() {
    return (
      <main data-frame={useId()}>
        {['A', 'B', 'C'].map((label) => (
          <Island key={label} name="counter" when="load" component={Counter} props={{ label }} />
        ))}
      </main>
    )
  }

  it('agree between server and browser for several islands, and differ from each other', async () => {
    await open(<Frame />)
    await eventually(awake).toEqual([true, true, true])
    const ids = await page.locator('input').evaluateAll((all) => all.map((it) => it.id))
    expect(new Set(ids).size).toBe(3)
    await page.getByLabel('B note').fill('found by its label')
    expect(visit.errors).toEqual([])
  })

  it('of parts that were rendered apart do not meet when their scopes differ', () => {
    const one = <Island name="counter" when="load" component={Counter} props={{ label: 'A' }} />
    const id = (scope: string) => html(one, scope).match(/ id="([^"]+)"/)?.[1]
    expect(id('page-')).not.toBe(id('mini-cart-'))
  })

  it('need a provider on the server, and its absence is named', () => {
    expect(() =>
      renderToString(<Island name="counter" when="load" component={Counter} props={{ label: 'A' }} />),
    ).toThrow('the island counter needs an IslandRenderProvider above it')
  })
})

describe('replaced markup', () => {
  const counter = (label: string, start: number) => (
    <Island name="counter" when="load" component={Counter} props={{ label, start }} />
  )
  const box = (...children: ReactElement[]) => html(<div className="box">{children.map((it) => it)}</div>, 'answer-')

  it('gives an island that stays new props and leaves its state, focus and typed text', async () => {
    await open(<div className="box">{counter('A', 0)}</div>)
    await eventually(awake).toEqual([true])
    await page.getByRole('button').click()
    await page.getByLabel('A note').fill('typing')
    await page.evaluate(() => document.querySelector('input')?.setSelectionRange(3, 3))
    await replace('.box', box(counter('A', 10)))
    await eventually(() => page.getByRole('button').textContent()).toBe('A: 10 + 1')
    const field = page.getByLabel('A note')
    expect(await field.inputValue()).toBe('typing')
    expect(await field.evaluate((it: HTMLInputElement) => [document.activeElement === it, it.selectionStart])).toEqual([
      true,
      3,
    ])
    expect(visit.errors).toEqual([])
  })

  it('wakes an island that arrives and ends one that leaves', async () => {
    await open(<div className="box">{counter('A', 0)}</div>)
    await eventually(awake).toEqual([true])
    const first = await page.locator('vitrine-island').elementHandle()
    await replace(
      '.box',
      html(
        <div className="box">
          <Island name="mirror" when="load" component={Mirror} props={{ initial: 'new' }} />
        </div>,
        'answer-',
      ),
    )
    await eventually(() => page.locator('output').textContent()).toContain('knows new')
    await page.getByLabel('Text').fill('works')
    await eventually(() => page.locator('output').textContent()).toContain('knows works')
    const second = await page.locator('vitrine-island').elementHandle()
    await replace('.box', '<div class="box"><p>none</p></div>')
    for (const island of [first, second])
      await eventually(() => island?.evaluate((it) => Reflect.get(it, 'live'))).toBe(false)
    expect(await second?.evaluate((it) => it.childNodes.length)).toBe(0)
    expect(visit.errors).toEqual([])
  })

  it('keeps each of several islands when one before them goes', async () => {
    await open(
      <div className="box">
        {counter('A', 0)}
        {counter('B', 0)}
      </div>,
    )
    await eventually(awake).toEqual([true, true])
    await page.getByRole('button', { name: 'B' }).click()
    await replace(
      '.box',
      html(
        <div className="box">
          <p>new</p>
          {counter('A', 1)}
          <p>between</p>
          {counter('B', 2)}
        </div>,
        'answer-',
      ),
    )
    await eventually(() => page.getByRole('button').allTextContents()).toEqual(['A: 1 + 0', 'B: 2 + 1'])
    expect(visit.errors).toEqual([])
  })

  it('is left alone inside an island, which follows its props only', async () => {
    await open(<Island name="counter" when="load" component={Counter} props={{ label: 'A' }} />)
    await eventually(awake).toEqual([true])
    await replace('form', '<form>intruder</form>')
    expect(await page.getByRole('button').textContent()).toBe('A: 0 + 0')
  })

  it('does not end an island that a script moves', async () => {
    await open(
      <div className="box">
        {counter('A', 0)}
        <footer />
      </div>,
    )
    await eventually(awake).toEqual([true])
    await page.getByRole('button').click()
    await page.evaluate(() => document.querySelector('footer')?.append(document.querySelector('vitrine-island') ?? ''))
    await page.getByRole('button').click()
    await eventually(() => page.getByRole('button').textContent()).toBe('A: 0 + 2')
    expect(visit.errors).toEqual([])
  })
})

describe('islands inside islands', () => {
  it('sleep and wake by themselves, and take new props from the outer one with their state', async () => {
    await open(<Island name="outer" when="load" component={Outer} props={{ title: 'Out' }} />)
    await eventually(awake).toEqual([true, false])
    const [outer, inner] = [page.getByRole('button', { name: /^Out/ }), page.getByRole('button', { name: /^Inner/ })]
    await outer.click()
    await inner.click()
    await eventually(() => inner.textContent()).toBe('Inner of Out: 1 + 1')
    await outer.click()
    await eventually(() => inner.textContent()).toBe('Inner of Out: 2 + 1')
    expect(visit.errors).toEqual([])
  })

  it('a press wakes the outer one, then the inner one, and counts', async () => {
    await open(<Island name="outer" when="interaction" component={Outer} props={{ title: 'Out' }} />)
    await page.getByRole('button', { name: /^Inner/ }).click()
    await eventually(() => page.getByRole('button', { name: /^Inner/ }).textContent()).toBe('Inner of Out: 0 + 1')
    expect(await awake()).toEqual([true, true])
    expect(visit.errors).toEqual([])
  })
})

describe('failure', () => {
  it('of one island leaves its markup, and the others work', async () => {
    await open(
      <>
        <Island name="fragile" when="load" component={Fragile} props={{ broken: true }} />
        <Island name="counter" when="load" component={Counter} props={{ label: 'A' }} />
      </>,
    )
    await eventually(awake).toEqual([false, true])
    await page.getByRole('button', { name: 'A:' }).click()
    await eventually(() => page.getByRole('button', { name: 'A:' }).textContent()).toBe('A: 0 + 1')
    expect(visit.errors.filter((it) => it.includes('the island fragile stopped'))).toHaveLength(1)
    await page.getByRole('button', { name: 'Post plainly' }).click()
    await page.waitForURL('**/posted/?plain=kept')
  })

  it('later on brings the markup of the server back', async () => {
    await open(<Island name="fragile" when="load" component={Fragile} props={{ broken: false }} />)
    await eventually(awake).toEqual([true])
    await page.getByRole('button', { name: 'Break' }).click()
    await eventually(awake).toEqual([false])
    await page.getByRole('button', { name: 'Post plainly' }).click()
    await page.waitForURL('**/posted/?plain=kept')
  })

  it('F21 to load lets a held press through to the plain form', async () => {
    shop.breakAssets('lost-island')
    await open(<Island name="lost" when="interaction" component={Lost} props={{}} />)
    await page.getByLabel('Lost text').fill('mine')
    await page.getByRole('button', { name: 'Post lost' }).click()
    await page.waitForURL('**/posted/?lost=mine')
  })

  it('of an island that nobody registered is said once', async () => {
    await open(<Island name="unknown" when="load" component={Counter} props={{ label: 'A' }} />)
    await eventually(() => visit.errors.length).toBe(1)
    expect(visit.errors[0]).toContain('no island is called unknown')
    expect(await page.getByRole('button').textContent()).toBe('A: 0 + 0')
  })
})
