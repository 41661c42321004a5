import { blend, leafy, type Material, matte, plain, shaded } from '../tracer/material.ts'
import { at, join, type Mesh, type Point, surface } from '../tracer/mesh.ts'
import { clouds, noise, sequence } from '../tracer/noise.ts'
import { cross, path, tube, unit } from '../tracer/shapes.ts'
import type { Part } from '../tracer/tree.ts'

/** A leaf from the origin along +y, face up: `curl` bends it down along its length, `fold` lifts the halves. */
export function leaf(length: number, width: number, { curl = 0.3, fold = 0.25, tip = 1, wave = 0 } = {}): Mesh {
  return surface(8, 18, (u, v): Point => {
    const side = u * 2 - 1
    const half = (width / 2) * Math.sin(Math.PI * Math.min(1, v ** (0.85 * tip) * 0.985 + 0.015)) ** 0.8
    const y = length * (v - 0.25 * curl * v * v)
    const z = -curl * length * v * v * 0.8 + Math.abs(side) * half * fold + wave * Math.sin(v * 9) * side * half
    return [side * half, y, z]
  })
}

/** Puts something made along +y to `origin`, along `direction`, its face towards `face`. */
export function aim(mesh: Mesh, origin: Point, direction: Point, face: Point = [0, 0, 1]): Mesh {
  const y = unit(direction)
  let x = cross(y, face)
  if (Math.hypot(...x) < 1e-3) x = cross(y, [1, 0, 0])
  x = unit(x)
  const z = cross(x, y)
  const turned = (source: Float32Array, add: Point) => {
    const result = source.slice()
    for (let k = 0; k < source.length; k += 3) {
      const [a, b, c] = [at(source, k), at(source, k + 1), at(source, k + 2)]
      for (let axis = 0; axis < 3; axis++) {
        result[k + axis] = (x[axis] ?? 0) * a + (y[axis] ?? 0) * b + (z[axis] ?? 0) * c + (add[axis] ?? 0)
      }
    }
    return result
  }
  return { ...mesh, positions: turned(mesh.positions, origin), normals: turned(mesh.normals, [0, 0, 0]) }
}

/** Leaf green with a paler rib down the middle. */
export function green(hex: string, rib = '#a9b58a', more: Partial<Material> = {}): Material {
  const body = shaded(plain(hex), (s) => 0.82 + 0.36 * clouds(s.x * 0.5, s.y * 0.5, s.z * 0.5))
  return leafy(
    blend(body, plain(rib), (s) => 0.6 * Math.max(0, 1 - Math.abs(s.u - 0.5) * 28)),
    more,
  )
}

const bark = matte(shaded(plain('#77604a'), (s) => 0.7 + 0.5 * noise(s.x * 3, s.y * 3, s.z * 1.2)))

/** A stem through the points with leaves along it, two by two or in turn. */
export function branch(
  points: readonly Point[],
  {
    leaves = 16,
    length = 5,
    width = 1.7,
    from = 0.3,
    seed = 1,
    hex = '#6f7d5a',
    rib = '#a5b08c',
    spread = 0.9,
    curl = 0.25,
    paired = false,
    stem = 0.16,
    grow = 0.5,
    coat = 0.3,
  } = {},
): Part[] {
  const line = path(points, 48)
  const next = sequence(seed)
  const blades: Mesh[] = []
  for (let index = 0; index < leaves; index++) {
    const t = from + (1 - from) * ((index + 0.5) / leaves)
    const k = Math.min(line.length - 2, Math.floor(t * (line.length - 1)))
    const here: Point = line[k] ?? [0, 0, 0]
    const ahead: Point = line[k + 1] ?? [0, 0, 1]
    const along = unit([ahead[0] - here[0], ahead[1] - here[1], ahead[2] - here[2]])
    for (const side of paired ? [0, 1] : [index % 2]) {
      const angle = side * Math.PI + (paired ? index * 1.57 : index * 0.7) + (next() - 0.5) * 0.8
      const across = unit(cross(along, Math.abs(along[2]) < 0.9 ? [0, 0, 1] : [0, 1, 0]))
      const other = cross(along, across)
      const out: Point = [
        across[0] * Math.cos(angle) + other[0] * Math.sin(angle),
        across[1] * Math.cos(angle) + other[1] * Math.sin(angle),
        across[2] * Math.cos(angle) + other[2] * Math.sin(angle),
      ]
      const lean = spread * (0.75 + next() * 0.5)
      const direction: Point = [along[0] + out[0] * lean, along[1] + out[1] * lean, along[2] + out[2] * lean]
      const size = (1 - grow * (t - from)) * (0.8 + next() * 0.35)
      blades.push(
        aim(leaf(length * size, width * size, { curl: curl * (0.6 + next() * 0.8) }), here, direction, [
          along[0] * 0.6 + (next() - 0.5) * 0.7,
          along[1] * 0.6 - 0.35,
          along[2] * 0.6 + 0.6,
        ]),
      )
    }
  }
  return [
    { mesh: tube(line, (t) => stem * (1.15 - 0.75 * t), { segments: 8 }), material: bark },
    { mesh: join(...blades), material: green(hex, rib, { coat }) },
  ]
}

