import { expect, it } from 'vitest'
import { passTime } from '#tests/support/browser/page-time.ts'
import { printedAddressSettings } from '#tests/support/browser-modules/address-page.tsx'
import { eventually } from '#tests/support/browser-modules/scene.ts'
import { aSelectPage, fruit, someSelect } from '#tests/support/browser-modules/select-page.tsx'

const { scene, start, country, field, value, hasFocus } = aSelectPage()

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
