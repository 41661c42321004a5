import sharp, { type Sharp } from 'sharp'
import { at } from './mesh.ts'
import { hash } from './noise.ts'

/** Colours deepen each other between close surfaces; a print shows a little less of it. */
const SATURATION = 0.84

/** Linear light to a finished photograph: glow round bright places, a soft shoulder, darker corners, fine grain. */
export function develop(light: Float32Array, width: number, height: number, { bloom = 0.06, seed = 1 } = {}): Sharp {
  const halo = blurred(light, width, height)
  const bytes = new Uint8Array(width * height * 3)
  const shown = new Float32Array(3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const pixel = y * width + x
      const [across, down] = [x / width - 0.46, y / height - 0.48]
      const corner = 1.03 - 0.2 * (across * across * 0.9 + down * down)
      const grain = (hash(x, y, seed) + hash(x, y, seed + 77) - 1) * 0.011
      for (let channel = 0; channel < 3; channel++) {
        const k = pixel * 3 + channel
        shown[channel] = tone((at(light, k) + at(halo, k) * bloom * 4) * corner)
      }
      const grey = at(shown, 0) * 0.3 + at(shown, 1) * 0.59 + at(shown, 2) * 0.11
      for (let channel = 0; channel < 3; channel++) {
        const value = grey + (at(shown, channel) - grey) * SATURATION + grain
        bytes[pixel * 3 + channel] = Math.round(255 * Math.min(1, Math.max(0, value)))
      }
    }
  }
  return sharp(bytes, { raw: { width, height, channels: 3 } })
}

/** Display value 0..1: sRGB up to a knee, then bent so that white is reached slowly. */
function tone(value: number): number {
  const knee = 0.62
  const kept = value < knee ? value : knee + (1 - knee) * (1 - Math.exp(-(value - knee) / (1 - knee)))
  const encoded = kept <= 0.0031308 ? kept * 12.92 : 1.055 * Math.max(kept, 0) ** (1 / 2.4) - 0.055
  // A little contrast round the middle.
  return encoded + 0.05 * Math.sin((encoded - 0.5) * 2 * Math.PI) * -0.5 * (encoded < 0.5 ? 0.9 : 0.5)
}

/** What is brighter than paper white, spread wide: gathered on a coarse grid, blurred, and read back between its cells. */
function blurred(light: Float32Array, width: number, height: number): Float32Array {
  const scale = 6
  const [w, h] = [Math.ceil(width / scale), Math.ceil(height / scale)]
  let small: Float32Array = new Float32Array(w * h * 3)
  for (let y = 0; y < h * scale; y++) {
    for (let x = 0; x < w * scale; x++) {
      const source = (Math.min(height - 1, y) * width + Math.min(width - 1, x)) * 3
      const target = (Math.floor(y / scale) * w + Math.floor(x / scale)) * 3
      for (let channel = 0; channel < 3; channel++) {
        const above = Math.max(0, at(light, source + channel) - 0.95)
        small[target + channel] = at(small, target + channel) + above / (scale * scale)
      }
    }
  }
  const sigma = width / scale / 22
  small = spread(spread(small, w, h, sigma, true), w, h, sigma, false)
  const wide = new Float32Array(width * height * 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [fx, fy] = [Math.max(0, (x + 0.5) / scale - 0.5), Math.max(0, (y + 0.5) / scale - 0.5)]
      const [i, j] = [Math.floor(fx), Math.floor(fy)]
      const [u, v] = [fx - i, fy - j]
      const cell = (a: number, b: number) => (Math.min(h - 1, b) * w + Math.min(w - 1, a)) * 3
      const corners = [cell(i, j), cell(i + 1, j), cell(i, j + 1), cell(i + 1, j + 1)] as const
      for (let channel = 0; channel < 3; channel++) {
        const top = at(small, corners[0] + channel) * (1 - u) + at(small, corners[1] + channel) * u
        const bottom = at(small, corners[2] + channel) * (1 - u) + at(small, corners[3] + channel) * u
        wide[(y * width + x) * 3 + channel] = top * (1 - v) + bottom * v
      }
    }
  }
  return wide
}

/** A Gaussian along rows or columns. */
function spread(source: Float32Array, w: number, h: number, sigma: number, alongRows: boolean): Float32Array {
  const reach = Math.ceil(sigma * 3)
  const weights = Array.from({ length: 2 * reach + 1 }, (_, k) => Math.exp(-((k - reach) ** 2) / (2 * sigma * sigma)))
  const sum = weights.reduce((a, b) => a + b)
  const result = new Float32Array(source.length)
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      for (let k = -reach; k <= reach; k++) {
        const i = alongRows ? Math.min(w - 1, Math.max(0, x + k)) : x
        const j = alongRows ? y : Math.min(h - 1, Math.max(0, y + k))
        const weight = (weights[k + reach] ?? 0) / sum
        for (let channel = 0; channel < 3; channel++) {
          const target = (y * w + x) * 3 + channel
          result[target] = at(result, target) + at(source, (j * w + i) * 3 + channel) * weight
        }
      }
    }
  }
  return result
}
