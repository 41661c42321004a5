import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { openText, sealText } from './sealed-text.ts'

const chance = { hex: (bytes: number) => randomBytes(bytes).toString('hex') } as never

it('a sealed text opens with its own secret, as what it is, unchanged', () => {
  const sealed = sealText({ chance }, 'one secret', 'customer:1', 'ÄBC')
  expect(sealed).not.toContain('ÄBC')
  expect(sealText({ chance }, 'one secret', 'customer:1', 'ÄBC')).not.toBe(sealed)
  expect(openText('one secret', 'customer:1', sealed)).toBe('ÄBC')
  expect(openText('another', 'customer:1', sealed)).toBeNull()
  expect(openText('one secret', 'customer:2', sealed)).toBeNull()
  for (const wrong of ['', 'x', sealed.slice(0, -3), `A${sealed.slice(1)}B`, sealed.replace('.', '.A')]) {
    expect(openText('one secret', 'customer:1', wrong)).toBeNull()
  }
})
