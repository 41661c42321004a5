import { blend, linear, type Paint, plain, shaded } from '../tracer/material.ts'
import { clouds, hash, noise, smoothstep, specks } from '../tracer/noise.ts'
import type { Hit } from '../tracer/tree.ts'

/** The shop's colours: what a glaze, a yarn or a coat of paint is called by. */
export const palette = {
  chalk: '#ece5d8',
  oat: '#d3c0a0',
  clay: '#b4623f',
  rust: '#9c4a2b',
  moss: '#686f55',
  sage: '#a3ad94',
  ink: '#2f363f',
  fog: '#b1b4b2',
  ochre: '#c9953a',
  sea: '#86a8a2',
  blush: '#d9ab97',
} as const

export type Shade = keyof typeof palette

/** Stoneware: a glaze with clouds in it and iron specks. `size` is the size of the largest specks in centimetres. */
export function speckled(hex: string, { speck = '#4a382a', density = 0.16, size = 0.55, depth = 0.07 } = {}): Paint {
  const body = shaded(plain(hex), (s) => 1 + depth * (clouds(s.x * 0.35, s.y * 0.35, s.z * 0.35) - 0.5) * 2)
  return blend(body, plain(speck), (s) => {
    const large = specks(s.x / size, s.y / size, s.z / size, density * 0.4)
    const small = specks(s.x / (size * 0.45), s.y / (size * 0.45), s.z / (size * 0.45) + 9, density)
    return Math.min(1, large * 0.7 + small * 0.55)
  })
}

/** Glaze down to a wavering line, something else below it. `line` is its height in centimetres. */
export function dipped(above: Paint, below: Paint, line: number, waver = 0.5, soft = 0.12): Paint {
  return blend(above, below, (s) => {
    const edge = line + (clouds(s.x * 0.28 + 3, s.y * 0.28, 0, 3) - 0.5) * 2 * waver
    return 1 - smoothstep(edge - soft, edge + soft, s.z)
  })
}

/** A glaze that breaks to another colour where it runs thin: towards the rim and on ridges. */
export function breaking(hex: string, thin: string, from: number, to: number): Paint {
  return blend(plain(hex), plain(thin), (s) => {
    const wave = (clouds(s.x * 0.4, s.y * 0.4, s.z * 0.12) - 0.5) * (to - from) * 1.6
    return smoothstep(from, to, s.z + wave)
  })
}

/** Boards, spoons, furniture: growth rings seen along `axis`. */
export function wood(light: string, dark: string, axis: 'x' | 'y' | 'z', scale = 1): Paint {
  const pick = {
    x: (s: Hit) => [s.x, s.y, s.z],
    y: (s: Hit) => [s.y, s.x, s.z],
    z: (s: Hit) => [s.z, s.x, s.y],
  }[axis]
  return blend(plain(light), plain(dark), (s) => {
    const [along = 0, a = 0, b = 0] = pick(s)
    const drift = clouds(along * 0.035 * scale, a * 0.16 * scale, b * 0.16 * scale + 5, 3) * 7
    const ring = (a * 0.5 + b * 0.28) * scale + drift
    const wave = ring - Math.floor(ring)
    const band = smoothstep(0.1, 0.85, wave) * (1 - smoothstep(0.86, 1, wave))
    const fibre = noise(along * 0.5, a * 14 * scale, b * 14 * scale)
    return band * 0.5 + fibre * 0.28
  })
}

export const oak = (axis: 'x' | 'y' | 'z', scale = 1) => wood('#d2ab78', '#9c713f', axis, scale)
export const walnut = (axis: 'x' | 'y' | 'z', scale = 1) => wood('#8a5c3c', '#4c2e1c', axis, scale)
export const blackened = (axis: 'x' | 'y' | 'z', scale = 1) => wood('#37322e', '#1d1a18', axis, scale)

export function terracotta(hex = '#bb6d4a'): Paint {
  const body = shaded(plain(hex), (s) => 0.93 + 0.16 * clouds(s.x * 0.5, s.y * 0.5, s.z * 0.5))
  return blend(
    body,
    plain('#d9b79f'),
    (s) => 0.3 * smoothstep(0.52, 0.75, clouds(s.x * 0.16, s.y * 0.16, s.z * 0.22 + 4)),
  )
}

export function marble(): Paint {
  return blend(plain('#e9e5df'), plain('#8f8f8d'), (s) => {
    const bend = clouds(s.x * 0.18, s.y * 0.18, s.z * 0.18, 5)
    const vein = Math.abs(Math.sin(s.x * 0.22 + s.z * 0.3 + bend * 9))
    return 0.5 * (1 - smoothstep(0, 0.16, vein)) + 0.12 * bend
  })
}

