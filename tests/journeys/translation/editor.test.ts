import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { saveOriginalsForIds } from '#database/translation/translations.ts'
import { saveTranslation } from '#shop/translation/save-translation.ts'
import { aShopper } from '#tests/journeys/fixtures/shopper.ts'
import { violations } from '#tests/support/browser/axe.ts'
import { aBrowser, phone } from '#tests/support/browser.ts'
import { aCustomer, goodPassword } from '#tests/support/customers/customer.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let browser: Browser
let shop: TestShop
let mug: number
const email = 'tessa@example.test'
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([
    aBrowser(),
    aShop({ settings: { languages: [{ tag: 'de-DE' }, { tag: 'ar' }] } }),
  ])
  await aCustomer(shop, email).register()
  await shop.db.sql`update customers set role = 'translator' where email = ${email}`
  const [id] = await saveOriginalsForIds(shop.db.kysely, [{ area: 'content', text: 'Plain mug' }], new Date())
  mug = id ?? 0
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

const frame = (page: Page) => page.frameLocator('iframe.editor-frame')
const field = (page: Page) => page.getByRole('group', { name: /^Deutsch/ }).getByRole('textbox')
const rows = (page: Page) => page.getByRole('region', { name: 'Texts of this page' }).getByRole('button')

/** Logs in where the editor asks for it, and waits until the texts of the page are listed. */
async function openEditor(page: Page, path = '/product/plain-mug/') {
  await page.goto(`/translate/?language=de-DE&path=${path}`)
  await page
    .getByLabel(/username|email/i)
    .first()
    .fill(email)
  await page.locator('#password').fill(goodPassword)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL('**/translate/**')
  await page.goto(`/translate/?language=de-DE&path=${path}`)
  await page.locator('.editor-texts-here .editor-dot[data-status]').first().waitFor()
}

const seenByAnybody = async (path: string) => (await fetch(shop.url + path)).text()

