import { describe, expect, it } from 'vitest'
import { aSelectPage, fruit, someSelect } from '#tests/support/browser-modules/select-page.tsx'

const { scene, start, country, field, options, message, texts, isOpen } = aSelectPage()

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
