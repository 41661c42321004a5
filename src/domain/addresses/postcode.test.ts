import { describe, expect, it } from 'vitest'
import { formatPostcode, isPostcode } from './postcode.ts'

describe('postcodes', () => {
  it.each([
    ['11455', 'SE', '114 55'],
    ['cz11000', 'CZ', 'CZ-110 00'],
    ['11000', 'CZ', '110 00'],
    ['k1a0b1', 'CA', 'K1A 0B1'],
    ['sw1a1aa', 'GB', 'SW1A 1AA'],
    ['d02x285', 'IE', 'D02 X285'],
    ['1012ab', 'NL', '1012 AB'],
    ['01001000', 'BR', '01001-000'],
    ['00950', 'PL', '00-950'],
    ['1000001', 'JP', '100-0001'],
    ['１００－０００１', 'JP', '100-0001'],
    ['〒１００ー０００１', 'JP', '100-0001'],
    ['\u200e١١٥١١', 'EG', '11511'],
    ['۱۱۳۶۵-۴۳۵۳', 'IR', '113654353'],
    ['1000205', 'PT', '1000-205'],
    ['021119999', 'US', '02111-9999'],
    ['02111', 'US', '02111'],
    ['1010', 'LV', 'LV-1010'],
    ['LV-1010', 'LV', 'LV-1010'],
    ['dk 1050', 'DK', 'DK-1050'],
    [' 10115 ', 'DE', '10115'],
    ['12', 'GB', '12'],
    ['', 'US', ''],
  ])('"%s" in %s is written %s', (typed, country, formatted) => {
    expect(formatPostcode(typed, country)).toBe(formatted)
  })

  it.each([
    ['AT', '1010', '101'],
    ['BA', '71000', '11000'],
    ['BE', '1000', '10000'],
    ['BR', '01001-000', '01001-00'],
    ['CA', 'K1A 0B1', 'W1A 0B1'],
    ['CA', 'H0H 0H0', 'K1D 0B1'],
    ['CH', '8001', '800'],
    ['CZ', 'CZ-110 00', '1100 0'],
    ['DE', '10115', '00115'],
    ['DK', 'DK-1050', '3900'],
    ['EE', '10111', '1011'],
    ['ES', '28001', '2800A'],
    ['FI', '00100', '001000'],
    ['FR', '75001', '7500'],
    ['GB', 'SW1A 1AA', 'QW1A 1AA'],
    ['GB', 'M1 1AE', 'M1 1CE'],
    ['GB', 'GIR 0AA', 'GIR 0AB'],
    ['GB', 'BFPO 801', 'BFPO 80111'],
    ['GB', 'EC1A 1BB', 'SW1C 1AA'],
    ['HU', '1051', '105'],
    ['IE', 'D02 X285', 'B02 X285'],
    ['IE', 'D6W XY00', 'D6 XY00'],
    ['IN', '110001', '010001'],
    ['IT', '00118', '0011'],
    ['JP', '100-0001', '10-00001'],
    ['LI', '9490', '9479'],
    ['NL', '1012 AB', '1012 SS'],
    ['NO', '0150', '150'],
    ['PL', '00-950', '00950'],
    ['PR', '00901', '0090'],
    ['PT', '1000-205', '1000205'],
    ['SE', '114 55', '11 455'],
    ['SI', '1000', '0100'],
    ['SK', '811 01', '81101 1'],
    ['US', '02111-9999', '0211'],
  ])('in %s, %s is a postcode and %s is none', (country, good, bad) => {
    expect([isPostcode(good, country), isPostcode(bad, country)]).toEqual([true, false])
  })

  it('a country without a known shape takes letters and digits, not signs', () => {
    expect([isPostcode('AB-12 3', 'KE'), isPostcode('AB<12', 'KE'), isPostcode('x', 'constructor')]).toEqual([
      true,
      false,
      true,
    ])
  })
})
