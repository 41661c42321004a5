import { describe, expect, it } from 'vitest'
import { availableOptions, keepPossible, lookUpVariation, matchVariation, variationMatches } from './match-variation.ts'

const variation = (id: number, pa_colour: string, size: string, active = true) => ({
  id,
  attributes: { pa_colour, size },
  active,
})
const slugs = ['pa_colour', 'size']
const shirts = [
  variation(1, 'red', 'S'),
  variation(2, 'red', 'M', false),
  variation(3, 'blue', 'M'),
  variation(4, 'green', ''),
]
const colours = ['red', 'blue', 'green', 'black']
const sizes = ['S', 'M', 'L']

describe('matchVariation', () => {
  it('an empty value on either side agrees with everything', () => {
    expect(variationMatches({ pa_colour: '', size: 'S' }, { pa_colour: 'red', size: '' })).toBe(true)
    expect(variationMatches({ pa_colour: 'red' }, {})).toBe(true)
    expect(variationMatches({ pa_colour: 'red' }, { pa_colour: 'blue' })).toBe(false)
  })

  it('waits until everything is chosen, then the first match wins', () => {
    expect(matchVariation(shirts, slugs, { pa_colour: 'red', size: '' })).toBeUndefined()
    expect(matchVariation(shirts, slugs, { pa_colour: 'green', size: 'L' })?.id).toBe(4)
    expect(matchVariation([variation(9, '', ''), ...shirts], slugs, { pa_colour: 'red', size: 'S' })?.id).toBe(9)
    expect(matchVariation(shirts, slugs, { pa_colour: 'blue', size: 'S' })).toBeUndefined()
  })
})

describe('availableOptions', () => {
  it('shows the options of variations that go with the other choices', () => {
    expect(availableOptions(shirts, 'pa_colour', colours, { pa_colour: 'red', size: 'S' })).toEqual([
      { value: 'red', enabled: true },
      { value: 'green', enabled: true },
    ])
  })

  it('an any value attaches every option, an inactive variation attaches without enabling', () => {
    expect(availableOptions(shirts, 'size', sizes, { pa_colour: 'green', size: '' }).map(({ value }) => value)).toEqual(
      sizes,
    )
    expect(availableOptions(shirts, 'size', sizes, { pa_colour: 'red', size: '' })).toEqual([
      { value: 'S', enabled: true },
      { value: 'M', enabled: false },
    ])
    expect(
      availableOptions([...shirts, variation(5, 'red', '')], 'size', sizes, { pa_colour: 'red', size: '' }),
    ).toEqual([
      { value: 'S', enabled: true },
      { value: 'M', enabled: true },
      { value: 'L', enabled: true },
    ])
  })
})

describe('keepPossible', () => {
  it('lets go of a value that is no longer possible and keeps the others', () => {
    const options = { pa_colour: colours, size: sizes }
    expect(keepPossible(shirts, options, { pa_colour: 'blue', size: 'M' })).toEqual({ pa_colour: 'blue', size: 'M' })
    expect(keepPossible(shirts, options, { pa_colour: 'black', size: 'S' })).toEqual({ pa_colour: '', size: 'S' })
    expect(keepPossible(shirts, options, { pa_colour: 'red', size: 'M' })).toEqual({ pa_colour: '', size: 'M' })
  })
})

describe('lookUpVariation', () => {
  it('takes the first variation that the posted values name', () => {
    expect(lookUpVariation(shirts, { pa_colour: 'blue', size: 'M' })?.id).toBe(3)
    expect(lookUpVariation(shirts, { pa_colour: 'green' })?.id).toBe(4)
  })

  it('does not guess a fixed attribute that was not posted', () => {
    expect(lookUpVariation(shirts, { pa_colour: 'blue' })).toBeUndefined()
    expect(lookUpVariation(shirts, { pa_colour: 'blue', size: '' })).toBeUndefined()
    expect(lookUpVariation([{ attributes: { constructor: 'x' } }], {})).toBeUndefined()
  })
})
