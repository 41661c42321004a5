import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { asKept, compare, readSmall, type Small } from './compare.ts'

/** A window of 360 with lines of text, a button, and a heading, drawn as a page would be. */
async function aPage({
  button = '#1f4d3f',
  y = 300,
  text = 'Stoneware for every day',
  height = 700,
} = {}): Promise<Small> {
  const lines = Array.from(
    { length: 8 },
    (_, line) => `<text x="16" y="${120 + line * 20}" font-size="14">${text}</text>`,
  )
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="360" height="${height}"><rect width="360" height="${height}" fill="#fff"/>
    <text x="16" y="60" font-size="32">Vases</text>${lines.join('')}
    <rect x="16" y="${y}" width="328" height="48" fill="${button}"/></svg>`
  return readSmall(await asKept(await sharp(Buffer.from(svg)).png().toBuffer(), 360))
}

describe('comparing what pages look like', () => {
  it('sees no difference in the same page, kept twice', async () => {
    expect(compare(await aPage(), await aPage()).differs).toBe(0)
  })

  it('does not mind letters of another drawing', async () => {
    const differs = compare(await aPage(), await aPage({ text: 'Stoneware for every dav.' })).differs
    expect(differs).toBeLessThan(0.01)
  })

  it('sees a button of another colour, one that stands elsewhere, and a page that has grown', async () => {
    const before = await aPage()
    expect(compare(before, await aPage({ button: '#8a2b1f' })).differs).toBeGreaterThan(0.03)
    expect(compare(before, await aPage({ y: 380 })).differs).toBeGreaterThan(0.03)
    expect(compare(before, await aPage({ height: 800 })).differs).toBeGreaterThan(0.1)
  })
})
