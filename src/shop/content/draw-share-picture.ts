import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SchemeColours } from '#contract/theme/scheme-colours.ts'
import { sharePictureSize } from './share-picture-name.ts'
import { type Letters, setText } from './share-picture-text.ts'

export type ShareDrawing = {
  shop: string
  tagline: string
  colours: SchemeColours
  /** '' for the shop itself. */
  name: string
  image: { hash: string; widths: readonly number[] } | null
}

/** Product images are upright: shown whole, they leave the rest for text. */
const photoWidth = 504
const { width, height } = sharePictureSize
const margin = 72
const nameSizes = [104, 96, 88, 80, 72, 64, 58, 52, 46]
const quality = 84

/**
 * Draws the share image of a page: its image, its name in the shop's font, and the shop's name. @returns a JPEG, which
 * every site supports
 */
export async function drawSharePicture(letters: Letters, drawing: ShareDrawing, mediaDir: string): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  sharp.concurrency(1)
  sharp.cache(false)
  const photo = drawing.image && (await photoOf(drawing.image, mediaDir))
  const jpeg = { quality, mozjpeg: true, chromaSubsampling: '4:4:4' }
  // Boxes for missing glyphs would be worse than the image alone.
  if (photo && !letters.knows(drawing.name))
    return sharp(photo).resize(width, height, { fit: 'cover' }).jpeg(jpeg).toBuffer()
  const words = Buffer.from(wordsOf(letters, drawing, photo === null ? width : width - photoWidth))
  const background = photo ? drawing.colours['--ground'] : drawing.colours['--surface']
  const placed = photo
    ? [
        {
          input: await sharp(photo).resize(photoWidth, height, { fit: 'cover' }).toBuffer(),
          left: width - photoWidth,
          top: 0,
        },
      ]
    : []
  return sharp({ create: { width, height, channels: 3, background } })
    .composite([...placed, { input: words, left: 0, top: 0 }])
    .jpeg(jpeg)
    .toBuffer()
}

/** Returns the smallest variant that fills the space. @returns null when its file is missing */
async function photoOf({ hash, widths }: NonNullable<ShareDrawing['image']>, mediaDir: string): Promise<Buffer | null> {
  const fitting = widths.filter((one) => one >= photoWidth)
  const chosen = fitting.length > 0 ? Math.min(...fitting) : Math.max(...widths)
  return readFile(join(mediaDir, `${hash}-${chosen}.webp`)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
}

function wordsOf(letters: Letters, { shop, tagline, colours, name }: ShareDrawing, panel: number): string {
  const room = panel - 2 * margin
  const [large, small] = name === '' ? [shop, tagline] : [name, shop]
  let above = ''
  if (small !== '' && letters.knows(small)) {
    const { size, lines } = setText(letters, small, { width: room, sizes: [38, 34, 30], mostLines: 2 })
    above = lines.map((line, nr) => letters.line(line, size, margin, margin + size * (0.78 + nr * 1.25))).join('')
  }
  const accent = `<path fill="${colours['--accent']}" d="M${margin} ${height - margin}h56v4h-56z"/>`
  let title = ''
  if (large !== '' && letters.knows(large)) {
    const { size, lines } = setText(letters, large, { width: room, sizes: nameSizes, mostLines: 4 })
    const last = height - margin - 52
    title = lines
      .map((line, nr) => letters.line(line, size, margin, last - (lines.length - 1 - nr) * size * 1.08))
      .join('')
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${panel}" height="${height}">`,
    `<g fill="${colours['--ink-soft']}">${above}</g>`,
    `<g fill="${colours['--ink']}">${title}</g>`,
    accent,
    '</svg>',
  ].join('')
}
