import { join, type Mesh, type Point, surface } from './mesh.ts'

export type Flat = readonly [number, number]

/** A smooth curve through the points (Catmull-Rom), as `count` + 1 points spaced evenly along it. */
export function curve(points: readonly Flat[], count = 64): Flat[] {
  const dense: Flat[] = []
  const point = (index: number): Flat => points[Math.min(Math.max(index, 0), points.length - 1)] ?? [0, 0]
  for (let i = 0; i < points.length - 1; i++) {
    const [a, b, c, d] = [point(i - 1), point(i), point(i + 1), point(i + 2)]
    for (let s = 0; s < 40; s++) {
      const t = s / 40
      const blend = (axis: 0 | 1) =>
        0.5 *
        (2 * b[axis] +
          (c[axis] - a[axis]) * t +
          (2 * a[axis] - 5 * b[axis] + 4 * c[axis] - d[axis]) * t * t +
          (3 * b[axis] - a[axis] - 3 * c[axis] + d[axis]) * t * t * t)
      dense.push([blend(0), blend(1)])
    }
  }
  dense.push(point(points.length - 1))
  return spaced(dense, count)
}

/** The same polyline as `count` + 1 points with equal steps between them. */
export function spaced(line: readonly Flat[], count: number): Flat[] {
  const lengths = [0]
  for (let i = 1; i < line.length; i++) {
    const [a, b] = [line[i - 1] ?? [0, 0], line[i] ?? [0, 0]]
    lengths.push((lengths[i - 1] ?? 0) + Math.hypot(b[0] - a[0], b[1] - a[1]))
  }
  const total = lengths.at(-1) ?? 0
  const result: Flat[] = []
  let segment = 1
  for (let k = 0; k <= count; k++) {
    const wanted = (total * k) / count
    while (segment < line.length - 1 && (lengths[segment] ?? 0) < wanted) segment++
    const from = lengths[segment - 1] ?? 0
    const part = (wanted - from) / ((lengths[segment] ?? 0) - from || 1)
    const [a, b] = [line[segment - 1] ?? [0, 0], line[segment] ?? [0, 0]]
    result.push([a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part])
  }
  return result
}

/** Corners cut by a quarter-round of about this radius, so that every edge catches light. */
export function rounded(line: readonly Flat[], radius: number): Flat[] {
  const result: Flat[] = []
  for (const [index, here] of line.entries()) {
    const before = line[index - 1]
    const after = line[index + 1]
    if (!before || !after) {
      result.push(here)
      continue
    }
    const back = Math.hypot(before[0] - here[0], before[1] - here[1])
    const ahead = Math.hypot(after[0] - here[0], after[1] - here[1])
    const cut = Math.min(radius, back / 2.01, ahead / 2.01)
    for (let s = 0; s <= 6; s++) {
      const t = s / 6
      const start = [0, 1].map((a) => here[a as 0] + ((before[a as 0] - here[a as 0]) * cut) / back)
      const end = [0, 1].map((a) => here[a as 0] + ((after[a as 0] - here[a as 0]) * cut) / ahead)
      const bezier = (axis: 0 | 1) =>
        (1 - t) ** 2 * (start[axis] ?? 0) + 2 * t * (1 - t) * here[axis] + t * t * (end[axis] ?? 0)
      result.push([bezier(0), bezier(1)])
    }
  }
  return result
}

/** What a wheel makes: the profile (radius, height) turned about the z axis. `radius` may vary it by angle and height. */
export function revolve(
  profile: readonly Flat[],
  { segments = 96, radius = (r: number, _angle: number, _z: number) => r } = {},
): Mesh {
  const rows = profile.length - 1
  return surface(
    segments,
    rows,
    (u, v): Point => {
      const [r, z] = profile[Math.round(v * rows)] ?? [0, 0]
      const angle = u * 2 * Math.PI
      const actual = radius(r, angle, z)
      return [actual * Math.cos(angle), actual * Math.sin(angle), z]
    },
    { closed: true },
  )
}

/**
 * A hollow vessel with a wall: `outside` runs from the edge of the foot up to the rim.
 * The profile closes over a rounded rim, down the inside and across the inner floor.
 */
