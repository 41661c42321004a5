import { readFileSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import { expectEqualMarkup, openComponent } from '#tests/support/browser-modules/component.ts'
import { cardPageSettings, serveProviderScript } from '#tests/support/browser-modules/provider-script.ts'
import { aScene, eventually } from '#tests/support/browser-modules/scene.ts'
import { Island } from '../../island.tsx'
import { AcceleratedCheckout, type AcceleratedCheckoutProps } from './accelerated-checkout.tsx'

const scene = aScene()
const script = readFileSync('tests/journeys/payments/fixtures/fake-fastlane.js', 'utf8')
beforeEach(() => serveProviderScript(scene, script))

const texts: AcceleratedCheckoutProps['texts'] = {
  ask: 'Save a card',
  close: 'Close',
  title: 'Sign up',
  purpose: 'Enter it once.',
  useCard: 'Use this card',
  chosenCard: 'Chosen card',
  spent: 'Of no use',
  changeCard: 'Change card',
  changeAddress: 'Change address',
  otherCard: 'Other card',
}

const body = `<ul class="wc_payment_methods"><li><input type="radio" name="payment_method" value="ppcp_card">
  <div class="payment_box payment_method_ppcp_card"><p>Pay by card</p></div></li></ul>
  <input type="hidden" name="ppcp_card_payment_token"><input type="hidden" name="ppcp_card_fastlane">`

type Open = { flow?: AcceleratedCheckoutProps['flow']; settings?: object }

const open = ({ flow = 'email_detection', settings = {} }: Open = {}) =>
  openComponent(
    scene,
    <form>
      <input aria-label="Email" name="billing_email" />
      <Island name="accelerated-checkout" when="interaction" component={AcceleratedCheckout} props={{ flow, texts }} />
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: markup of this file. */}
      <div dangerouslySetInnerHTML={{ __html: body }} />
    </form>,
    {
      settings: cardPageSettings(scene.shop, {
        fastlane_enabled: true,
        fastlane_flow: flow,
        fastlane_signup: true,
        payment_format: '{brand} {last4}',
        ...settings,
      }),
    },
  )

const inPage = () => scene.page
const card = () => inPage().getByRole('group', { name: 'Chosen card' })
const token = () => inPage().locator('[name=ppcp_card_payment_token]').inputValue()
const island = () => inPage().locator('vitrine-island')
const focused = (name: string) =>
  inPage()
    .getByRole('group', { name })
    .evaluate((it) => it === document.activeElement)

async function enter(email: string): Promise<void> {
  await island().dispatchEvent('input')
  await inPage().locator('.wc-ppcp-fastlane[data-ready]').waitFor({ state: 'attached' })
  await inPage().getByLabel('Email').fill(email)
}

async function beRecognised(): Promise<void> {
  await enter('member@example.test')
  await inPage().getByRole('button', { name: 'Right' }).click()
}

describe('accelerated checkout', () => {
  it.each(['email_detection', 'express_button'] as const)(
    'FAST-01 is rendered alike by server and browser, with the flow %s',
    async (flow) => {
      let answer = (_: string) => {}
      scene.shop.at('/sdk/js', () => new Promise((resolve) => (answer = resolve)))
      await open({ flow })
      await expectEqualMarkup(scene, 'accelerated-checkout')
      answer('')
    },
  )

  it('FAST-04 shows the card once, also after the server has replaced its box', async () => {
    await open()
    await beRecognised()
    await eventually(() => card().textContent()).toContain('Visa 1111')
    expect(await token()).toBe('single-1')
    await inPage().evaluate(() => {
      const box = document.querySelector('.payment_box')
      const fresh = box?.cloneNode()
      if (fresh) box?.replaceWith(fresh)
    })
    expect(await card().count()).toBe(0)
    await inPage().evaluate(() => document.body.dispatchEvent(new CustomEvent('updated_checkout', { bubbles: true })))
    await card().waitFor()
    expect(await inPage().locator('.payment_box > :first-child').getByRole('group').count()).toBe(1)
    await card().getByRole('button', { name: 'Other card' }).click()
    await eventually(() => card().count()).toBe(0)
    expect(await token()).toBe('')
    expect(await inPage().locator('.payment_box > *').count()).toBe(0)
  })

  it('FAST-06 takes the card of a new customer, and gives it the focus', async () => {
    await open({ settings: { i18n: { error_codes: {}, incomplete_card_form: 'Not complete' } } })
    await enter('nobody@example.test')
    await inPage().getByRole('button', { name: 'Save a card' }).click()
    const dialog = inPage().getByRole('dialog', { name: 'Sign up' })
    await dialog.getByLabel('New card number').waitFor()
    await dialog.getByRole('button', { name: 'Use this card' }).click()
    await eventually(() => dialog.getByRole('alert').textContent()).toBe('Not complete')
    await dialog.getByLabel('New card number').fill('378282246310005')
    await dialog.getByRole('button', { name: 'Use this card' }).click()
    await eventually(() => focused('Chosen card')).toBe(true)
    expect(await token()).toBe('single-1')
    await eventually(() => dialog.count()).toBe(0)
    expect(scene.errors).toEqual([])
  })

  it('takes only itself down when it breaks: the markup of the server is back, and no invisible card pays', async () => {
    await open()
    const server = await island().innerHTML()
    await beRecognised()
    await eventually(token).toBe('single-1')
    await inPage().evaluate(() => {
      Reflect.get(window, 'wcPPCPSettings').ppcp_card_data.icons = undefined
    })
    await card().getByRole('button', { name: 'Change card' }).click()
    await inPage().getByRole('button', { name: 'Mastercard 4444' }).click()
    await eventually(() => island().getAttribute('failed')).toBe('')
    expect(await island().innerHTML()).toBe(server)
    expect(await card().count()).toBe(0)
    expect(await token()).toBe('')
    expect(await inPage().locator('.payment_box > *').count()).toBe(1)
    expect(scene.errors.join()).toContain('the island accelerated-checkout stopped')
  })
})
