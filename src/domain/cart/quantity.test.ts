import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canStep, type QuantityInput, raisedToMin, steppedQuantity } from './quantity.ts'

const both = (current: string | number, min?: string, max?: string, step?: string) => {
  const input: QuantityInput = { current, min, max, step }
  return [steppedQuantity(input, 'plus'), steppedQuantity(input, 'minus')]
}

describe('steppedQuantity', () => {
  it('QTY-02 plus adds the step, 1 when missing or any, capped at the maximum', () => {
    expect(both('1')[0]).toBe(2)
    expect(both('1', undefined, undefined, 'any')[0]).toBe(2)
    expect(both('1', '', '', '')[0]).toBe(2)
    expect(both('9', '0', '10', '5')[0]).toBe(10)
    expect(both('12', undefined, '10', '1')[0]).toBe(10)
    expect(both('1', undefined, undefined, '-2')[0]).toBe(2)
  })

  it('QTY-03 minus takes the step off, not below the minimum, 0 when missing', () => {
    expect(both('1')[1]).toBe(0)
    expect(both('9', '0', '10', '5')[1]).toBe(4)
    expect(both('3', undefined, undefined, '5')[1]).toBe(0)
    expect(both('1', '1', '5', '1')).toEqual([2, 1])
    expect(both('12', undefined, '10', '1')[1]).toBe(10)
  })

  it('QTY-04 empty or not a number counts as 0', () => {
    expect(both('')).toEqual([1, 0])
    expect(both('x')).toEqual([1, 0])
    expect(both(Number.NaN)).toEqual([1, 0])
  })

  it('QTY-06 decimal steps keep their precision', () => {
    expect(both('0.2', '0', '1', '0.1')).toEqual([0.3, 0.1])
    expect(both('0.1', undefined, undefined, '0.2')[0]).toBe(0.3)
    expect(both(1e-7, undefined, undefined, '0.0000001')[0]).toBe(2e-7)
    fc.assert(
      fc.property(
        fc.nat(100_000),
        fc.integer({ min: 1, max: 1000 }),
        fc.integer({ min: 0, max: 4 }),
        (units, step, decimals) => {
          const text = (value: number) => `${value}e-${decimals}`
          expect(steppedQuantity({ current: text(units), step: text(step) }, 'plus')).toBe(Number(text(units + step)))
        },
      ),
    )
  })

  it('a maximum of 0 means sold out: the value is 0 and no button does anything', () => {
    expect(both('1', undefined, '0', '1')[0]).toBe(0)
    expect([canStep({ current: 0, max: 0 }, 'plus'), canStep({ current: 0, max: 0 }, 'minus')]).toEqual([false, false])
  })

  it('a button at its bound does nothing', () => {
    expect([canStep({ current: '10', max: '10' }, 'plus'), canStep({ current: '9', max: '10' }, 'plus')]).toEqual([
      false,
      true,
    ])
    expect([canStep({ current: '1', min: '1' }, 'minus'), canStep({ current: '2', min: '1' }, 'minus')]).toEqual([
      false,
      true,
    ])
  })
})

it('QTY-01 a value below a minimum that is not negative becomes the minimum', () => {
  expect([
    raisedToMin('0', '1'),
    raisedToMin('3', '1'),
    raisedToMin('-5', '-1'),
    raisedToMin('', '2'),
    raisedToMin('1', ''),
  ]).toEqual([1, 3, -5, 2, 1])
})
