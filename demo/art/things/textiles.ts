import { cloth, type Material, type Paint } from '../tracer/material.ts'
import { bend, join, type Mesh, type Point, surface } from '../tracer/mesh.ts'
import { clouds, noise, sequence } from '../tracer/noise.ts'
import { box, path, tube } from '../tracer/shapes.ts'
import { weave, yarn } from './paints.ts'

/** A stack of folded layers, the folds towards the camera. */
export function folded(width: number, depth: number, layer: number, layers: number, seed = 1): Mesh {
  const next = sequence(seed)
  return join(
    ...Array.from({ length: layers }, (_, index) => {
      const [w, d] = [width * (1 - next() * 0.02), depth * (1 - next() * 0.04)]
      const [dx, dy] = [(next() - 0.5) * width * 0.02, (next() - 0.5) * depth * 0.03]
      return bend(subdivided(w, d, layer, layer * 0.49), (x, y, z) => {
        const sag = (noise(x * 0.16 + index * 9, y * 0.16, seed) - 0.5) * layer * 0.34
        const edge = (noise(x * 0.22 + 40, index * 7, seed) - 0.5) * 0.9
        return [x + dx, y + dy + edge, z + sag + index * layer * 0.93]
      })
    }),
  )
}

/** A rounded box with enough triangles to be bent softly. */
function subdivided(width: number, depth: number, height: number, radius: number): Mesh {
  const [w, d] = [width / 2 - radius, depth / 2 - radius]
  // One closed sheet: round the front fold, over the top, round the back, under.
  const across = 60
  const round = 56
  return surface(
    round,
    across,
    (u, v): Point => {
      const straight = 4 * d
      const arc = 2 * Math.PI * radius
      const s = u * (straight + arc)
      let [y, z] = [0, 0]
      const half = arc / 2
      // Over the top to the front, round the front fold, under to the back, round the back.
      if (s < 2 * d) {
        y = d - s
        z = height
      } else if (s < 2 * d + half) {
        const angle = Math.PI / 2 + ((s - 2 * d) / half) * Math.PI
        y = -d + Math.cos(angle) * radius
        z = height / 2 + (Math.sin(angle) * height) / 2
      } else if (s < 4 * d + half) {
        y = s - 3 * d - half
        z = 0
      } else {
        const angle = -Math.PI / 2 + ((s - 4 * d - half) / half) * Math.PI
        y = d + Math.cos(angle) * radius
        z = height / 2 + (Math.sin(angle) * height) / 2
      }
      // The ends close softly: the sheet narrows over the last bit.
      const e = Math.min(v, 1 - v) * (width / radius)
      const close = e >= 1 ? 1 : Math.sqrt(1 - (1 - e) ** 2)
      const x = (v - 0.5) * 2 * (w + radius)
      return [x, y, height / 2 + (z - height / 2) * close]
    },
    { closed: true },
  )
}

/**
 * A cloth over a rail along x at height `rail`: hangs `front` centimetres before it and `back` behind, in soft folds.
 * u runs across, v from the front hem over the rail to the back hem.
 */
export function draped(
  width: number,
  front: number,
  back: number,
  rail: number,
  { radius = 1.3, folds = 3, depth = 1.6, seed = 1 } = {},
): Mesh {
  const over = Math.PI * radius
  const total = front + over + back
  return surface(110, 110, (u, v): Point => {
    const s = v * total
    const wave = (loose: number) =>
      depth *
      loose *
      (Math.sin(u * folds * 2 * Math.PI + seed + 1.4 * loose) +
        0.7 * (clouds(u * 5 + seed, loose * 1.4, 0, 3) - 0.5) * 2)
    const x = (u - 0.5) * width
    if (s < front) {
      const down = front - s
      const loose = Math.min(1, down / front) ** 0.8
      return [
        x * (1 - 0.05 * loose) + 0.5 * loose * Math.sin(u * 7),
        -radius - 0.4 * loose + wave(loose) * 0.8 - depth * loose,
        rail - down,
      ]
    }
    if (s < front + over) {
      const angle = (s - front) / radius
      return [x, -Math.cos(angle) * radius, rail + Math.sin(angle) * radius]
    }
    const down = s - front - over
    const loose = Math.min(1, down / back) ** 0.8
    return [x * (1 - 0.04 * loose), radius + wave(loose) * 0.5 + depth * loose, rail - down]
  })
}

