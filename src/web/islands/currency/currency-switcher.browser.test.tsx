import { expect, it } from 'vitest'
import { expectEqualMarkup, openComponent } from '#tests/support/browser-modules/component.ts'
import { aScene, eventually } from '#tests/support/browser-modules/scene.ts'
import { Island } from '../island.tsx'
import { CurrencySwitcher, type CurrencySwitcherProps } from './currency-switcher.tsx'

const scene = aScene()

const props: CurrencySwitcherProps = {
  className: 'currency-switcher',
  action: '/currency/',
  options: [
    { code: 'USD', name: 'US Dollar', symbol: '$', flag: [['M0 0h21v14H0Z', '#fff']] },
    { code: 'EUR', name: 'Euro', symbol: '€' },
    { code: 'CHF', name: 'Swiss Franc' },
    { code: 'SEK', name: 'Swedish Krona' },
  ],
  present: 'USD',
  own: 'USD',
  byCountry: false,
  label: 'Currency',
}

const open = () =>
  openComponent(
    scene,
    <Island name="currency-switcher" when="interaction" component={CurrencySwitcher} props={props} />,
    { body: '<a href="/elsewhere/">Elsewhere</a>' },
  )
const summary = () => scene.page.locator('summary')
const isOpen = () => scene.page.locator('details[open]').count()
const focused = () =>
  scene.page.evaluate(
    () => (document.activeElement as HTMLButtonElement | null)?.value ?? document.activeElement?.localName,
  )

it('CUR-01 is the same on the server and in the browser', async () => {
  await open()
  await expectEqualMarkup(scene, 'currency-switcher')
})

it('CUR-01 CUR-06 the press that wakes it opens it, and then it is a listbox with the shown currency in focus', async () => {
  await open()
  expect(await scene.page.getByRole('listbox').count()).toBe(0)
  await summary().click()
  expect(await isOpen()).toBe(1)
  await eventually(focused).toBe('USD')
  const { page } = scene
  expect(await page.getByRole('listbox', { name: 'Currency' }).getByRole('option').count()).toBe(4)
  expect(await page.getByRole('option', { selected: true }).getAttribute('value')).toBe('USD')
  expect(scene.errors).toEqual([])
})

it('CUR-06 the key that wakes it opens it, and a letter leads from name to name', async () => {
  await open()
  const { page } = scene
  await summary().press('ArrowDown')
  await eventually(focused).toBe('USD')
  for (const [keys, code] of [
    ['s', 'CHF'],
    ['s', 'SEK'],
  ] as const) {
    await page.keyboard.type(keys)
    expect(await focused()).toBe(code)
  }
  await page.keyboard.press('Alt+ArrowUp')
  expect([await isOpen(), await focused()]).toEqual([0, 'summary'])
})

it('CUR-01 opens, and sends its form, although its script cannot be loaded', async () => {
  await open()
  const { page, shop } = scene
  shop.breakAssets('currency-switcher')
  shop.page('/currency/', '<!doctype html><title>Chosen</title>')
  await summary().click()
  expect(await isOpen()).toBe(1)
  await page.getByRole('button', { name: 'Euro' }).click()
  await page.waitForURL('**/currency/')
  expect(shop.seen.at(-1)?.body.get('currency')).toBe('EUR')
})
