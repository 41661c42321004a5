import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { violations } from '#tests/support/browser/axe.ts'
import { passTime, settled } from '#tests/support/browser/page-time.ts'
import { AddressFields, printedAddressSettings } from '#tests/support/browser-modules/address-page.tsx'
import type { PageParts } from '#tests/support/browser-modules/fixture-shop.ts'
import { aScene, eventually } from '#tests/support/browser-modules/scene.ts'
import { aShop } from '#tests/support/shared/page-fixtures.ts'
import { renderPart } from '../../../../pages/shared/render.tsx'

const scene = aScene()
const styles = readFileSync(resolve(import.meta.dirname, '../../../../styles/base/select.css'), 'utf8')

const form = `<main><h1>Address</h1><form>${renderPart(aShop(), <AddressFields kind="billing" />)}</form></main>`
const someSelect = (attributes: string, options = '') =>
  `<p class="form-row"><label for="fruit">Fruit</label><select id="fruit" name="fruit" class="country_to_state country_select" ${attributes}>${options}</select></p>`
const fruit = ['Apple', 'Banana', 'Cherry', 'Damson']
  .map((name, index) => `<option value="${name[0]}"${index === 1 ? ' disabled' : ''}>${name}</option>`)
  .join('')

const start = async (body = form, parts: Partial<PageParts> = {}) => {
  scene.shop.at('/select.css', () => ({ body: styles, headers: { 'Content-Type': 'text/css' } }))
  const link = '<link rel="stylesheet" href="/select.css">'
  await scene.open({ body: `${link}${body}`, settings: printedAddressSettings, ...parts })
  await scene.page.waitForSelector('.select2-container')
}
const country = () => scene.page.locator('span.select2-selection[role=combobox]').first()
const field = () => scene.page.locator('.select2-search__field')
const options = () => scene.page.getByRole('option')
const message = () => scene.page.locator('.select2-results__message').innerText()
const texts = () =>
  scene.page.locator('.select2-results__option').evaluateAll((all) => all.map((it) => it.textContent ?? ''))
const highlighted = () => scene.page.locator('.select2-results__option--highlighted').textContent()
const value = (id = 'billing_country') => scene.page.locator(`#${id}`).inputValue()
const isOpen = async () => (await field().count()) === 1
const hasFocus = () => country().evaluate((it) => it === document.activeElement)
/** Records events of the select with their data. */
const listen = (names: readonly string[]) =>
  scene.page.evaluate((names) => {
    const told: string[] = []
    Object.assign(window, { told })
    const jQuery = Reflect.get(window, 'jQuery')
    const select = document.querySelector('select')
    for (const name of names) {
      const note = (event: Event) => {
        const about = Reflect.get(event, 'params') ?? (event as CustomEvent).detail?.params
        told.push([name, about?.data?.text].filter(Boolean).join(' '))
      }
      if (jQuery) jQuery(select).on(name, note)
      else select?.addEventListener(name, note)
    }
  }, names)
const told = () => scene.page.evaluate(() => Reflect.get(window, 'told'))

