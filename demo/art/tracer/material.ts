import type { Hit } from './tree.ts'

/** Linear light, not sRGB. */
export type Colour = { r: number; g: number; b: number }

/** Writes the colour of a surface at a point. */
export type Paint = (spot: Hit, out: Colour) => void

export type Material = {
  paint: Paint
  /** How strongly the clear layer on top mirrors, 0..1, and how blurred. */
  coat: number
  roughness: number
  metal: boolean
  glass: { tint: Colour; ior: number } | null
  /** Light it sends out by itself, as a multiple of its paint. */
  glow: number
  /** Soft light at grazing angles, as fibres have. */
  sheen: number
  /** Light shines through from behind, as through a leaf, 0..1. */
  thin: number
  bump: { height: (spot: Hit) => number; strength: number } | null
  /** Has a pattern finer than a few pixels, so every pixel is sampled several times. */
  detail: boolean
  shadow: boolean
}

export function linear(hex: string): Colour {
  const channel = (index: number) => {
    const value = Number.parseInt(hex.slice(1 + index * 2, 3 + index * 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return { r: channel(0), g: channel(1), b: channel(2) }
}

export function plain(hex: string): Paint {
  const { r, g, b } = linear(hex)
  return (_, out) => {
    out.r = r
    out.g = g
    out.b = b
  }
}

/** One paint or the other, or between the two where `share` is between 0 and 1. */
export function blend(a: Paint, b: Paint, share: (spot: Hit) => number): Paint {
  const other = { r: 0, g: 0, b: 0 }
  return (spot, out) => {
    const part = share(spot)
    a(spot, out)
    if (part <= 0) return
    b(spot, other)
    out.r += (other.r - out.r) * part
    out.g += (other.g - out.g) * part
    out.b += (other.b - out.b) * part
  }
}

/** A paint made lighter or darker. */
export function shaded(paint: Paint, factor: (spot: Hit) => number): Paint {
  return (spot, out) => {
    paint(spot, out)
    const by = factor(spot)
    out.r *= by
    out.g *= by
    out.b *= by
  }
}

const base: Material = {
  paint: plain('#888888'),
  coat: 0,
  roughness: 0.5,
  metal: false,
  glass: null,
  glow: 0,
  sheen: 0,
  thin: 0,
  bump: null,
  detail: false,
  shadow: true,
}

const asPaint = (paint: Paint | string) => (typeof paint === 'string' ? plain(paint) : paint)

export function matte(paint: Paint | string, more: Partial<Material> = {}): Material {
  return { ...base, paint: asPaint(paint), coat: 0.12, roughness: 0.85, ...more }
}

export function glazed(paint: Paint | string, more: Partial<Material> = {}): Material {
  return { ...base, paint: asPaint(paint), coat: 0.85, roughness: 0.12, ...more }
}

export function cloth(paint: Paint | string, more: Partial<Material> = {}): Material {
  return { ...base, paint: asPaint(paint), sheen: 0.35, detail: true, ...more }
}

export function metal(paint: Paint | string, roughness = 0.25, more: Partial<Material> = {}): Material {
  return { ...base, paint: asPaint(paint), coat: 1, roughness, metal: true, ...more }
}

/** `tint` is what one wall lets through. */
export function glass(tint = '#f4f8f7', ior = 1.48): Material {
  return { ...base, paint: plain(tint), coat: 1, roughness: 0.02, glass: { tint: linear(tint), ior } }
}

export function leafy(paint: Paint | string, more: Partial<Material> = {}): Material {
  return { ...base, paint: asPaint(paint), coat: 0.3, roughness: 0.45, thin: 0.5, ...more }
}

export function glowing(paint: Paint | string, glow: number, more: Partial<Material> = {}): Material {
  return { ...base, paint: asPaint(paint), glow, shadow: false, coat: 0.1, roughness: 0.7, ...more }
}
