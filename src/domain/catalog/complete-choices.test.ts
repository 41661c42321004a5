import { describe, expect, it } from 'vitest'
import { completeChoices } from './complete-choices.ts'

const colour = { slug: 'colour', values: ['sand', 'moss'] }
const size = { slug: 'size', values: ['small', 'large'] }
const choices = (variations: { attributes: Record<string, string> }[], most = 100) =>
  completeChoices(variations, [colour, size], most).map(({ variation, choice }) => [
    variations.indexOf(variation),
    choice.colour,
    choice.size,
  ])

describe('complete choices', () => {
  it('have each value of an attribute that a variation leaves open', () => {
    expect(choices([{ attributes: { colour: 'sand', size: '' } }])).toEqual([
      [0, 'sand', 'small'],
      [0, 'sand', 'large'],
    ])
    expect(choices([{ attributes: {} }])).toHaveLength(4)
  })

  it('mean the first variation that fits, as the cart does', () => {
    const large = { attributes: { colour: 'sand', size: 'large' } }
    const any = { attributes: { colour: '', size: 'large' } }
    expect(choices([large, any])).toEqual([
      [0, 'sand', 'large'],
      [1, 'moss', 'large'],
    ])
    expect(choices([any, large])).toEqual([
      [0, 'sand', 'large'],
      [0, 'moss', 'large'],
    ])
  })

  it('leave open what would be too much to write out', () => {
    expect(choices([{ attributes: { colour: '', size: '' } }], 3)).toEqual([[0, '', '']])
  })
})