describe('the searchable select', () => {
  it('SEL-01 finds by any part of a name, whatever the case and the accents', async () => {
    await start()
    await country().click()
    expect(await field().evaluate((it) => it === document.activeElement)).toBe(true)
    expect(await highlighted()).toBe('United States')
    await field().fill('COTE')
    expect(await texts()).toEqual(['Côte d’Ivoire'])
    await field().fill('ger')
    expect(await texts()).toEqual(['Algeria', 'Germany', 'Niger', 'Nigeria'])
    // The first match by prefix is highlighted.
    expect(await highlighted()).toBe('Germany')
    expect(await scene.page.locator('[role=status].select2-results__message').textContent()).toBe('4 results')
    await field().press('Enter')
    expect([await value(), await country().innerText(), await isOpen(), await hasFocus()]).toEqual([
      'DE',
      'Germany',
      false,
      true,
    ])
    expect(scene.errors).toEqual([])
  })

  it('SEL-01 says that nothing was found', async () => {
    await start()
    await country().click()
    await field().fill('atlantis')
    expect([await options().count(), await message()]).toEqual([0, 'No results found'])
    await field().press('Enter')
    expect([await value(), await isOpen()]).toEqual(['US', true])
    await field().fill('')
    expect(await options().count()).toBe(249)
  })

  it('SEL-01 is worked by keyboard', async () => {
    await start(someSelect('', fruit))
    for (const key of ['Enter', 'Space', 'Alt+ArrowDown', 'ArrowDown']) {
      await country().press(key)
      expect(await isOpen()).toBe(true)
      await field().press('Escape')
      expect([await isOpen(), await hasFocus()]).toEqual([false, true])
    }
    await country().press('Enter')
    await field().press('ArrowUp')
    expect(await highlighted()).toBe('Apple')
    await field().press('ArrowDown')
    expect(await highlighted()).toBe('Cherry')
    await field().press('ArrowDown')
    await field().press('ArrowDown')
    expect(await highlighted()).toBe('Damson')
    await field().press('Control+Space')
    expect([await value('fruit'), await isOpen()]).toEqual(['D', true])
    await field().press('Alt+ArrowUp')
    expect([await isOpen(), await hasFocus()]).toEqual([false, true])

    await country().press('c')
    expect([await field().inputValue(), await texts()]).toEqual(['c', ['Cherry']])
    await field().press('Tab')
    expect([await isOpen(), await value('fruit')]).toEqual([false, 'D'])
    expect(scene.errors).toEqual([])
  })

  it('leads on with Tab from where it stands', async () => {
    await start()
    await country().press('Enter')
    await field().press('Tab')
    expect(await scene.page.evaluate(() => document.activeElement?.id)).toBe('billing_address_1')
    await scene.page.keyboard.press('Shift+Tab')
    expect(await hasFocus()).toBe(true)
  })

  it('is closed by a press elsewhere, and opened by its label', async () => {
    await start()
    await country().click()
    await scene.page.getByRole('heading', { name: 'Address' }).click()
    expect(await isOpen()).toBe(false)
    await scene.page.getByText('Country / Region *').click()
    expect(await hasFocus()).toBe(true)
  })

  it('chooses by mouse what is under it, and nothing that is disabled', async () => {
    await start(someSelect('', fruit))
    await country().click()
    await options().filter({ hasText: 'Banana' }).click({ force: true })
    expect([await value('fruit'), await isOpen()]).toEqual(['A', true])
    await options().filter({ hasText: 'Cherry' }).hover()
    expect(await highlighted()).toBe('Cherry')
    await options().filter({ hasText: 'Cherry' }).click()
    expect([await value('fruit'), await isOpen(), await country().innerText()]).toEqual(['C', false, 'Cherry'])
  })

  it('clears a choice where that is allowed', async () => {
    await start(
      someSelect('data-allow-clear="true" data-placeholder="Any fruit"', `<option value=""></option>${fruit}`),
    )
    await listen(['select2:unselecting', 'select2:unselect', 'select2:clear', 'change'])
    expect(await country().innerText()).toBe('Any fruit')
    await country().press('d')
    await field().press('Enter')
    await country().press('Delete')
    expect([await value('fruit'), await country().innerText(), await isOpen()]).toEqual(['', 'Any fruit', false])
    expect(await told()).toEqual([
      'change',
      'select2:unselecting Damson',
      'change',
      'select2:unselect Damson',
      'select2:clear',
    ])
  })

  it.each([false, true])('tells what happens, and heeds who does not want it (jQuery: %s)', async (jQuery) => {
    await start(someSelect('', fruit), { jQuery })
    const names = ['opening', 'open', 'closing', 'close', 'selecting', 'select'].map((name) => `select2:${name}`)
    await listen([...names, 'change'])
    await country().click()
    await options().filter({ hasText: 'Damson' }).click()
    expect(await told()).toEqual([
      'select2:opening',
      'select2:open',
      'select2:selecting Damson',
      'change',
      'select2:select Damson',
      'select2:closing',
      'select2:close',
    ])
    await scene.page.evaluate(() => {
      const veto = (event: Event) => event.preventDefault()
      const jQuery = Reflect.get(window, 'jQuery')
      const select = document.querySelector('select')
      for (const name of ['select2:selecting', 'select2:opening'])
        if (jQuery) jQuery(select).on(name, veto)
        else select?.addEventListener(name, veto)
    })
    await country().click()
    expect(await isOpen()).toBe(false)
    expect(scene.errors).toEqual([])
  })

  it('shows what scripts choose, and what the checks of the form say of it', async () => {
    await start()
    const select = scene.page.locator('#billing_country')
    await select.evaluate((it: HTMLSelectElement) => {
      it.value = 'AT'
      it.dispatchEvent(new Event('change', { bubbles: true }))
      it.setAttribute('aria-invalid', 'true')
    })
    await eventually(() => country().innerText()).toBe('Austria')
    await eventually(() => country().getAttribute('aria-invalid')).toBe('true')
    await select.evaluate((it: HTMLSelectElement) => it.focus())
    expect(await hasFocus()).toBe(true)
    await select.evaluate((it: HTMLSelectElement) => {
      it.disabled = true
    })
    await eventually(() => country().getAttribute('aria-disabled')).toBe('true')
    await country().click({ force: true })
    expect(await isOpen()).toBe(false)
  })

  it('wears the classes that themes know', async () => {
    await start()
    expect(await scene.page.locator('#billing_country').getAttribute('class')).toContain('select2-hidden-accessible')
    await country().click()
    for (const selector of [
      'select#billing_country + .select2-container.select2-container--default.select2-container--open.select2-container--focus.select2-container--below',
      '.select2-container .select2-selection.select2-selection--single > .select2-selection__rendered',
      '.select2-selection > .select2-selection__arrow',
      '.select2-container .select2-dropdown .select2-search__field',
      '.select2-dropdown ul.select2-results__options[role=listbox] > li.select2-results__option[role=option]',
      '.select2-results__option--highlighted[aria-selected=true][data-selected=true]',
    ])
      expect([selector, await scene.page.locator(selector).count()]).not.toEqual([selector, 0])
    expect(await country().getAttribute('aria-expanded')).toBe('true')
    const active = await field().getAttribute('aria-activedescendant')
    expect(await scene.page.locator(`[id="${active}"]`).textContent()).toBe('United States')
  })

  it('opens upwards where it fits there only, and at the top of the screen where it fits nowhere', async () => {
    await start(`<p class="woocommerce-info" id="room"></p>${form}`)
    const roomAbove = (px: number) =>
      scene.page.locator('#room').evaluate((it, px) => it.style.setProperty('height', `${px}px`), px)
    const box = async () => (await country().boundingBox()) ?? { y: 0, height: 0 }
    await roomAbove(400)
    const { y, height } = await box()
    await scene.page.setViewportSize({ width: 1280, height: Math.round(y + height + 20) })
    await country().click()
    expect(await scene.page.locator('.select2-container--open').getAttribute('class')).toContain('--above')
    expect((await field().boundingBox())?.y).toBeLessThan((await box()).y)
    await field().press('Escape')

    await roomAbove(0)
    await scene.page.setViewportSize({ width: 1280, height: 260 })
    await scene.page.locator('.form-row').last().scrollIntoViewIfNeeded()
    await country().click()
    expect(await scene.page.locator('.select2-container--open').getAttribute('class')).toContain('--below')
    expect((await scene.page.locator('#billing_country_field').boundingBox())?.y).toBeCloseTo(0, 0)
  })

  it('has a list of 249 countries ready within a frame or three', async () => {
    await start()
    const ms = await country().evaluate((it: HTMLElement) => {
      const began = performance.now()
      it.click()
      const open = performance.now()
      const field = document.querySelector<HTMLInputElement>('.select2-search__field')
      if (field) field.value = 'an'
      field?.dispatchEvent(new Event('input'))
      return [open - began, performance.now() - open]
    })
    expect(Math.max(...ms)).toBeLessThan(250)
  })

  it('SEL-01 is without fault for axe, closed, open and empty', async () => {
    await start()
    expect(await violations(scene.page)).toEqual([])
    await country().click()
    expect(await violations(scene.page)).toEqual([])
    await field().fill('zzz')
    expect(await violations(scene.page)).toEqual([])
    await expect(country().getAttribute('aria-labelledby')).resolves.toBe('select2-billing_country-container-label')
    expect(await scene.page.getByRole('combobox', { name: 'Country / Region' }).count()).toBe(2)
  })
})