export function vessel(
  outside: readonly Flat[],
  wall: number,
  options: { segments?: number; radius?: (r: number, angle: number, z: number) => number; rows?: number } = {},
): Mesh {
  const line = spaced(outside, options.rows ?? 72)
  const bottom = line[0]?.[1] ?? 0
  const inner: Flat[] = []
  line.forEach(([r, z], index) => {
    const [before, after] = [
      line[Math.max(index - 1, 0)] ?? [0, 0],
      line[Math.min(index + 1, line.length - 1)] ?? [0, 0],
    ]
    const length = Math.hypot(after[0] - before[0], after[1] - before[1]) || 1
    const point: Flat = [r - ((after[1] - before[1]) / length) * wall, z + ((after[0] - before[0]) / length) * wall]
    if (point[1] >= bottom + wall && point[0] > 0.02) inner.push(point)
  })
  const [rimR, rimZ] = line.at(-1) ?? [0, 0]
  const [lipR, lipZ] = inner.at(-1) ?? [0, 0]
  const rim: Flat[] = []
  for (let s = 1; s < 8; s++) {
    const angle = (s / 8) * Math.PI
    const middle: Flat = [(rimR + lipR) / 2, (rimZ + lipZ) / 2]
    const half: Flat = [(rimR - lipR) / 2, (rimZ - lipZ) / 2]
    // The half circle bulges up: perpendicular to the line from outer to inner lip.
    rim.push([
      middle[0] + half[0] * Math.cos(angle) - half[1] * Math.sin(angle),
      middle[1] + half[1] * Math.cos(angle) + half[0] * Math.sin(angle),
    ])
  }
  const floor = inner[0] ?? [0, bottom + wall]
  const foot = line[0] ?? [0, 0]
  const profile: Flat[] = [
    [0, bottom],
    [foot[0] * 0.5, bottom],
    [foot[0] * 0.96, bottom],
    ...line,
    ...rim,
    ...inner.reverse(),
    [floor[0] * 0.97, bottom + wall],
    [floor[0] * 0.5, bottom + wall],
    [0, bottom + wall],
  ]
  return revolve(profile, options)
}

/** A round bar along a path; `radius` may change along it. Ends are closed by shrinking to a point. */
export function tube(
  path: readonly Point[],
  radius: number | ((t: number) => number),
  { segments = 14, flatten = 1 } = {},
): Mesh {
  const size = typeof radius === 'number' ? () => radius : radius
  const frames = frame(path)
  const last = path.length - 1
  return surface(
    segments,
    last + 2,
    (u, v): Point => {
      const row = Math.round(v * (last + 2)) - 1
      const index = Math.min(Math.max(row, 0), last)
      const capped = row < 0 || row > last
      const [px, py, pz] = path[index] ?? [0, 0, 0]
      const [n, b] = frames[index] ?? [
        [1, 0, 0],
        [0, 1, 0],
      ]
      const angle = -u * 2 * Math.PI
      const r = capped ? 0 : size(index / last)
      const [c, s] = [Math.cos(angle) * r, Math.sin(angle) * r * flatten]
      return [px + n[0] * c + b[0] * s, py + n[1] * c + b[1] * s, pz + n[2] * c + b[2] * s]
    },
    { closed: true },
  )
}

