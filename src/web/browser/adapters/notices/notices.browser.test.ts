import { describe, expect, it } from 'vitest'
import { passTime } from '#tests/support/browser/page-time.ts'
import { aScene, eventually } from '#tests/support/browser-modules/scene.ts'
import { messageFor } from './notices.ts'

const scene = aScene('tests/support/browser-modules/parts-entry.ts')

describe('the text for an error', () => {
  const errorMessages = { declined: 'Your bank said no.', terms: 'Please accept the terms.' }
  it.each([
    ['a plain string as it is', 'As it is', 'As it is'],
    ['the message for its code', { code: 'declined', message: 'raw' }, 'Your bank said no.'],
    ['its own message when the code has none', { code: 'other', message: 'raw' }, 'raw'],
    ['its own message without a code', new Error('raw'), 'raw'],
    ['no inherited property of the table', { code: 'toString', message: 'raw' }, 'raw'],
    ['nothing for nothing', undefined, undefined],
  ])('NOTE-06 is %s', (_, error, text) => {
    expect(messageFor(error, errorMessages)).toBe(text)
  })
})

describe('an error shown', () => {
  const show = async (
    error: string | string[],
    body = '<ul class="woocommerce-error" role="alert"><li>Old</li></ul><div class="woocommerce-message" role="alert">Old too</div><div id="box"><p>Content</p></div>',
  ) => {
    await scene.open({ body, entry: 'parts-entry.js' })
    await scene.page.waitForFunction(() => 'parts' in window)
    await scene.page.evaluate(
      (error) => Reflect.get(window, 'parts').showError(error, document.querySelector('#box, form.checkout')),
      error,
    )
    return scene.page
  }

  it('NOTE-03 takes the place of what was said before, at the top of its container', async () => {
    const page = await show('New trouble')
    expect(await page.getByText('Old').count()).toBe(0)
    expect(await page.locator('#box').innerHTML()).toMatch(
      /^<div class="woocommerce-NoticeGroup"><ul class="woocommerce-error" role="alert"[^>]*><li role="presentation">New trouble<\/li><\/ul><\/div><p>Content<\/p>$/,
    )
  })

  it('NOTE-04 several texts become a list, and markup is kept', async () => {
    const page = await show(['First', 'Second with <a href="/help/">help</a>'])
    expect(await page.locator('#box li').allTextContents()).toEqual(['First', 'Second with help'])
    expect(await page.getByRole('link', { name: 'help' }).count()).toBe(1)
  })

  it('NOTE-04 a notice block from the server is put in as it is', async () => {
    const page = await show('<ul class="woocommerce-error" role="alert"><li data-id="terms">Terms</li></ul>')
    expect(await page.locator('#box .woocommerce-error').count()).toBe(1)
    expect(await page.locator('#box li[data-id=terms]').count()).toBe(1)
  })

  it('NOTE-02 leaves the focus to whoever has gone on meanwhile', async () => {
    await scene.page.clock.install()
    const page = await show('New trouble', '<div id="box"><button id="next">Next</button><input id="field"></div>')
    await page.locator('#next').click()
    await passTime(page, 700)
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('next')
    await page.evaluate(() => {
      document.getElementById('field')?.focus()
      Reflect.get(window, 'parts').showError('More trouble', document.querySelector('#box'))
    })
    await page.keyboard.type('words')
    await passTime(page, 700)
    expect(await page.locator('#field:focus').inputValue()).toBe('words')
    // A focus set by a script is not the visitor's choice.
    await page.evaluate(() => {
      Reflect.get(window, 'parts').showError('Most trouble', document.querySelector('#box'))
      document.getElementById('next')?.focus()
    })
    await eventually(() => page.evaluate(() => document.activeElement?.className)).toBe('woocommerce-error')
  })

  it('NOTE-02 takes the focus after 500 ms', async () => {
    const page = await show('New trouble')
    expect(await page.evaluate(() => document.activeElement?.className)).not.toContain('woocommerce-error')
    await eventually(() => page.evaluate(() => document.activeElement?.className)).toBe('woocommerce-error')
  })

  it('NOTE-05 is scrolled to, 100 px below the top', async () => {
    const filler = '<p>line</p>'.repeat(200)
    const page = await show('New trouble', `${filler}<div id="box"></div>${filler}`)
    await eventually(() =>
      page.locator('.woocommerce-NoticeGroup').evaluate((it) => Math.round(it.getBoundingClientRect().top)),
    ).toBe(100)
  })

  it('on the checkout form carries its group class and leaves the information notices', async () => {
    const page = await show(
      'New trouble',
      '<div class="woocommerce-info">Have a coupon?</div><form class="checkout"></form>',
    )
    expect(
      await page.locator('form.checkout > .woocommerce-NoticeGroup.woocommerce-NoticeGroup-checkout').count(),
    ).toBe(1)
    expect(await page.getByText('Have a coupon?').count()).toBe(1)
  })
})
