import sharp from 'sharp'

/** A page as small as it can be kept and still be recognised: pixels of three channels. */
export type Small = { readonly data: Buffer; readonly width: number; readonly height: number }

/** Width of what is kept, by the width of the window: text turns into grey, edges stay where they are. */
const keptWidths: Readonly<Record<number, number>> = { 360: 180, 768: 256, 1280: 320, 1920: 384 }
/** The rest of a long page repeats what is above. */
const tallest = 1000
const quality = 60

/** What is compared and what is kept of a screenshot. */
export async function asKept(screenshot: Buffer, windowWidth: number): Promise<Buffer> {
  const width = keptWidths[windowWidth] ?? 320
  const picture = sharp(screenshot).removeAlpha().resize({ width, kernel: 'lanczos3' })
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true })
  return sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } })
    .extract({ left: 0, top: 0, width: info.width, height: Math.min(info.height, tallest) })
    .webp({ quality, effort: 4 })
    .toBuffer()
}

export async function readSmall(kept: Buffer): Promise<Small> {
  const { data, info } = await sharp(kept).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

export type Verdict = {
  /** Part of the blocks that look different, from 0 to 1; what only one of the two has counts as different. */
  readonly differs: number
  /** Left upper corners of the blocks, in kept pixels. */
  readonly where: readonly (readonly [x: number, y: number])[]
}

const block = 8
/** By how much the mean of a block may change in a channel: antialiasing and compression stay far below. */
const tolerance = 20

/** Compares block by block, and looks one block of letters up and down, since a line may wrap a hair earlier elsewhere. */
export function compare(before: Small, after: Small): Verdict {
  const columns = Math.ceil(Math.max(before.width, after.width) / block)
  const rows = Math.ceil(Math.max(before.height, after.height) / block)
  const where: [number, number][] = []
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const [x, y] = [column * block, row * block]
      if (!isAlike(before, after, x, y)) where.push([x, y])
    }
  }
  return { differs: where.length / (columns * rows), where }
}

const slips = [0, -2, 2, -4, 4]

function isAlike(before: Small, after: Small, x: number, y: number): boolean {
  const wanted = meanOf(before, x, y)
  return slips.some((slip) => {
    const found = meanOf(after, x, y + slip)
    if (!wanted || !found) return wanted === found
    return wanted.every((value, channel) => Math.abs(value - (found[channel] ?? 0)) <= tolerance)
  })
}

/** Null: outside the picture. */
function meanOf({ data, width, height }: Small, left: number, top: number): readonly number[] | null {
  const right = Math.min(left + block, width)
  const bottom = Math.min(top + block, height)
  const first = Math.max(0, top)
  if (left >= right || first >= bottom) return null
  const sums = [0, 0, 0]
  for (let y = first; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      for (let channel = 0; channel < 3; channel += 1) {
        sums[channel] = (sums[channel] ?? 0) + (data[(y * width + x) * 3 + channel] ?? 0)
      }
    }
  }
  const count = (right - left) * (bottom - first)
  return sums.map((sum) => sum / count)
}

/** Before, after, and after with what differs in red, side by side. */
export async function sideBySide(before: Small, after: Small, { where }: Verdict): Promise<Buffer> {
  const marked = Buffer.from(after.data)
  for (const [left, top] of where) {
    for (let y = top; y < Math.min(top + block, after.height); y += 1) {
      for (let x = left; x < Math.min(left + block, after.width); x += 1) marked[(y * after.width + x) * 3] = 255
    }
  }
  const png = ({ data, width, height }: Small) =>
    sharp(data, { raw: { width, height, channels: 3 } })
      .png()
      .toBuffer()
  const panes = await Promise.all([png(before), png(after), png({ ...after, data: marked })])
  const width = Math.max(before.width, after.width) + block
  return sharp({
    create: { width: width * 3, height: Math.max(before.height, after.height), channels: 3, background: '#888' },
  })
    .composite(panes.map((input, place) => ({ input, left: place * width, top: 0 })))
    .png()
    .toBuffer()
}