/** Threads hanging from a hem: from the points of `hem`, `length` long, each a little its own way. */
export function fringe(
  hem: readonly Point[],
  length: number,
  thickness: number,
  seed = 3,
  out: Point = [0, 0, -1],
): Mesh {
  const next = sequence(seed)
  return join(
    ...hem.map(([x, y, z]) => {
      const [a, b] = [(next() - 0.5) * length * 0.22, (next() - 0.5) * length * 0.18]
      const long = length * (0.85 + 0.25 * next())
      return tube(
        path(
          [
            [x, y, z],
            [x + a * 0.4 + out[0] * long * 0.5, y + b * 0.5 + out[1] * long * 0.5, z + out[2] * long * 0.5],
            [x + a + out[0] * long, y + b + out[1] * long, z + out[2] * long],
          ],
          10,
        ),
        (t) => thickness * (0.9 + 0.35 * Math.sin(t * 9)),
        { segments: 6 },
      )
    }),
  )
}

/** The front hem of a draped cloth as points for a fringe. */
export function hemOf(mesh: Mesh, count: number): Point[] {
  const columns = 110
  return Array.from({ length: count }, (_, index): Point => {
    const k = Math.round(((index + 0.5) / count) * columns) * 3
    return [mesh.positions[k] ?? 0, mesh.positions[k + 1] ?? 0, (mesh.positions[k + 2] ?? 0) + 0.15]
  })
}

/** A filled cushion standing in the x-z plane, its middle at the origin. */
export function cushion(width: number, height: number, thickness: number, seed = 1): Mesh {
  const half = (front: number) =>
    surface(72, 72, (u, v): Point => {
      const [a, b] = [u * 2 - 1, v * 2 - 1]
      const full = ((1 - Math.abs(a) ** 2.4) * (1 - Math.abs(b) ** 2.2)) ** 0.66
      const pinch = 0.075
      const x = (a * width * (1 - pinch * (1 - b * b))) / 2
      const z = (b * height * (1 - pinch * (1 - a * a))) / 2
      // Creases run from the corners inwards.
      const crease =
        (clouds(a * 2.2 + seed, b * 2.2, seed, 3) - 0.5) * 0.16 +
        Math.sin((Math.abs(a) - Math.abs(b)) * 9) * 0.02 * (Math.abs(a * b) * 2)
      return [x * front, -front * (thickness / 2) * full * (1 + crease), z]
    })
  return join(half(1), half(-1))
}

/** A round bolster lying along x. */
export function bolster(length: number, radius: number): Mesh {
  return surface(
    80,
    70,
    (u, v): Point => {
      const e = Math.min(v, 1 - v) * (length / (radius * 0.5))
      const close = e >= 1 ? 1 : Math.sqrt(1 - (1 - e) ** 2)
      const angle = -u * 2 * Math.PI
      const r = radius * (0.0001 + close) * (1 + 0.02 * (noise(v * 8, Math.cos(angle) * 2, Math.sin(angle) * 2) - 0.5))
      return [(v - 0.5) * length, Math.cos(angle) * r, radius + Math.sin(angle) * r]
    },
    { closed: true },
  )
}

/** A rolled towel standing on its end would be dull: this one lies, its spiral towards the camera. */
export function rolled(radius: number, length: number, turns = 5): Mesh {
  const steps = turns * 30
  const thick = (radius / turns) * 0.86
  const sheet = (side: number) =>
    surface(steps, 24, (u, v): Point => {
      const angle = u * turns * 2 * Math.PI
      const r = radius * 0.08 + (radius * 0.92 * angle) / (turns * 2 * Math.PI) + (side * thick) / 2
      const edge = Math.min(v, 1 - v) < 0.5 / 24 ? 0.35 : 0
      const y = (v - 0.5) * (length - edge)
      return [Math.cos(angle) * r, y, radius + Math.sin(angle) * r]
    })
  const rim = (end: number) =>
    surface(steps, 6, (u, v): Point => {
      const angle = u * turns * 2 * Math.PI
      const middle = radius * 0.08 + (radius * 0.92 * angle) / (turns * 2 * Math.PI)
      const r = middle + (v - 0.5) * thick
      return [
        Math.cos(angle) * r,
        (end * length) / 2 + end * Math.sin(v * Math.PI) * thick * 0.4,
        radius + Math.sin(angle) * r,
      ]
    })
  return join(sheet(1), sheet(-1), rim(1), rim(-1))
}

/** Plain woven cloth in one colour. */
export function woven(hex: string, size = 0.3, strength = 0.9, more: Partial<Material> = {}): Material {
  const height = weave(size)
  return cloth(yarn(hex, height, size), { bump: { height, strength }, ...more })
}

/** Cloth with a relief of its own and any paint. */
export function textured(paint: Paint, height: NonNullable<Material['bump']>['height'], strength = 1): Material {
  return cloth(paint, { bump: { height, strength } })
}

/** A block of folded cloth: cheaper than `folded`, for what is seen at the side. */
export function bundle(width: number, depth: number, height: number): Mesh {
  return box(width, depth, height, height * 0.45)
}
