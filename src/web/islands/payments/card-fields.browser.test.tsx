import { beforeEach, describe, expect, it } from 'vitest'
import { expectEqualMarkup, openComponent } from '#tests/support/browser-modules/component.ts'
import {
  cardPageSettings,
  cardScript,
  raise,
  serveProviderScript,
  toldFields,
} from '#tests/support/browser-modules/provider-script.ts'
import { aScene, eventually } from '#tests/support/browser-modules/scene.ts'
import { Island } from '../island.tsx'
import { CardFields, type CardFieldsProps } from './card-fields.tsx'

const scene = aScene()
beforeEach(() => serveProviderScript(scene, cardScript))

const texts: CardFieldsProps['texts'] = {
  card: 'Your card',
  name: 'Name',
  number: 'Number',
  expiry: 'Expiry',
  cvv: 'Code',
  optional: '(optional)',
  retry: 'Try again',
  unreachable: 'The shop is not there',
  failed: 'It went wrong',
}

type Open = Pick<CardFieldsProps, 'cardName'> & { when?: 'visible' | 'interaction'; settings?: object }

const open = ({ cardName, when = 'visible', settings = {} }: Open = {}) =>
  openComponent(
    scene,
    <form>
      <Island name="card-fields" when={when} component={CardFields} props={{ cardName, texts }} />
    </form>,
    { settings: cardPageSettings(scene.shop, settings) },
  )
const fields = () => scene.page.getByRole('group', { name: 'Your card' })
const phase = () => fields().getAttribute('data-state')
const classesOf = (field: string) => scene.page.locator(`#ppcp-card-${field}`).getAttribute('class')
const faultOf = (field: string) =>
  scene.page.locator(`[data-parent=ppcp-card-${field}] .error-content:not([data-going])`).allTextContents()

describe('the card fields', () => {
  it.each([undefined, 'optional', 'required'] as const)(
    'CARD-01 are rendered alike by server and browser, with a name that is %s',
    async (cardName) => {
      let answer = (_: string) => {}
      scene.shop.at('/sdk/js', () => new Promise((resolve) => (answer = resolve)))
      await open({ cardName, when: 'interaction' })
      await expectEqualMarkup(scene, 'card-fields')
      expect(await scene.page.getByText('(optional)').count()).toBe(cardName === 'optional' ? 1 : 0)
      expect(await scene.page.locator('#ppcp-card-name').count()).toBe(cardName ? 1 : 0)
      answer('')
    },
  )

  it('CARD-02 CARD-03 show focus, validity and brand beside one frame each', async () => {
    await open({ cardName: 'required' })
    const { page } = scene
    await eventually(phase).toBe('ready')
    expect(
      await page.locator('iframe').evaluateAll((frames) => frames.map((it) => it.getAttribute('title')).sort()),
    ).toEqual([...['cvv', 'expiry', 'name', 'number']])
    await raise(page, { field: 'number', event: 'Focus', isEmpty: true, isValid: false })
    await eventually(() => classesOf('number')).toBe('card-field__frame card-field--focused')
    await raise(page, { field: 'number', event: 'Change', brand: 'visa' })
    await eventually(() => classesOf('number')).toBe('card-field__frame card-field--focused card-field--valid')
    await eventually(() => page.locator('.card-brand').getAttribute('src')).toBe('/visa.svg')
    // The next field reports its focus first.
    await raise(page, { field: 'cvv', event: 'Focus', isEmpty: true, isValid: false })
    await raise(page, { field: 'number', event: 'Blur', brand: 'visa' })
    await eventually(() => classesOf('number')).toBe('card-field__frame card-field--valid')
    expect(await classesOf('cvv')).toBe('card-field__frame card-field--focused')
    await raise(page, { field: 'number', event: 'Change', isEmpty: true, isValid: false })
    await eventually(() => page.locator('.card-brand').isHidden()).toBe(true)
    await page.getByText('Code').click()
    expect(await toldFields(page)).toContainEqual(['focus', 'cvv'])
    expect(scene.errors).toEqual([])
  })

  it('CARD-04 show an error at its field and in its frame, until the field is right or empty', async () => {
    await open()
    const { page } = scene
    await eventually(phase).toBe('ready')
    await raise(page, { field: 'number', event: 'Blur', isValid: false })
    await eventually(() => faultOf('number')).toEqual(['A wrong number'])
    expect(await classesOf('number')).toBe('card-field__frame card-field--invalid')
    expect(await toldFields(page)).toEqual([
      ['addClass', 'number', 'invalid'],
      ['setAttribute', 'number', 'aria-invalid', 'true'],
      ['setMessage', 'number', 'A wrong number'],
    ])
    await raise(page, { field: 'number', event: 'Change', isValid: false })
    expect(await faultOf('number')).toEqual(['A wrong number'])
    await raise(page, { field: 'number', event: 'Change' })
    await eventually(() => faultOf('number')).toEqual([])
    expect(await toldFields(page)).toContainEqual(['setMessage', 'number', ''])
    await raise(page, { field: 'cvv', event: 'Blur', isValid: false })
    await eventually(() => faultOf('cvv')).toEqual(['A wrong code'])
    await raise(page, { field: 'cvv', event: 'Blur', isEmpty: true, isValid: false })
    await eventually(() => faultOf('cvv')).toEqual([])
    await eventually(() => page.locator('.error-content').count()).toBe(0)
  })

  it('CARD-04 show that the provider takes no cards, without a retry that cannot help', async () => {
    scene.shop.at('/sdk/js', () => ({
      body: 'window.paypal = { version: "5.0.1", CardFields: () => ({ isEligible: () => false }) }',
      headers: { 'Content-Type': 'text/javascript' },
    }))
    await open()
    await eventually(phase).toBe('not-offered')
    expect(await scene.page.locator('.card-fields__message').textContent()).toBe('No cards now')
    expect(await fields().getByRole('button').count()).toBe(0)
  })

  it('CARD-04 that failed are rendered again when the connection is back', async () => {
    let there = false
    scene.shop.at('/sdk/js', () => (there ? { status: 404 } : { status: 500 }))
    await open()
    await eventually(phase).toBe('failed')
    there = true
    await serveProviderScript(scene, cardScript)
    await scene.page.evaluate(() => dispatchEvent(new Event('online')))
    await eventually(phase).toBe('ready')
    expect(await scene.page.locator('#ppcp-card-number iframe').count()).toBe(1)
  })

  it('take only themselves down when they break: the markup of the server is back', async () => {
    await open({ cardName: 'required', when: 'interaction', settings: { fields: undefined } })
    const island = scene.page.locator('vitrine-island')
    const server = await island.innerHTML()
    await island.dispatchEvent('input')
    await eventually(() => island.getAttribute('failed')).toBe('')
    expect(await island.innerHTML()).toBe(server)
    expect(scene.errors.join()).toContain('the island card-fields stopped')
  })
})