/** Grey-green round leaves in pairs. */
export function eucalyptus(points: readonly Point[], seed = 3, scale = 1): Part[] {
  return branch(points, {
    leaves: 12,
    length: 3.6 * scale,
    width: 3.3 * scale,
    seed,
    hex: '#8a9a88',
    rib: '#b4bfae',
    paired: true,
    spread: 1.2,
    curl: 0.12,
    from: 0.25,
    coat: 0.12,
  })
}

/** Small narrow leaves, dark above. */
export function olive(points: readonly Point[], seed = 5, leaves = 26, scale = 1): Part[] {
  return branch(points, {
    leaves,
    length: 4.4 * scale,
    width: 1.05 * scale,
    seed,
    hex: '#63704f',
    rib: '#9aa685',
    spread: 0.95,
    curl: 0.15,
    from: 0.2,
    grow: 0.35,
  })
}

/** A dry seed head on a thin stalk: many fine bristles round the end of the path. */
export function grass(points: readonly Point[], seed = 9, hex = '#c9ad7c', length = 9): Part[] {
  const line = path(points, 40)
  const next = sequence(seed)
  const bristles: Mesh[] = []
  const tip: Point = line.at(-1) ?? [0, 0, 0]
  const before: Point = line.at(-4) ?? [0, 0, -1]
  const along = unit([tip[0] - before[0], tip[1] - before[1], tip[2] - before[2]])
  for (let index = 0; index < 150; index++) {
    const t = next() ** 0.8
    const angle = next() * 2 * Math.PI
    const reach = 0.28 + 0.5 * Math.sin(Math.PI * Math.min(1, t + 0.12)) * next()
    const origin: Point = [
      tip[0] - along[0] * length * (1 - t),
      tip[1] - along[1] * length * (1 - t),
      tip[2] - along[2] * length * (1 - t),
    ]
    const direction: Point = [
      along[0] + Math.cos(angle) * reach,
      along[1] + Math.sin(angle) * reach,
      along[2] + (next() - 0.35) * 0.3,
    ]
    bristles.push(aim(leaf(2.1 + next() * 1.4, 0.24, { curl: 0.3, fold: 0 }), origin, direction))
  }
  return [
    { mesh: tube(line, 0.1, { segments: 6 }), material: leafy(hex, { coat: 0 }) },
    { mesh: join(...bristles), material: leafy(hex, { coat: 0, thin: 0.7 }) },
  ]
}

/** Fronds that rise from one place and arch over. */
export function fern(origin: Point, fronds = 22, size = 22, seed = 4, hex = '#55713f'): Part[] {
  const next = sequence(seed)
  const blades: Mesh[] = []
  const stems: Mesh[] = []
  for (let index = 0; index < fronds; index++) {
    const angle = index * 2.39996 + next() * 0.4
    const reach = size * (0.55 + 0.45 * next())
    const lift = size * (1.05 - 0.75 * (index / fronds)) * (0.75 + 0.4 * next())
    const [c, s] = [Math.cos(angle), Math.sin(angle)]
    const line = path(
      [
        [origin[0] + c * 0.8, origin[1] + s * 0.8, origin[2]],
        [origin[0] + c * reach * 0.3, origin[1] + s * reach * 0.3, origin[2] + lift * 0.62],
        [origin[0] + c * reach * 0.72, origin[1] + s * reach * 0.72, origin[2] + lift * 0.85],
        [origin[0] + c * reach * 1.08, origin[1] + s * reach * 1.08, origin[2] + lift * 0.52],
      ],
      36,
    )
    stems.push(tube(line, (t) => 0.13 * (1.1 - t), { segments: 6 }))
    for (let k = 5; k < 36; k++) {
      const [here, ahead] = [line[k] ?? origin, line[k + 1] ?? origin]
      const along = unit([ahead[0] - here[0], ahead[1] - here[1], ahead[2] - here[2]])
      const across = unit(cross(along, [0, 0, 1]))
      const length = size * 0.15 * Math.sin(Math.PI * (0.1 + 0.88 * (k / 36))) ** 0.8
      for (const side of [1, -1]) {
        const direction: Point = [
          across[0] * side + along[0] * 0.45,
          across[1] * side + along[1] * 0.45,
          across[2] * side + along[2] * 0.45 - 0.12,
        ]
        blades.push(aim(leaf(length, length * 0.28, { curl: 0.25 }), here, direction))
      }
    }
  }
  return [
    { mesh: join(...stems), material: leafy('#7d8a52') },
    { mesh: join(...blades), material: green(hex, '#8aa06a') },
  ]
}

