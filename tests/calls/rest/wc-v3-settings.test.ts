import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { V3Setting, V3SettingGroup } from '#contract/operations/v3-settings.ts'
import type { V3Gateway } from '#contract/payments/v3-gateways.ts'
import { settingGroups } from '#shop/operations/settings/classic/classic-settings.ts'
import { type V3Client, v3Client } from '#tests/support/rest/v3-client.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let call: V3Client

beforeAll(async () => {
  shop = await aShop({ wallet: false })
  call = await v3Client(shop)
})
afterAll(() => shop?.close())

const put = (path: string, value: unknown) => call<V3Setting>('PUT', `settings/${path}`, { value })
const currentValue = async (path: string) => (await call<V3Setting>('GET', `settings/${path}`)).body.value
const settings = () => shop.shop.application.tools.settings

describe('wc/v3/settings', () => {
  it('lists the groups, with each email below the emails', async () => {
    const { body } = await call<V3SettingGroup[]>('GET', 'settings')
    expect(body.map(({ id }) => id).slice(0, 8)).toEqual([
      ...['general', 'products', 'tax', 'shipping', 'checkout', 'account', 'email', 'advanced'],
    ])
    expect(body.find(({ id }) => id === 'email')?.sub_groups).toContain('email_new_order')
    expect(body.find(({ id }) => id === 'email_new_order')).toMatchObject({ parent_id: 'email', label: 'New order' })
  })

  it('lists and reads the settings of a group under their classic names', async () => {
    const { body } = await call<V3Setting[]>('GET', 'settings/general')
    const value = (id: string) => body.find((one) => one.id === id)?.value
    expect(value('woocommerce_default_country')).toBe('US:CA')
    expect(value('woocommerce_currency')).toBe('USD')
    expect(value('woocommerce_price_num_decimals')).toBe('2')
    expect(value('woocommerce_allowed_countries')).toBe('all')
    expect(value('woocommerce_calc_taxes')).toBe('yes')
    expect((await call('GET', 'settings/general/woocommerce_currency_pos')).body).toMatchObject({
      id: 'woocommerce_currency_pos',
      type: 'select',
      value: 'left',
      default: 'left',
      group_id: 'general',
      options: { left: 'Left', right: 'Right', left_space: 'Left with space', right_space: 'Right with space' },
      _links: { self: [{ href: `${shop.url}/wp-json/wc/v3/settings/general/woocommerce_currency_pos` }] },
    })
  })

  it('takes every setting back as it shows it', async () => {
    const before = JSON.stringify(settings())
    for (const { id: group } of settingGroups) {
      for (const { id, value, type } of (await call<V3Setting[]>('GET', `settings/${group}`)).body) {
        // An empty list of countries is no choice of countries.
        if (type === 'multiselect' && value.length === 0) continue
        const answer = await put(`${group}/${id}`, value)
        expect([id, answer.status, answer.body.value]).toEqual([id, 200, value])
      }
    }
    await shop.db.sql`select pg_notify('vitrine_change', 'configuration')`
    await expect
      .poll(() => JSON.stringify({ ...settings(), priceFormat: { ...settings().priceFormat, decimals: undefined } }))
      .toBe(before)
  })

  it('changes the shop, with the validation of the settings command', async () => {
    expect((await put('tax/woocommerce_prices_include_tax', 'yes')).body.value).toBe('yes')
    expect((await put('products/woocommerce_stock_format', '')).body.value).toBe('')
    expect((await put('products/woocommerce_hold_stock_minutes', 45)).body.value).toBe('45')
    expect((await put('general/woocommerce_default_country', 'DE')).body.value).toBe('DE')
    expect((await put('tax/woocommerce_tax_classes', 'Reduced rate\nBooks')).body.value).toBe('reduced-rate\nbooks')
    expect((await put('email_new_order/subject', 'New: {order_number}')).body.value).toBe('New: {order_number}')
    expect((await put('advanced/woocommerce_coming_soon', false)).body.value).toBe('no')
    await expect
      .poll(() => settings())
      .toMatchObject({
        taxes: { pricesIncludeTax: true, classes: ['reduced-rate', 'books'] },
        stockFormat: 'always',
        holdStockMinutes: 45,
        base: { country: 'DE', state: '' },
        mail: { messages: { new_order: { subject: 'New: {order_number}' } } },
      })
    const [access] = await shop.db.sql`
      select who from access_log where subject = 'setting:tax/woocommerce_prices_include_tax' order by id desc limit 1`
    expect(access?.who).toMatch(/^api-key:/)
  })

  it('converts the choices of countries', async () => {
    expect(await put('general/woocommerce_allowed_countries', 'specific')).toMatchObject({ status: 400 })
    expect((await put('general/woocommerce_specific_allowed_countries', ['DE', 'at'])).body.value).toEqual(['DE', 'AT'])
    expect(await currentValue('general/woocommerce_allowed_countries')).toBe('specific')
    expect((await put('general/woocommerce_all_except_countries', ['CH'])).body.value).toEqual(['CH'])
    expect(await currentValue('general/woocommerce_allowed_countries')).toBe('all_except')
    expect((await put('general/woocommerce_allowed_countries', 'all')).body.value).toBe('all')
    expect((await put('general/woocommerce_ship_to_countries', 'disabled')).body.value).toBe('disabled')
    expect((await put('general/woocommerce_specific_ship_to_countries', ['DE'])).body.value).toEqual(['DE'])
    expect(await currentValue('general/woocommerce_ship_to_countries')).toBe('specific')
    expect((await put('general/woocommerce_ship_to_countries', '')).body.value).toBe('')
  })

  it('refuses unknown groups and settings, and invalid values', async () => {
    expect(await call('GET', 'settings/nothing')).toMatchObject({
      status: 404,
      body: { code: 'rest_setting_setting_group_invalid' },
    })
    expect(await put('nothing/woocommerce_currency', 'EUR')).toMatchObject({ status: 404 })
    for (const path of ['general/nothing', 'tax/woocommerce_currency']) {
      expect(await call('GET', `settings/${path}`)).toMatchObject({
        status: 404,
        body: { code: 'rest_setting_setting_invalid' },
      })
      expect(await put(path, 'x')).toMatchObject({ status: 404 })
    }
    const invalid: [string, unknown][] = [
      ['general/woocommerce_currency', 'XXL'],
      ['general/woocommerce_currency_pos', 'above'],
      ['general/woocommerce_calc_taxes', 'perhaps'],
      ['general/woocommerce_default_country', 'ZZ'],
      ['general/woocommerce_specific_allowed_countries', []],
      ['general/woocommerce_all_except_countries', ['ZZ']],
      ['products/woocommerce_hold_stock_minutes', '-1'],
      ['products/woocommerce_weight_unit', 'lbs'],
      ['email_new_order/recipient', 'no address'],
    ]
    for (const [path, value] of invalid) {
      const answer = await put(path, value)
      expect([path, answer.status, (answer.body as unknown as { code: string }).code]).toEqual([
        path,
        400,
        'rest_setting_value_invalid',
      ])
    }
    expect(await call('PUT', 'settings/general/woocommerce_currency', {})).toMatchObject({
      status: 400,
      body: { code: 'rest_invalid_param' },
    })
  })

  it('changes several settings of one group, and of several groups', async () => {
    type Batch = { update: (V3Setting & { error?: { code: string } })[] }
    const one = await call<Batch>('POST', 'settings/products/batch', {
      update: [
        { id: 'woocommerce_notify_low_stock_amount', value: '7' },
        { id: 'nothing', value: '7' },
      ],
    })
    expect(one.body.update).toMatchObject([
      { value: '7' },
      { id: 'nothing', error: { code: 'rest_setting_setting_invalid' } },
    ])
    const several = await call<Batch>('POST', 'settings/batch', {
      update: [
        { group_id: 'account', id: 'woocommerce_enable_guest_checkout', value: 'no' },
        { group_id: 'tax', id: 'woocommerce_tax_based_on', value: 'moon' },
      ],
    })
    expect(several.body.update).toMatchObject([
      { id: 'woocommerce_enable_guest_checkout', value: 'no' },
      { id: 'woocommerce_tax_based_on', error: { code: 'rest_setting_value_invalid' } },
    ])
    const many = Array.from({ length: 101 }, () => ({ group_id: 'tax', id: 'x', value: '' }))
    expect(await call('POST', 'settings/batch', { update: many })).toMatchObject({ status: 413 })
  })

  it('is closed to keys that may only read, where something changes', async () => {
    const reader = await v3Client(shop, 'read')
    expect((await reader('GET', 'settings/general')).status).toBe(200)
    expect((await reader('PUT', 'settings/general/woocommerce_currency', { value: 'EUR' })).status).toBe(401)
    expect((await reader('POST', 'settings/batch', { update: [] })).status).toBe(401)
    expect((await reader('PUT', 'payment_gateways/cod', { enabled: false })).status).toBe(401)
  })
})