describe('how much is typed or chosen', () => {
  it('SEL-01 says how many letters are missing or too many', async () => {
    await start(someSelect('data-minimum-input-length="3" data-maximum-input-length="4"', fruit))
    await country().click()
    expect(await message()).toBe('Please enter 3 or more characters')
    await field().fill('da')
    expect(await message()).toBe('Please enter 1 or more characters')
    await field().fill('dam')
    expect(await texts()).toEqual(['Damson'])
    await field().fill('damson')
    expect(await message()).toBe('Please delete 2 characters')
    await field().fill('damso')
    expect(await message()).toBe('Please delete 1 character')
  })

  it('SEL-01 says how many may be chosen, and lets them be given up', async () => {
    await start(someSelect('multiple data-maximum-selection-length="2"', fruit))
    const chosen = () =>
      scene.page
        .locator('#fruit')
        .evaluate((it) => [...(it as HTMLSelectElement).selectedOptions].map(({ text }) => text))
    await country().click()
    await options()
      .filter({ hasText: 'Apple' })
      .click({ modifiers: ['Control'] })
    expect(await message()).toBe('')
    await options()
      .filter({ hasText: 'Cherry' })
      .click({ modifiers: ['Control'] })
    expect(await message()).toBe('You can only select 2 items')
    await options()
      .filter({ hasText: 'Damson' })
      .click({ modifiers: ['Control'] })
    expect(await chosen()).toEqual(['Apple', 'Cherry'])
    await options()
      .filter({ hasText: 'Apple' })
      .click({ modifiers: ['Control'] })
    await options().filter({ hasText: 'Damson' }).click()
    expect([await chosen(), await country().innerText(), await isOpen()]).toEqual([
      ['Cherry', 'Damson'],
      'Cherry, Damson',
      false,
    ])
  })

  it('the words of the shop go before the library’s', async () => {
    await start(someSelect('', fruit), {
      settings: { wc_country_select_params: { i18n_no_matches: 'No matches found', i18n_results_1: 'One' } },
    })
    await country().click()
    await field().fill('x')
    expect(await message()).toBe('No matches found')
    await field().fill('app')
    expect(await scene.page.locator('[role=status]').first().textContent()).toBe('One')
  })
})

