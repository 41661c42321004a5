import { describe, expect, it } from 'vitest'
import { violations } from '#tests/support/browser/axe.ts'
import { eventually } from '#tests/support/browser-modules/scene.ts'
import { aSelectPage, form, fruit, someSelect } from '#tests/support/browser-modules/select-page.tsx'

const { scene, start, country, field, options, message, texts, highlighted, value, isOpen, hasFocus } = aSelectPage()

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
    expect(await options().first().getAttribute('aria-setsize')).toBe('249')
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
