import { describe, expect, it } from 'vitest'
import { formBody, parseCheckoutAnswer, parseJson } from './request.ts'

describe('a form body', () => {
  it('takes brackets for what is nested and leaves out what is undefined', () => {
    expect(
      String(formBody({ security: 'n', shipping_method: { 0: 'flat_rate:1' }, tags: ['a', 'b'], gone: undefined })),
    ).toBe('security=n&shipping_method%5B0%5D=flat_rate%3A1&tags%5B0%5D=a&tags%5B1%5D=b')
  })

  it('sends an apostrophe encoded', () => {
    expect(String(formBody({ name: "O'Neill" }))).toBe('name=O%27Neill')
  })
})

describe('an answer of the checkout', () => {
  it.each([
    ['clean', '{"result":"success","redirect":"/x/"}'],
    ['after and before stray output', '<b>Notice</b>: x {"result":"success","redirect":"/x/"} trailing'],
  ])('is read %s', (_, text) => {
    expect(parseCheckoutAnswer(text)).toEqual({ result: 'success', redirect: '/x/' })
  })

  it.each(['', 'null', '[]', '<html>', '{"result":'])('is undefined for %j', (text) => {
    expect(parseCheckoutAnswer(text)).toBeUndefined()
  })
})

it('text that is no JSON is undefined, not an error', () => {
  expect(parseJson('<html>')).toBeUndefined()
})
