import type { PayPalButtonsComponent, PayPalButtonsComponentOptions } from '@paypal/paypal-js'
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import { checkButtonOptions } from '../../emulator/sdk/browser/button-options.ts'
import type { createButtons } from '../../emulator/sdk/browser/buttons.ts'
import { browserCode } from '../../emulator/sdk/browser-code.ts'
import { type Emulator, startEmulator } from '../../emulator/start-emulator.ts'

let emulator: Emulator

beforeAll(async () => {
  emulator = await startEmulator({ clientId: 'my-client_1' })
})
afterAll(async () => {
  await emulator?.close()
})

const load = (query: string) => fetch(`${emulator.url}/sdk/js?${query}`)

describe('the address of the script', () => {
  it.each([
    'client-id=sb',
    'client-id=my-client_1&currency=EUR&intent=authorize&commit=false&vault=true',
    'client-id=sb&components=buttons,messages,card-fields,funding-eligibility',
    'client-id=sb&locale=de_DE&buyer-country=DE&debug=true&integration-date=2026-01-01',
    'client-id=sb&enable-funding=paylater,venmo&disable-funding=card&merchant-id=ABC',
    'client-id=sb&locale=en_GL',
  ])('%s gives a script that any page may read', async (query) => {
    const answer = await load(query)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^application\/javascript/)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const text = await answer.text()
    // Parses as a plain script: nothing of types or modules is left in it.
    expect(() => new Function(text)).not.toThrow()
  })

  it.each([
    ['currency=USD', 'Expected client-id to be passed'],
    ['client-id=emu-unknown-1', 'client-id not recognized for either production or sandbox: emu-unknown-1'],
    ['client-id=bad%20id!', 'Invalid query value for client-id: bad id!'],
    ['client-id=sb&locale=fr', 'Invalid query value for locale: fr'],
    ['client-id=sb&locale=en_001', 'Invalid query value for locale: en_001'],
    ['client-id=sb&locale=xx_US', 'Invalid query value for locale: xx_US'],
    ['client-id=sb&currency=usd', 'Invalid query value for currency: usd'],
    ['client-id=sb&currency=XXX', 'Invalid query value for currency: XXX'],
    ['client-id=sb&intent=CAPTURE', 'Invalid query value for intent: CAPTURE'],
    ['client-id=sb&components=buttons,nonsense', 'Invalid query value for components: buttons,nonsense'],
    ['client-id=sb&commit=yes', 'Invalid query value for commit: yes'],
    ['client-id=sb&enable-funding=', 'Invalid query value for enable-funding: '],
    ['client-id=sb&_=123', 'Disallowed query param: _'],
    ['client-id=sb&constructor=1', 'Disallowed query param: constructor'],
  ])('%s is 400 with the text in the comment of the body', async (query, message) => {
    const answer = await load(query)
    expect(answer.status).toBe(400)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    const text = await answer.text()
    const original = /\/\* Original Error:\n\n([\s\S]*) \(debug id: [0-9a-f]{13}\)\n\n\*\//.exec(text)
    expect(original?.[1]).toBe(message)
  })

  it('a refused value cannot break out of the text', async () => {
    const text = await (await load(`client-id=${encodeURIComponent(`x'");alert(1)//*/alert(2)`)}`)).text()
    const messages: string[] = []
    // Run as the real loader's users once did: it may only throw.
    expect(() => new Function('alert', text)((what: number) => messages.push(String(what)))).toThrow('SDK Validation')
    expect(messages).toEqual([])
  })
})

describe('the joined code', () => {
  it('refuses two files that use one name, since the later would silently take its place', () => {
    const folder = new URL('../../emulator/sdk/browser/', import.meta.url)
    expect(() => browserCode(folder, ['wire.ts', 'wire.ts'])).toThrow('use the name CONNECT')
  })
})

describe('the options of a button', () => {
  const sources = ['paypal', 'venmo', 'card']
  const fault = (options: object) => {
    try {
      checkButtonOptions(options, sources)
      return ''
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }

  it.each([
    [{ message: { amount: '12.50' } }],
    [{ message: { offer: 'pay_later_short_term' } }],
    [{ message: { offer: 'pay_later_short_term,pay_later_long_term' } }],
    [{ message: { offer: ['pay_later_long_term'] } }],
    // What a setting that was left empty gives.
    [{ style: { color: '', shape: '', label: '' } }],
    [{ style: { layout: 'vertical', tagline: 'false' } }],
  ])('%j are taken', (options) => {
    expect(fault(options)).toBe('')
  })

  it.each([
    [{ message: { amount: 'much' } }, 'Expected message.amount to be a number, got: NaN'],
    [{ message: { amount: -1 } }, 'Expected message.amount to be a positive number, got: -1'],
    [{ message: { offer: 5 } }, 'Expected message.offer to be an array of strings, got: 5'],
    [{ message: { offer: 'gift,pay_later_short_term' } }, 'Invalid offer(s): gift'],
    [{ message: { color: 'pink' } }, 'Invalid color: pink'],
    [{ message: { position: 'left' } }, 'Invalid position: left'],
    [{ message: { align: 'top' } }, 'Invalid align: top'],
    [{ style: { layout: '' } }, 'Invalid layout: '],
    [{ style: { layout: null } }, 'Invalid layout: null'],
    [{ style: { label: 'venmo' } }, 'Invalid label: venmo'],
    [{ style: { layout: 'vertical', tagline: 'true' } }, 'style.tagline is not allowed for vertical layout'],
    [
      { fundingSource: 'paypal', style: { height: 40, disableMaxHeight: true } },
      'Unexpected style.height for style.disableMaxHeight: got: 40, expected undefined.',
    ],
    [
      { style: { disableMaxHeight: true } },
      'Unexpected fundingSource for style.disableMaxHeight: got: Smart Stack, expected paypal, venmo.',
    ],
    [
      { fundingSource: 'card', style: { disableMaxHeight: true } },
      'Unexpected fundingSource for style.disableMaxHeight: got: card, expected paypal, venmo.',
    ],
    [
      { fundingSource: 'paypal', style: { disableMaxHeight: 'yes' } },
      'Expected style.disableMaxHeight to be a boolean, got: yes',
    ],
  ])('%j are refused with the words of the real script', (options, text) => {
    expect(fault(options)).toBe(text)
  })
})

describe('types', () => {
  it('what Buttons gives fits the official type', () => {
    type Made = ReturnType<typeof createButtons>
    expectTypeOf<Made['isEligible']>().toExtend<PayPalButtonsComponent['isEligible']>()
    expectTypeOf<Made['render']>().toExtend<PayPalButtonsComponent['render']>()
    expectTypeOf<Made['close']>().toExtend<PayPalButtonsComponent['close']>()
    type Style = NonNullable<PayPalButtonsComponentOptions['style']>
    expectTypeOf<Style>().toExtend<NonNullable<Parameters<typeof createButtons>[2]['style']>>()
  })
})