describe('options from an address', () => {
  const remote = () => someSelect(`data-ajax--url="/fruit?shelf=2" data-placeholder="Any fruit"`)
  const asked = () =>
    scene.shop.seen.filter(({ path }) => path.startsWith('/fruit')).map(({ path }) => path.split('?')[1])

  it('SEL-02 are asked for by q and page, page by page as one scrolls, and chosen into the select', async () => {
    scene.shop.at('/fruit', ({ path }) => {
      const query = new URLSearchParams(path.split('?')[1])
      const page = Number(query.get('page') ?? '1')
      const results = Array.from({ length: 30 }, (_, index) => {
        const id = (page - 1) * 30 + index + 1
        return { id, text: `${query.get('q') || 'Fruit'} ${id}` }
      })
      return { json: { results, pagination: { more: page < 3 } } }
    })
    await start(remote())
    await country().click()
    await eventually(() => options().count()).toBe(30)
    await field().fill('fig')
    await eventually(async () => (await texts())[0]).toBe('fig 1')
    for (const count of [60, 90]) {
      await scene.page.locator('.select2-results__options').evaluate((it) => it.scrollTo(0, it.scrollHeight))
      await eventually(() => options().count()).toBe(count)
    }
    await scene.page.locator('.select2-results__options').evaluate((it) => it.scrollTo(0, it.scrollHeight))
    expect(asked()).toEqual([
      'shelf=2&term=&q=&_type=query',
      'shelf=2&term=fig&q=fig&_type=query',
      'shelf=2&term=fig&q=fig&_type=query%3Aappend&page=2',
      'shelf=2&term=fig&q=fig&_type=query%3Aappend&page=3',
    ])
    await options().filter({ hasText: 'fig 61' }).click()
    expect([await value('fruit'), await country().innerText()]).toEqual(['61', 'fig 61'])
    expect(scene.errors).toEqual([])
  })

  it('SEL-01 SEL-02 says that it searches, that more comes, and that it failed', async () => {
    let answer: (reply: object) => void = () => {}
    scene.shop.at(
      '/fruit',
      () =>
        new Promise((done) => {
          answer = done
        }),
    )
    await start(remote())
    await country().click()
    expect(await message()).toBe('Searching…')
    const results = Array.from({ length: 20 }, (_, id) => ({ id: id + 1, text: `Fig ${id}` }))
    await eventually(() => asked().length).toBe(1)
    answer({ json: { results, pagination: { more: true } } })
    await eventually(() => options().count()).toBe(20)
    await scene.page.locator('.select2-results__options').evaluate((it) => it.scrollTo(0, it.scrollHeight))
    await eventually(message).toBe('Loading more results…')
    await eventually(() => asked().length).toBe(2)
    answer({ json: { results: [], pagination: { more: false } } })
    await eventually(message).toBe('')
    await field().fill('x')
    await eventually(() => asked().length).toBe(3)
    answer({ status: 500, body: 'out of order' })
    await eventually(message).toBe('The results could not be loaded.')
  })

  it('SEL-02 an answer to what is no longer asked is not shown', async () => {
    let answerSlow = () => {}
    scene.shop.at('/fruit', async ({ path }) => {
      const term = new URLSearchParams(path.split('?')[1]).get('q') ?? ''
      if (term === 'slow')
        await new Promise<void>((done) => {
          answerSlow = done
        })
      return { json: { results: [{ id: term || 'all', text: `${term} one` }] } }
    })
    await start(remote())
    await country().click()
    await field().fill('slow')
    await field().fill('quick')
    await eventually(texts).toEqual(['quick one'])
    answerSlow()
    await settled(scene.page)
    expect(await texts()).toEqual(['quick one'])
  })
})

