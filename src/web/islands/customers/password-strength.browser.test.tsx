import { describe, expect, it } from 'vitest'
import { islandHtml, openComponent } from '#tests/support/browser-modules/component.ts'
import { aScene, eventually, firedEventNames, heard, listenFromTheStart } from '#tests/support/browser-modules/scene.ts'
import { Island } from '../island.tsx'
import { PasswordStrength } from './password-strength.tsx'

const scene = aScene()
const events = ['wc-password-strength-added', 'wc-password-strength-show', 'wc-password-strength-hide']
const props = {
  field: 'reg_password',
  words: ['Very weak', 'Weak', 'Weak', 'Good', 'Strong'],
  tooWeak: 'Choose another.',
  hint: 'Make it longer.',
}
const island = <Island name="password-strength" when="interaction" component={PasswordStrength} props={props} />
const form = (
  <form className="register">
    <input type="email" aria-label="Email" />
    <p>
      <span className="password-input">
        <input type="password" id="reg_password" aria-describedby="other" />
      </span>
      {island}
    </p>
    <button type="submit">Register</button>
  </form>
)
const field = () => scene.page.locator('#reg_password')
const meter = () => scene.page.locator('#password_strength')
const button = () => scene.page.getByRole('button', { name: 'Register' })
const isLive = () => scene.page.locator('vitrine-island').evaluate((element) => Reflect.get(element, 'live') === true)

async function open(settings = {}, body = ''): Promise<void> {
  await listenFromTheStart(scene.page, events)
  await openComponent(scene, form, { settings, body })
  await scene.page.locator('.show-password-input').waitFor()
}

describe('the strength of a new password', () => {
  it('PWD-01 shows nothing before a character is typed, on the server and in the browser', async () => {
    expect(islandHtml(island)).toContain('></vitrine-island>')
    await open()
    expect(await isLive()).toBe(false)
    await field().focus()
    await eventually(isLive).toBe(true)
    await scene.page.keyboard.press('Tab')
    expect(await scene.page.locator('vitrine-island').innerHTML()).toBe('')
    expect(await heard(scene.page)).toEqual([])
    expect(scene.errors).toEqual([])
  })

  it('PWD-01 weighs what is typed, blocks a weak one, and tells other scripts once for each text', async () => {
    await open()
    await field().fill('love')
    await eventually(() => meter().textContent()).toBe('Very weak - Choose another.')
    expect(await meter().getAttribute('class')).toBe('woocommerce-password-strength short')
    expect(await button().isDisabled()).toBe(true)
    expect(await scene.page.getByText('Make it longer.').isVisible()).toBe(true)
    expect(await field().getAttribute('aria-describedby')).toBe('other password_strength')
    await field().fill('seven lilac trains under water')
    await eventually(() => meter().textContent()).toBe('Strong')
    expect(await button().isDisabled()).toBe(false)
    expect(await scene.page.getByText('Make it longer.').isVisible()).toBe(false)
    await field().fill('')
    await eventually(() => meter().textContent()).toBe('')
    expect(await meter().getAttribute('class')).toBe('woocommerce-password-strength')
    const [added, show, hide] = events
    expect(await firedEventNames(scene.page)).toEqual([added, show, show, hide])
    expect(scene.errors).toEqual([])
  })

  it('PWD-01 counts words of the same form as easy', async () => {
    await open()
    await scene.page.getByLabel('Email').fill('quagmire.lovelace@example.test')
    await field().fill('quagmirelovelace')
    await eventually(() => meter().getAttribute('class')).toMatch(/short|bad/)
  })

  it('PWD-01 accepts what other scripts set as the lowest strength', async () => {
    await open({ wc_password_strength_meter_params: { min_password_strength: '0' } })
    await field().fill('love')
    await eventually(() => meter().textContent()).toBe('Very weak')
    expect(await button().isDisabled()).toBe(false)
  })

  it("PWD-01 leaves the place to a third-party meter, which gets the shop's estimator", async () => {
    const script = '<script type="text/plain" src="/js/password-strength-meter.min.js"></script>'
    await open({}, script)
    await field().fill('love')
    await eventually(() => scene.page.evaluate(() => 'zxcvbn' in window)).toBe(true)
    expect(await isLive()).toBe(false)
    expect(await meter().count()).toBe(0)
  })

  it('PWD-01 leaves the form to the server when it fails', async () => {
    scene.shop.breakAssets('password-strength')
    await open()
    await field().fill('love')
    await eventually(() => scene.page.locator('vitrine-island[failed]').count()).toBe(1)
    expect(await button().isDisabled()).toBe(false)
    expect(await field().inputValue()).toBe('love')
  })
})
