import sharp, { type Sharp } from 'sharp'
import { at } from './mesh.ts'
import { hash } from './noise.ts'

/** Colours deepen each other between close surfaces; a print shows a little less of it. */
const SATURATION = 0.84

/** Linear light to a finished photograph: glow round bright places, a soft shoulder, darker corners, fine grain. */
export async function develop(
  light: Float32Array,
  width: number,
  height: number,
  { bloom = 0.06, seed = 1 } = {},
): Promise<Sharp> {
  const spread = await blurred(light, width, height)
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
        shown[channel] = tone((at(light, k) + at(spread, k) * bloom * 4) * corner)
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

/** What is brighter than paper white, spread wide. */
async function blurred(light: Float32Array, width: number, height: number): Promise<Float32Array> {
  const scale = 6
  const [w, h] = [Math.ceil(width / scale), Math.ceil(height / scale)]
  const small = new Uint8Array(w * h * 3)
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      for (let channel = 0; channel < 3; channel++) {
        let sum = 0
        for (let s = 0; s < scale * scale; s++) {
          const px = Math.min(width - 1, x * scale + (s % scale))
          const py = Math.min(height - 1, y * scale + Math.floor(s / scale))
          sum += Math.max(0, at(light, (py * width + px) * 3 + channel) - 0.95)
        }
        small[(y * w + x) * 3 + channel] = Math.min(255, (sum / (scale * scale)) * 120)
      }
    }
  }
  const raw = { raw: { width: w, height: h, channels: 3 as const } }
  const soft = await sharp(small, raw)
    .blur(Math.max(1, width / scale / 22))
    .raw()
    .toBuffer()
  const wide = await sharp(soft, raw).resize(width, height, { kernel: 'cubic' }).raw().toBuffer()
  return Float32Array.from(wide, (value) => value / 120)
}