it('follows the state field as it comes and goes', async () => {
  await start()
  const boxes = () =>
    scene.page
      .locator('.select2-container')
      .evaluateAll((all) => all.map((it) => it.previousElementSibling?.id).filter(Boolean))
  expect(await boxes()).toEqual(['billing_country', 'billing_state'])
  for (const [name, expected] of [
    ['Germany', ['billing_country', 'billing_state']],
    ['France', ['billing_country']],
    ['Zimbabwe', ['billing_country']],
    ['Canada', ['billing_country', 'billing_state']],
  ] as const) {
    await country().click()
    await field().fill(name)
    await field().press('Enter')
    await eventually(boxes).toEqual(expected)
    expect(await hasFocus()).toBe(true)
  }
  const state = scene.page.getByRole('combobox', { name: 'Province' })
  expect(await state.innerText()).toBe('Select an option…')
  await state.press('q')
  await scene.page.keyboard.press('Enter')
  expect(await value('billing_state')).toBe('QC')
  expect(scene.errors).toEqual([])
})

it('leaves a select alone that a theme hides, and one that somebody is in until they are out', async () => {
  await scene.page.clock.install()
  const hidden = '<select class="country_select" id="theme"><option>One</option></select>'
  scene.shop.at('/theme.css', () => ({ body: '#theme { display: none }', headers: { 'Content-Type': 'text/css' } }))
  await scene.open({
    body: `<link rel="stylesheet" href="/theme.css">${hidden}${someSelect('', fruit).replace('<select', '<select autofocus')}`,
    settings: printedAddressSettings,
  })
  const boxes = () => scene.page.locator('.select2-container').count()
  await passTime(scene.page, 2000)
  expect(await boxes()).toBe(0)
  await scene.page.locator('#fruit').blur()
  await eventually(boxes).toBe(1)
  expect(await scene.page.locator('#theme + .select2-container').count()).toBe(0)
})
