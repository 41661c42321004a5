import { describe, expect, it } from 'vitest'
import { orderReviewParameterFor, parseOrderReview } from './order-review-return.ts'

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
const whole = { payment_method: 'ppcp', paypal_order: '5O190127TN364715T', fields: { billing_city: 'Zürich' } }

describe('the address that brings an approved payment back', () => {
  it('CHK-06 is base64 of JSON, in either alphabet', () => {
    expect(parseOrderReview(encoded(whole))).toEqual(whole)
    const url = Buffer.from(JSON.stringify(whole)).toString('base64url')
    expect(parseOrderReview(url)).toEqual(whole)
    const blanks = encoded({ ...whole, fields: { billing_city: '>>>???>>>' } }).replaceAll('+', ' ')
    expect(parseOrderReview(blanks)?.fields).toEqual({ billing_city: '>>>???>>>' })
    expect(parseOrderReview(orderReviewParameterFor('AB12'))).toEqual({ ...whole, paypal_order: 'AB12', fields: {} })
    expect(parseOrderReview(encoded({ ...whole, fields: [] }))?.fields).toEqual({})
  })

  it.each([
    ['nothing', ''],
    ['no base64', '!!'],
    ['half of it', encoded(whole).slice(0, 31)],
    ['no JSON', Buffer.from('{"payment_method"').toString('base64')],
    ['no UTF-8', Buffer.from([0xff, 0xfe, 0x22]).toString('base64')],
    ['a list', encoded([whole])],
    ['null', encoded(null)],
    ['another method', encoded({ ...whole, payment_method: 'cod' })],
    ['an id with a path', encoded({ ...whole, paypal_order: '../v1' })],
    ['a number for an id', encoded({ ...whole, paypal_order: 7 })],
    ['a list of fields', encoded({ ...whole, fields: ['x'] })],
    ['too much', encoded({ ...whole, fields: { a: 'x'.repeat(2000), b: 'x'.repeat(2000), c: 'x'.repeat(2500) } })],
  ])('CHK-06 T7 T10 with %s is none', (_, parameter) => {
    expect(parseOrderReview(parameter)).toBeNull()
  })

  it('CHK-06 T7 T10 keeps texts alone of its fields, and nothing of a prototype', () => {
    const text =
      '{"payment_method":"ppcp","paypal_order":"AB12","fields":{"__proto__":{"x":1},"a":{"b":1},"c":"d","e":5,"f":["g"]}}'
    const { fields } = parseOrderReview(Buffer.from(text).toString('base64')) ?? {}
    expect(fields).toEqual({ c: 'd' })
    expect(parseOrderReview(encoded({ ...whole, fields: { a: 'x'.repeat(2001), b: 'y' } }))?.fields).toEqual({ b: 'y' })
  })
})