/** Centimetres across and along a cloth: the two axes its surface runs in. */
export function threads(s: Hit): readonly [number, number] {
  const [x, y, z] = [Math.abs(s.nx), Math.abs(s.ny), Math.abs(s.nz)]
  if (z > x && z > y) return [s.x, s.y]
  return x > y ? [s.y, s.z] : [s.x, s.z]
}

/** Plain weave: over and under, `size` centimetres a thread. The height a relief is made from, 0..1. */
export function weave(size: number, place: (s: Hit) => readonly [number, number] = threads): (s: Hit) => number {
  return (s) => {
    const [a, b] = place(s)
    const [u, v] = [a / size, b / size]
    const over = (Math.floor(u) + Math.floor(v)) % 2 === 0
    const [fu, fv] = [u - Math.floor(u), v - Math.floor(v)]
    const thread = over ? Math.sin(fu * Math.PI) : Math.sin(fv * Math.PI)
    return thread * size * 0.5
  }
}

/** Rows of stitches like small leaning leaves. */
export function knit(size: number, place: (s: Hit) => readonly [number, number] = threads): (s: Hit) => number {
  return (s) => {
    const [a, b] = place(s)
    const column = a / size
    const side = Math.abs(column - Math.floor(column) - 0.5) * 2
    const row = b / (size * 0.8) + side * 0.7
    return size * 0.5 * (Math.sin((row - Math.floor(row)) * Math.PI) * 0.7 + (1 - side) * 0.6)
  }
}

/** Square hollows between raised ridges. */
export function waffle(size: number): (s: Hit) => number {
  return (s) => {
    const [a, b] = threads(s)
    const ridge = (value: number) => Math.abs(value / size - Math.floor(value / size) - 0.5) * 2
    return size * 0.55 * Math.max(ridge(a), ridge(b)) ** 2
  }
}

/** Curled wool: round loops close together. */
export function loops(size: number): (s: Hit) => number {
  return (s) => {
    const [a, b] = threads(s)
    let height = 0
    const [i, j] = [Math.floor(a / size), Math.floor(b / size)]
    for (let x = i - 1; x <= i + 1; x++) {
      for (let y = j - 1; y <= j + 1; y++) {
        const away = Math.hypot(a / size - x - hash(x, y, 1), b / size - y - hash(x, y, 2))
        height = Math.max(height, 1 - away * 1.05)
      }
    }
    return height * size * 0.9
  }
}

/** A cloth's colour: deeper between the threads, uneven as dyed yarn is. */
export function yarn(hex: string, height: (s: Hit) => number, size: number): Paint {
  return shaded(plain(hex), (s) => {
    const [a, b] = threads(s)
    return (0.72 + 0.5 * Math.min(1, height(s) / (size * 0.5))) * (0.93 + 0.14 * noise(a * 2.2, b * 2.2, 3))
  })
}

/** A picture on a surface, by its u and v; v runs up. `flip` mirrors it. */
export type Print = { width: number; height: number; bytes: Uint8Array }

export function printed(
  { width, height, bytes }: Print,
  where: (s: Hit) => readonly [number, number] | null,
  rest: Paint,
): Paint {
  // Display values to light, once for all 256.
  const light = Float32Array.from({ length: 256 }, (_, value) => {
    const byte = value.toString(16).padStart(2, '0')
    return linear(`#${byte}${byte}${byte}`).r
  })
  const read = (x: number, y: number, channel: number) => {
    const k = (Math.min(height - 1, Math.max(0, y)) * width + Math.min(width - 1, Math.max(0, x))) * 3 + channel
    return light[bytes[k] ?? 0] ?? 0
  }
  return (spot, out) => {
    const place = where(spot)
    if (!place || place[0] < 0 || place[0] > 1 || place[1] < 0 || place[1] > 1) return rest(spot, out)
    const [fx, fy] = [place[0] * width - 0.5, (1 - place[1]) * height - 0.5]
    const [x, y] = [Math.floor(fx), Math.floor(fy)]
    const [u, v] = [fx - x, fy - y]
    const channel = (c: number) =>
      (read(x, y, c) * (1 - u) + read(x + 1, y, c) * u) * (1 - v) +
      (read(x, y + 1, c) * (1 - u) + read(x + 1, y + 1, c) * u) * v
    out.r = channel(0)
    out.g = channel(1)
    out.b = channel(2)
  }
}