/** Upright sword leaves with dark bands and pale edges. */
export function swordLeaves(origin: Point, count = 11, height = 34, seed = 2): Part[] {
  const next = sequence(seed)
  const blades: Mesh[] = []
  for (let index = 0; index < count; index++) {
    const angle = index * 2.39996
    const away = 0.7 + 2.6 * Math.sqrt(index / count)
    const tall = height * (1 - 0.5 * (index / count)) * (0.8 + 0.3 * next())
    const lean = 0.05 + 0.16 * (index / count)
    const twist = (next() - 0.5) * 1.6
    const turnedBy = next() * Math.PI
    blades.push(
      surface(8, 30, (u, v): Point => {
        const side = u * 2 - 1
        const half = 1.75 * Math.sin(Math.PI * (0.16 + 0.83 * v)) ** 0.7 * (tall / height) ** 0.4
        const t = turnedBy + twist * v
        const cup = side * side * half * 0.35
        const [x, y] = [side * half * Math.cos(t) - cup * Math.sin(t), side * half * Math.sin(t) + cup * Math.cos(t)]
        const out = away + lean * tall * v * v
        return [origin[0] + Math.cos(angle) * out + x, origin[1] + Math.sin(angle) * out + y, origin[2] + tall * v]
      }),
    )
  }
  const bands = blend(plain('#5f7a52'), plain('#304a36'), (s) =>
    clouds(s.u * 2.5, s.z * 0.75, s.v * 3, 3) > 0.5 ? 0.85 : 0.1,
  )
  const edged = blend(bands, plain('#c9c07d'), (s) => (Math.abs(s.u - 0.5) > 0.42 ? 0.85 : 0))
  return [{ mesh: join(...blades), material: leafy(edged, { coat: 0.45, roughness: 0.35, thin: 0.15, detail: true }) }]
}

/** A rubber plant: large dark glossy leaves round an upright stem. */
export function rubberPlant(origin: Point, height = 36, seed = 6): Part[] {
  const next = sequence(seed)
  const [x, y, z] = origin
  const line = path(
    [
      [x, y, z],
      [x + 0.8, y, z + height * 0.4],
      [x - 0.6, y + 0.5, z + height * 0.75],
      [x + 0.2, y, z + height],
    ],
    40,
  )
  const blades: Mesh[] = []
  for (let index = 0; index < 19; index++) {
    const t = 0.14 + 0.86 * (index / 18)
    const here = line[Math.min(40, Math.floor(t * 40))] ?? origin
    const angle = index * 2.39996 + 0.5
    const rise = 0.25 + 1.3 * t ** 2.2
    const length = 15 * (1 - 0.45 * t ** 3) * (0.85 + 0.25 * next())
    blades.push(
      aim(
        leaf(length, length * 0.5, { curl: 0.35, fold: 0.2, tip: 0.9 }),
        [here[0] + Math.cos(angle) * 0.6, here[1] + Math.sin(angle) * 0.6, here[2]],
        [Math.cos(angle), Math.sin(angle), rise],
        [-Math.cos(angle) * 0.8, -Math.sin(angle) * 0.8, 1.2],
      ),
    )
  }
  return [
    { mesh: tube(line, (t) => 0.5 - 0.25 * t, { segments: 10 }), material: bark },
    { mesh: join(...blades), material: green('#34492f', '#7d8f5f', { coat: 0.75, roughness: 0.2, thin: 0.2 }) },
  ]
}
