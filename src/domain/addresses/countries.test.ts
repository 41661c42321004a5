import { describe, expect, it } from 'vitest'
import { continentOf, countryCodes } from './countries.ts'

describe('countries', () => {
  it('are the 249 of the standard, each with a name and one continent', () => {
    const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
    expect(countryCodes).toHaveLength(249)
    expect(countryCodes.filter((code) => !names.of(code))).toEqual([])
    expect([continentOf('US'), continentOf('DE'), continentOf('JP'), continentOf('XX')]).toEqual([
      'NA',
      'EU',
      'AS',
      null,
    ])
  })
})
