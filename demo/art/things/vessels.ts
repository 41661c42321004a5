import { join, type Mesh, move, type Point, surface, turn } from '../tracer/mesh.ts'
import { noise } from '../tracer/noise.ts'
import { curve, type Flat, path, revolve, rounded, tube, vessel } from '../tracer/shapes.ts'

/** A hand-thrown vessel: the profile through these points, with the faintest wobble of a wheel. */
export function thrown(points: readonly Flat[], wall = 0.4, { wobble = 0.006, rows = 90 } = {}): Mesh {
  return vessel(curve(points, rows), wall, {
    rows,
    radius: (r, angle, z) =>
      r * (1 + wobble * (noise(Math.cos(angle) * 1.2 + 7, Math.sin(angle) * 1.2, z * 0.14) - 0.5) * 2),
  })
}

/** Straight lines with rounded corners instead of one smooth curve. */
export function turned(points: readonly Flat[], wall: number, corner: number, rows = 90): Mesh {
  return vessel(rounded(points, corner), wall, { rows })
}

/** A closed body of revolution from the bottom of the axis to the top of it. */
export function solid(points: readonly Flat[], corner = 0.3, segments = 72): Mesh {
  return revolve(rounded(points, corner), { segments })
}

/** An ear on the right side of a body, from a low place to a high one (radius, height), reaching `out` beyond the higher. */
export function handle(low: Flat, high: Flat, out: number, thickness = 0.55, flatten = 0.7): Mesh {
  const reach = Math.max(low[0], high[0]) + out
  const height = high[1] - low[1]
  const line: Point[] = path(
    [
      [low[0] - 0.25, 0, low[1]],
      [low[0] + out * 0.52, 0, low[1] + height * 0.04],
      [reach - out * 0.06, 0, low[1] + height * 0.34],
      [reach, 0, low[1] + height * 0.66],
      [high[0] + out * 0.6, 0, high[1] + height * 0.03],
      [high[0] - 0.25, 0, high[1]],
    ],
    48,
  )
  return tube(line, thickness, { segments: 16, flatten: 1 / flatten })
}

export function mug(height = 9, radius = 4.1): Mesh {
  return vessel(
    rounded(
      [
        [radius * 0.72, 0],
        [radius * 0.98, height * 0.14],
        [radius, height],
      ],
      1.6,
    ),
    0.34,
    { rows: 80 },
  )
}

export function bowl(radius: number, height: number, wall = 0.42): Mesh {
  return thrown(
    [
      [radius * 0.36, 0],
      [radius * 0.38, height * 0.08],
      [radius * 0.62, height * 0.22],
      [radius * 0.88, height * 0.58],
      [radius, height],
    ],
    wall,
  )
}

export function plate(radius: number, rise = 1.9): Mesh {
  return vessel(
    curve(
      [
        [radius * 0.62, 0],
        [radius * 0.7, 0.25],
        [radius * 0.84, rise * 0.45],
        [radius, rise],
      ],
      80,
    ),
    0.5,
    { rows: 80, segments: 128 },
  )
}

/** Several of a thing, one on the other. */
export function stacked(mesh: Mesh, count: number, step: number): Mesh {
  return join(...Array.from({ length: count }, (_, index) => move(turn(mesh, 'z', index * 47), 0, 0, index * step)))
}

/** A ring standing in the x-z plane, its middle at the origin. */
export function torus(radius: number, thickness: number): Mesh {
  return surface(
    48,
    120,
    (u, v): Point => {
      const [a, b] = [u * 2 * Math.PI, v * 2 * Math.PI]
      const r = radius + Math.cos(a) * thickness
      return [r * Math.cos(b), Math.sin(a) * thickness, r * Math.sin(b)]
    },
    { closed: true, closedRows: true },
  )
}

export function spout(from: Point, to: Point, bend: Point, start = 1.1, end = 0.55): Mesh {
  return tube(path([from, bend, to], 30), (t) => start + (end - start) * t, { segments: 18 })
}
