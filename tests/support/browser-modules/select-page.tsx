import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { aShop } from '#tests/support/shared/page-fixtures.ts'
import { renderPart } from '#web/pages/shared/render.tsx'
import { AddressFields, printedAddressSettings } from './address-page.tsx'
import type { PageParts } from './fixture-shop.ts'
import { aScene } from './scene.ts'

const styles = readFileSync(resolve(import.meta.dirname, '../../../src/web/styles/base/select.css'), 'utf8')

/** An address form with its country and state. */
export const form = `<main><h1>Address</h1><form>${renderPart(aShop(), <AddressFields kind="billing" />)}</form></main>`
export const someSelect = (attributes: string, options = '') =>
  `<p class="form-row"><label for="fruit">Fruit</label><select id="fruit" name="fruit" class="country_to_state country_select" ${attributes}>${options}</select></p>`
/** Options of a select; the second is disabled. */
export const fruit = ['Apple', 'Banana', 'Cherry', 'Damson']
  .map((name, index) => `<option value="${name[0]}"${index === 1 ? ' disabled' : ''}>${name}</option>`)
  .join('')

/** A scene that serves pages with searchable selects. Its functions read the first select of the page. */
export function aSelectPage() {
  const scene = aScene()
  const country = () => scene.page.locator('span.select2-selection[role=combobox]').first()
  const field = () => scene.page.locator('.select2-search__field')
  const open = async (body = form, parts: Partial<PageParts> = {}) => {
    scene.shop.at('/select.css', () => ({ body: styles, headers: { 'Content-Type': 'text/css' } }))
    const link = '<link rel="stylesheet" href="/select.css">'
    await scene.open({ body: `${link}${body}`, settings: printedAddressSettings, ...parts })
    await scene.page.waitForSelector('.select2-container')
  }
  /** Loads the code of the list, as a pointer on its way to the select does. */
  const comeNear = async () => {
    await country().hover()
    await scene.page.waitForFunction(`(async () => {
      const loaded = performance.getEntriesByType('resource').find(({ name }) => name.includes('mount-dropdown'))
      return loaded && import(loaded.name)
    })()`)
  }
  return {
    scene,
    country,
    field,
    comeNear,
    /** Opens the page; nobody comes near the select yet. */
    open,
    start: async (body = form, parts: Partial<PageParts> = {}) => {
      await open(body, parts)
      await comeNear()
    },
    options: () => scene.page.getByRole('option'),
    message: () => scene.page.locator('.select2-results__message').innerText(),
    texts: () =>
      scene.page.locator('.select2-results__option').evaluateAll((all) => all.map((it) => it.textContent ?? '')),
    highlighted: () => scene.page.locator('.select2-results__option--highlighted').textContent(),
    value: (id = 'billing_country') => scene.page.locator(`#${id}`).inputValue(),
    isOpen: async () => (await field().count()) === 1,
    hasFocus: () => country().evaluate((it) => it === document.activeElement),
  }
}