describe('the editor of translations', () => {
  it('T30 hears only the shop in its frame, and the frame only the editor, each by messages of the agreed form', async () => {
    await using shopper = await aShopper(browser, shop)
    const { page, errors } = shopper
    await openEditor(page)
    const name = frame(page).locator('h1 translate-press')
    const before = await name.textContent()
    const preview = (text: string) => ({ type: 'preview', id: mug, forms: { '': text } })
    /** A message as it arrives, to the editor or to the frame, from its partner or from the window itself. */
    const arrives = (to: 'editor' | 'frame', data: unknown, from: { partner: boolean; origin?: string }) =>
      page.evaluate(
        ([side, message, partner, origin]) => {
          const inner = document.querySelector<HTMLIFrameElement>('iframe.editor-frame')?.contentWindow
          const [target, other] = side === 'editor' ? [window, inner] : [inner, window]
          target?.dispatchEvent(
            new MessageEvent('message', {
              data: message,
              origin: origin ?? location.origin,
              source: (partner ? other : target) ?? null,
            }),
          )
        },
        [to, data, from.partner, from.origin ?? null] as const,
      )

    await arrives('frame', preview('of another site'), { partner: true, origin: 'https://evil.example' })
    await arrives('frame', preview('of another window'), { partner: false })
    await arrives('frame', { ...preview('of another form'), id: '<b>' }, { partner: true })
    await arrives('frame', 'nothing', { partner: true })
    expect(await name.textContent()).toBe(before)
    await arrives('frame', preview('of the editor'), { partner: true })
    await expect.poll(() => name.textContent()).toBe('of the editor')

    const select = { type: 'select', id: mug }
    await arrives('editor', select, { partner: true, origin: 'https://evil.example' })
    await arrives('editor', select, { partner: false })
    await arrives('editor', { type: 'select', id: 'x' }, { partner: true })
    expect(await field(page).count()).toBe(0)
    await arrives('editor', select, { partner: true })
    await field(page).waitFor()
    expect(errors).toEqual([])
  })

  it('TRN-09 TRN-10 a translator clicks a name and a button in the shop, writes German, and the next visitor reads it', async () => {
    await using shopper = await aShopper(browser, shop)
    const { page, errors } = shopper
    await openEditor(page)
    const name = frame(page).locator('h1 translate-press')
    await name.click()
    await expect.poll(() => field(page).inputValue()).toBe('')
    await field(page).fill('Schlichte Tasse $& <b>')
    // Shown while it is being written, as text.
    await expect.poll(() => name.textContent()).toBe('Schlichte Tasse $& <b>')
    await page.keyboard.press('Control+s')
    await page.getByRole('status').and(page.locator('.growlUI')).filter({ hasText: 'Saved' }).waitFor()
    await expect
      .poll(() => seenByAnybody('/de/product/plain-mug/'), { timeout: 1000 })
      .toContain('Schlichte Tasse $&amp; &lt;b&gt;</h1>')

    await frame(page).locator('.single_add_to_cart_button translate-press').click()
    await expect.poll(() => field(page).inputValue()).toBe('In den Warenkorb')
    await field(page).fill('Ab in den Korb')
    // What is not saved is not left without a word.
    await name.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save them' }).click()
    await expect.poll(() => field(page).inputValue()).toBe('Schlichte Tasse $& <b>')
    await expect.poll(() => seenByAnybody('/de/product/plain-mug/')).toContain('Ab in den Korb</button>')

    await page.getByText('Earlier translations').click()
    await page.getByRole('button', { name: 'Undo the last change' }).click()
    await expect.poll(() => seenByAnybody('/de/product/plain-mug/')).toContain('>Plain mug</h1>')
    expect(errors).toEqual([])
  })

  it('TRN-09 keeps links in the editor, sells nothing, and is worked by the keyboard', async () => {
    await using shopper = await aShopper(browser, shop)
    const { page, errors } = shopper
    await openEditor(page, '/shop/')
    // By the list: find, choose with Enter, write, save and go on.
    await page.getByRole('searchbox', { name: 'Find a text on this page' }).fill('Warenkorb')
    const first = rows(page).first()
    await first.focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => first.getAttribute('aria-current')).toBe('true')
    await expect.poll(() => field(page).evaluate((one) => one === document.activeElement)).toBe(true)
    await page.keyboard.press('Control+Alt+ArrowRight')
    await expect.poll(() => rows(page).nth(1).getAttribute('aria-current')).toBe('true')
    await field(page).fill('nur ein Versuch')
    await page.keyboard.press('Control+Alt+z')
    await expect.poll(() => field(page).inputValue()).not.toBe('nur ein Versuch')

    await page.getByText('Use the page').click()
    await frame(page).locator('.woocommerce-loop-product__title', { hasText: 'Soup bowl' }).click()
    await frame(page).locator('h1', { hasText: 'Soup bowl' }).waitFor()
    await expect.poll(() => frame(page).locator('translate-press').count()).toBeGreaterThan(10)
    const within = page.frames().find((one) => one !== page.mainFrame())
    expect(within?.url()).toContain('trp-edit-translation=preview')

    const orders = () => shop.db.sql`select id from orders`.then(({ length }) => length)
    const before = await orders()
    await frame(page).getByRole('link', { name: 'Konto' }).first().click()
    await frame(page).locator('h1').first().waitFor()
    expect(await orders()).toBe(before)
    // Messages are pages like others here.
    await page.getByRole('combobox', { name: 'Page' }).selectOption({ index: 1 })
    await expect.poll(() => frame(page).locator('h1 translate-press').count()).toBe(1)
    expect(errors).toEqual([])
  })

  it('shows what somebody else has saved meanwhile, and lets the translator choose', async () => {
    await using shopper = await aShopper(browser, shop, { expectedErrors: [/status of 409/] })
    const { page, errors } = shopper
    await openEditor(page)
    const { tools } = shop.shop.application
    const others = (translated: string) =>
      saveTranslation(tools, { originalId: mug, language: 'de-DE', translated, status: 2, revision: null, by: null })
    await frame(page).locator('h1 translate-press').click()
    await field(page).fill('Meine Tasse')
    await others('Deine Tasse')
    await page.keyboard.press('Control+s')
    const alert = page.getByRole('alert')
    await expect.poll(() => alert.textContent()).toContain('Deine Tasse')
    expect(await field(page).inputValue()).toBe('Meine Tasse')
    expect(await seenByAnybody('/de/product/plain-mug/')).not.toContain('Meine Tasse')
    await alert.getByRole('button', { name: 'Keep mine' }).click()
    await field(page).press('Control+s')
    await expect.poll(() => seenByAnybody('/de/product/plain-mug/')).toContain('>Meine Tasse</h1>')

    await field(page).fill('Noch eine')
    await others('Unsere Tasse')
    await page.keyboard.press('Control+s')
    await alert.getByRole('button', { name: 'Use theirs' }).click()
    await expect.poll(() => field(page).inputValue()).toBe('Unsere Tasse')
    expect(errors).toEqual([])
  })

  it.each([true, false])('says what was refused of a text, and what became of it (scripts: %s)', async (scripts) => {
    await using shopper = await aShopper(browser, shop, {
      javaScriptEnabled: scripts,
      expectedErrors: [/status of 422/],
    })
    const { page, errors } = shopper
    await page.goto('/my-account/')
    await page.locator('#username').fill(email)
    await page.locator('#password').fill(goodPassword)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('heading', { name: /^Hello/ }).waitFor()
    await page.goto('/translate/texts/?language=ar&s=%25s+item')
    // Each form of a count has a name of its own.
    const counts = page.locator('.texts-row').filter({ hasText: 'for %s items' }).getByRole('textbox')
    const names = await counts.evaluateAll((all) => all.map((area) => area.ariaLabelledByElements?.at(-1)?.textContent))
    expect(new Set(names).size).toBe(6)

    await page.goto('/translate/texts/?language=ar&s=not+a+valid+phone')
    const title = await page.title()
    const row = page.locator('.texts-row').first()
    const areas = row.getByRole('textbox')
    // Each button says what it saves.
    const save = row.getByRole('button', { name: 'Save' })
    expect(await save.getAttribute('aria-describedby')).toMatch(/^original-/)
    expect(await row.getByText('Reviewed', { exact: true }).count()).toBe(1)

    const before = await areas.last().inputValue()
    await areas.last().fill('nothing')
    await save.click()
    await row.getByRole('status').filter({ hasText: 'every placeholder' }).waitFor()
    expect(await areas.last().getAttribute('aria-invalid')).toBe('true')
    const note = await areas.last().getAttribute('aria-describedby')
    expect(await page.locator(`[id="${note}"]`).textContent()).toContain('every placeholder')
    if (!scripts) {
      expect(await page.title()).toBe(`Error: ${title}`)
      expect(await areas.first().evaluate((area) => area === document.activeElement)).toBe(true)
    }
    await areas.last().fill(before)
    await save.click()
    await row.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
    expect(await areas.last().getAttribute('aria-describedby')).toBe(null)
    expect(await page.title()).toBe(title)

    // What was not translated says that it is now.
    const text = scripts ? 'Soup bowl' : 'Linen shirt'
    await saveOriginalsForIds(shop.db.kysely, [{ area: 'content', text }], new Date())
    await page.goto(`/translate/texts/?language=ar&s=${text}`)
    const other = page.locator('.texts-row').first()
    await other.getByRole('textbox').fill(`وعاء ${scripts}`)
    await other.getByRole('button', { name: 'Save' }).click()
    await other.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
    expect(await other.getByText('Reviewed', { exact: true }).count()).toBe(1)
    expect(await other.getByText('Not translated').count()).toBe(0)
    expect(errors).toEqual([])
  })

  it('fits a telephone and the dark, and has no fault that axe finds', async () => {
    await using shopper = await aShopper(browser, shop, { size: phone, colorScheme: 'dark' })
    const { page, errors } = shopper
    await openEditor(page)
    await rows(page).first().click()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    expect(await violations(page)).toEqual([])
    await page.goto('/translate/texts/?language=ar&s=mug')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    expect(await violations(page)).toEqual([])

    const area = page.locator('.texts-form textarea').first()
    await area.fill('كوب بسيط')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('.texts-form [role="status"]').first().textContent()).toContain('Saved')
    await expect.poll(() => seenByAnybody('/ar/product/plain-mug/')).toContain('كوب بسيط</h1>')
    expect(errors).toEqual([])
  })
})
