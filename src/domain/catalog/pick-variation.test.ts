import { describe, expect, it } from 'vitest'
import { pickVariation } from './pick-variation.ts'

const variation = (
  attributes: Record<string, string>,
  { onSale = false, available = true }: { onSale?: boolean; available?: boolean } = {},
) => ({ attributes, onSale, available })
const chalk = variation({ pa_colour: 'chalk' })
const moss = variation({ pa_colour: 'moss' })
const ink = variation({ pa_colour: 'ink' }, { onSale: true })
const wants = (values: Record<string, string[]>, onSale = false) => ({ values, onSale })

describe('the variation that a list shows', () => {
  it('is the one that the list is narrowed to', () => {
    expect(pickVariation([chalk, moss, ink], wants({ pa_colour: ['moss'] }))).toEqual({
      variation: moss,
      choice: { pa_colour: 'moss' },
    })
    expect(pickVariation([chalk, moss, ink], wants({ pa_colour: ['ink', 'moss'] }))?.variation).toBe(moss)
  })

  it('is one that can be bought, if there is one', () => {
    const gone = variation({ pa_colour: 'moss', pa_size: 'small' }, { available: false })
    const there = variation({ pa_colour: 'moss', pa_size: 'large' })
    expect(pickVariation([gone, there], wants({ pa_colour: ['moss'] }))?.variation).toBe(there)
    expect(pickVariation([gone], wants({ pa_colour: ['moss'] }))?.variation).toBe(gone)
  })

  it('chooses what was wanted, and further attributes only where there is no other value', () => {
    const small = variation({ pa_colour: 'moss', pa_size: 'small', pa_glaze: 'matt' })
    const large = variation({ pa_colour: 'moss', pa_size: 'large', pa_glaze: 'matt' })
    expect(pickVariation([chalk, small, large], wants({ pa_colour: ['moss'] }))?.choice).toEqual({
      pa_colour: 'moss',
      pa_glaze: 'matt',
    })
    expect(pickVariation([chalk, small], wants({ pa_colour: ['moss'] }))?.choice).toEqual(small.attributes)
  })

  it('may leave open what is wanted: its address chooses it', () => {
    const any = variation({ pa_colour: '', pa_size: 'small' })
    const fixed = variation({ pa_colour: 'chalk', pa_size: 'large' })
    expect(pickVariation([fixed, any], wants({ pa_colour: ['moss'] }))).toEqual({
      variation: any,
      choice: { pa_colour: 'moss', pa_size: 'small' },
    })
  })

  it('is one on sale in a list of offers', () => {
    expect(pickVariation([chalk, moss, ink], wants({}, true))?.variation).toBe(ink)
    expect(pickVariation([ink], wants({}, true))).toBeNull()
  })

  it('is none where the product does not vary by it, or no single one meets all', () => {
    expect(pickVariation([chalk, moss], wants({ pa_material: ['stoneware'] }))).toBeNull()
    expect(pickVariation([chalk, moss], wants({}))).toBeNull()
    const mossSmall = variation({ pa_colour: 'moss', pa_size: 'small' })
    const inkLarge = variation({ pa_colour: 'ink', pa_size: 'large' })
    expect(pickVariation([mossSmall, inkLarge], wants({ pa_colour: ['moss'], pa_size: ['large'] }))).toBeNull()
  })
})
