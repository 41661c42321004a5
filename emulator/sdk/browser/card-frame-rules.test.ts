import { describe, expect, it } from 'vitest'
import {
  checkCvv,
  checkExpiry,
  checkName,
  checkNumber,
  formattedExpiry,
  formattedNumber,
  isoExpiry,
  passesLuhn,
  possibleBrands,
} from './card-frame-rules.ts'

const types = (number: string) => possibleBrands(number).map(({ type }) => type)

describe('brands', () => {
  it.each([
    ['41', 'visa'],
    ['51', 'mastercard'],
    ['2221', 'mastercard'],
    ['2720', 'mastercard'],
    ['34', 'american-express'],
    ['305', 'diners-club'],
    ['6011', 'discover'],
    ['3528', 'jcb'],
    ['6221', 'unionpay'],
    ['6759', 'maestro'],
    ['438935', 'elo'],
    ['637095', 'hiper'],
    ['606282', 'hipercard'],
  ])('%s is %s', (number, type) => {
    expect(types(number)).toEqual([type])
  })

  it('stay open while digits that would decide are missing', () => {
    expect(types('')).toHaveLength(11)
    // A 4 may become Visa or Elo, a 3 one of three brands.
    expect(types('4')).toEqual(['visa', 'elo'])
    expect(types('3')).toEqual(['american-express', 'diners-club', 'jcb'])
    expect(types('2721')).toEqual([])
    expect(types('99')).toEqual([])
  })
})

describe('numbers', () => {
  it('need a known brand, its length and the check digit', () => {
    expect(checkNumber('4111 1111 1111 1111')).toMatchObject({ isValid: true, refused: false })
    expect(checkNumber('4111111111111112').isValid).toBe(false)
    expect(checkNumber('411111111111111').isValid).toBe(false)
    expect(checkNumber('378282246310005').isValid).toBe(true)
    expect(checkNumber('9999')).toMatchObject({ isEmpty: false, isValid: false, isPotentiallyValid: false })
    expect(checkNumber('')).toMatchObject({ isEmpty: true, isValid: false, isPotentiallyValid: true })
  })

  it('cannot become valid once they are as long as their brand allows and wrong', () => {
    expect(checkNumber('5555555555554443').isPotentiallyValid).toBe(false)
    // Visa has longer numbers, so sixteen wrong digits may still be the beginning of nineteen.
    expect(checkNumber('4111111111111112').isPotentiallyValid).toBe(true)
  })

  it('of brands that are not taken are refused', () => {
    expect(checkNumber('378282246310005', ['american-express'])).toMatchObject({ isValid: false, refused: true })
    expect(checkNumber('4111111111111111', ['american-express']).refused).toBe(false)
    expect(checkNumber('', ['american-express']).refused).toBe(false)
  })

  it('pass the check of Luhn by hand', () => {
    // 7992739871 with the check digit 3: the doubled digits sum to 27, the others to 43.
    expect(passesLuhn('79927398713')).toBe(true)
    expect(passesLuhn('79927398710')).toBe(false)
    expect(passesLuhn('')).toBe(false)
  })

  it('get the gaps of their brand', () => {
    expect(formattedNumber('4111111111111111')).toBe('4111 1111 1111 1111')
    expect(formattedNumber('37828224631000599')).toBe('3782 822463 10005')
    expect(formattedNumber('41x1-1')).toBe('4111')
  })
})

describe('expiry dates', () => {
  const now = new Date(2026, 10, 21)

  it('are good to the end of their month, for nineteen years', () => {
    expect(checkExpiry('11 / 26', now).isValid).toBe(true)
    expect(checkExpiry('10 / 26', now)).toMatchObject({ isValid: false, isPotentiallyValid: false })
    expect(checkExpiry('12 / 45', now).isValid).toBe(true)
    expect(checkExpiry('01 / 46', now).isValid).toBe(false)
  })

  it('may be unfinished, but not with a month that does not exist', () => {
    expect(checkExpiry('', now)).toEqual({ isEmpty: true, isValid: false, isPotentiallyValid: true })
    expect(checkExpiry('1', now).isPotentiallyValid).toBe(true)
    expect(checkExpiry('12 / 20', now).isPotentiallyValid).toBe(true)
    expect(checkExpiry('00', now).isPotentiallyValid).toBe(false)
  })

  it.each([
    ['4', '04'],
    ['1', '1'],
    ['13', '01 / 3'],
    ['1/', '01'],
    ['1230', '12 / 30'],
    ['122031', '12 / 2031'],
  ])('are written out while they are typed: %s', (typed, shown) => {
    expect(formattedExpiry(typed)).toBe(shown)
  })

  it('are sent as year and month', () => {
    expect(isoExpiry('04 / 30')).toBe('2030-04')
    expect(isoExpiry('12 / 2031')).toBe('2031-12')
    expect(isoExpiry('13 / 30')).toBeUndefined()
  })
})

it('security codes have the length that the possible brands print', () => {
  expect(checkCvv('123', [3]).isValid).toBe(true)
  expect(checkCvv('123', [4])).toMatchObject({ isValid: false, isPotentiallyValid: true })
  expect(checkCvv('1234', [3, 4]).isValid).toBe(true)
})

it('names may be left out, and are no card numbers', () => {
  expect(checkName('').isValid).toBe(true)
  expect(checkName('Zoë O’Neill 3rd').isValid).toBe(true)
  expect(checkName('4111 1111 1111 1111').isValid).toBe(false)
})