describe('wc/v3/payment_gateways', () => {
  it('lists the payment methods in the order of the checkout', async () => {
    const { body } = await call<V3Gateway[]>('GET', 'payment_gateways')
    expect(body.map(({ id, order, enabled, needs_setup }) => [id, order, enabled, needs_setup])).toEqual([
      ['ppcp', 0, true, true],
      ['ppcp_card', 1, false, true],
      ['bacs', 2, false, false],
      ['cheque', 3, false, false],
      ['cod', 4, true, false],
    ])
  })

  it('enables a method and changes its texts', async () => {
    const changed = await call<V3Gateway>('PUT', 'payment_gateways/bacs', {
      enabled: true,
      title: 'Transfer',
      settings: { instructions: 'Name the order.' },
    })
    expect(changed.body).toMatchObject({
      id: 'bacs',
      enabled: true,
      title: 'Transfer',
      settings: {
        title: { value: 'Transfer', default: 'Direct bank transfer' },
        instructions: { value: 'Name the order.' },
      },
    })
    await expect
      .poll(() => settings().payments.bacs)
      .toMatchObject({ enabled: true, title: 'Transfer', instructions: 'Name the order.' })
    expect((await call('GET', 'payment_gateways/bacs')).body).toEqual(changed.body)
  })

  it('refuses unknown methods, members that a method lacks, and another order', async () => {
    expect(await call('GET', 'payment_gateways/stripe')).toMatchObject({
      status: 404,
      body: { code: 'woocommerce_rest_payment_gateway_invalid_id' },
    })
    for (const body of [{ title: 'My PayPal' }, { order: 4 }, { settings: { instructions: 'x' } }]) {
      expect(await call('PUT', 'payment_gateways/ppcp', body)).toMatchObject({
        status: 400,
        body: { code: 'rest_invalid_param' },
      })
    }
    expect(await call('PUT', 'payment_gateways/cod', { title: '' })).toMatchObject({ status: 400 })
  })
})