/** Normal and binormal along a path that turn as little as possible. */
function frame(path: readonly Point[]): [Point, Point][] {
  const tangentAt = (index: number): Point => {
    const [a, b] = [path[Math.max(index - 1, 0)] ?? [0, 0, 0], path[Math.min(index + 1, path.length - 1)] ?? [0, 0, 1]]
    return unit([b[0] - a[0], b[1] - a[1], b[2] - a[2]])
  }
  let normal: Point = Math.abs(tangentAt(0)[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0]
  return path.map((_, index) => {
    const t = tangentAt(index)
    const along = normal[0] * t[0] + normal[1] * t[1] + normal[2] * t[2]
    normal = unit([normal[0] - t[0] * along, normal[1] - t[1] * along, normal[2] - t[2] * along])
    return [normal, cross(t, normal)]
  })
}

export function unit([x, y, z]: Point): Point {
  const length = Math.hypot(x, y, z) || 1
  return [x / length, y / length, z / length]
}

export function cross(a: Point, b: Point): Point {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/** A smooth path in space through the points. */
export function path(points: readonly Point[], count = 40): Point[] {
  const flat = (axis: 0 | 1 | 2) => points.map((point, index): Flat => [index * 1000, point[axis]])
  // Each coordinate as a curve over the same parameter; the large step keeps the parameter evenly spaced.
  const [xs, ys, zs] = [curve(flat(0), count), curve(flat(1), count), curve(flat(2), count)]
  return xs.map((x, index): Point => [x[1], ys[index]?.[1] ?? 0, zs[index]?.[1] ?? 0])
}

/** A box standing on z = 0, centred on x and y, with rounded edges; uv runs 0..1 over each face. */
export function box(width: number, depth: number, height: number, radius: number): Mesh {
  const half = [width / 2, depth / 2, height / 2] as const
  const r = Math.min(radius, ...half)
  const steps = [0, 0.02, 0.08, 0.18, 0.32, 0.5, 0.68, 0.82, 0.92, 0.98, 1]
  const lines = (size: number) => {
    const edge = steps.slice(0, 6).map((s) => -size + (s / 0.5) * r)
    const plain = [-0.5, 0, 0.5].map((s) => s * (size - r))
    return [...edge, ...plain, ...edge.map((value) => -value).reverse()]
  }
  const faces: Mesh[] = []
  for (let axis = 0; axis < 3; axis++) {
    const [a, b] = [(axis + 1) % 3, (axis + 2) % 3] as [0 | 1 | 2, 0 | 1 | 2]
    const [across, along] = [lines(half[a]), lines(half[b])]
    for (const side of [1, -1]) {
      const n = across.length - 1
      faces.push(
        surface(n, n, (u, v): Point => {
          const raw = [0, 0, 0]
          raw[a] = (across[Math.round(u * n)] ?? 0) * side
          raw[b] = along[Math.round(v * n)] ?? 0
          raw[axis] = half[axis as 0 | 1 | 2] * side
          const inner = raw.map((value, k) => Math.min(Math.max(value, r - (half[k] ?? 0)), (half[k] ?? 0) - r))
          const out = unit([
            (raw[0] ?? 0) - (inner[0] ?? 0),
            (raw[1] ?? 0) - (inner[1] ?? 0),
            (raw[2] ?? 0) - (inner[2] ?? 0),
          ])
          return [(inner[0] ?? 0) + out[0] * r, (inner[1] ?? 0) + out[1] * r, (inner[2] ?? 0) + out[2] * r + half[2]]
        }),
      )
    }
  }
  return join(...faces)
}

/** A flat piece with a rounded edge, lying on z = 0: the outline must be visible from the origin all round. uv is x and y over `span`. */
export function slab(outline: readonly Flat[], thickness: number, edge: number): Mesh {
  const count = outline.length
  const span = Math.max(...outline.map(([x, y]) => Math.max(Math.abs(x), Math.abs(y)))) * 2
  const rings: [inset: number, z: number][] = [
    [1, 0],
    [0.5, 0],
    [edge, 0],
  ]
  for (let s = 1; s <= 5; s++) {
    const angle = (s / 5) * (Math.PI / 2)
    rings.push([edge * (1 - Math.sin(angle)), edge * (1 - Math.cos(angle))])
  }
  for (let s = 0; s <= 5; s++) {
    const angle = (s / 5) * (Math.PI / 2)
    rings.push([edge * (1 - Math.cos(angle)), thickness - edge * (1 - Math.sin(angle))])
  }
  rings.push([0.5, thickness], [1, thickness])
  const mesh = surface(
    count,
    rings.length - 1,
    (u, v): Point => {
      const [x, y] = outline[Math.round(u * count) % count] ?? [0, 0]
      const index = Math.round(v * (rings.length - 1))
      const [inset, z] = rings[index] ?? [0, 0]
      const radius = Math.hypot(x, y)
      const keep = index < 2 || index > rings.length - 3 ? 1 - inset : (radius - inset) / radius
      return [x * keep, y * keep, z]
    },
    { closed: true },
  )
  const uvs = mesh.uvs.map((_, k) => {
    const value = mesh.positions[Math.floor(k / 2) * 3 + (k % 2)] ?? 0
    return value / span + 0.5
  })
  return { ...mesh, uvs }
}

/** A rectangle's outline with round corners, as points all round. */
export function roundRect(width: number, height: number, radius: number): Flat[] {
  const points: Flat[] = []
  for (const [quarter, [sx, sy]] of (
    [
      [1, 1],
      [-1, 1],
      [-1, -1],
      [1, -1],
    ] as const
  ).entries()) {
    for (let s = 0; s <= 10; s++) {
      const angle = (quarter + s / 10) * (Math.PI / 2)
      points.push([
        sx * (width / 2 - radius) + Math.cos(angle) * radius,
        sy * (height / 2 - radius) + Math.sin(angle) * radius,
      ])
    }
    const next = points.at(-1) ?? [0, 0]
    const horizontal = quarter % 2 === 0
    const reach = horizontal ? width - 2 * radius : height - 2 * radius
    for (let s = 1; s < 12; s++) {
      const step = (reach * s) / 12
      points.push(horizontal ? [next[0] - sx * step, next[1]] : [next[0], next[1] - sy * step])
    }
  }
  return points
}
