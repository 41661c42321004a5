import { type Colour, linear } from './material.ts'
import { smoothstep } from './noise.ts'
import type { Hit, Part } from './tree.ts'

/** A small light inside the picture, such as a bulb or a flame. Places and radius in centimetres. */
export type Lamp = { x: number; y: number; z: number; radius: number; colour: Colour; power: number }

export type Scene = {
  parts: readonly Part[]
  /** What the camera looks at, how many centimetres fit its height, and how far above the horizon it stands. */
  view: { x: number; y: number; z: number; span: number; elevation: number; azimuth: number; distance: number }
  backdrop: Backdrop
  lamps: readonly Lamp[]
  /** Strength of the key light and of the light from everywhere; both 1 in the usual picture. */
  key: number
  ambient: number
  /** Where the key light comes from; degrees. Azimuth 0 is behind the camera, negative to the left. */
  keyAzimuth: number
  keyElevation: number
  /** Half the angle under which the key light is seen: wide is soft. */
  keySpread: number
  /** What stands between a window and the picture: 1 lets light by. Arguments are centimetres across and up. */
  window: ((across: number, up: number) => number) | null
  /** How much light spreads around bright places, 0..1. */
  bloom: number
  warmth: number
}

/** Floor and wall that meet in a curve of radius `bend`, at distance `wall` behind the origin. */
export type Backdrop = { floor: Colour; back: Colour; wall: number; bend: number; gloss: number; only: 'both' | 'wall' }

export function studio(
  tone: string | readonly [floor: string, back: string],
  parts: readonly Part[],
  view: Partial<Scene['view']> & { span: number },
  more: Partial<Omit<Scene, 'parts' | 'view' | 'backdrop'>> & { backdrop?: Partial<Backdrop> } = {},
): Scene {
  const [floor, back] = typeof tone === 'string' ? [tone, tone] : tone
  const { backdrop, ...rest } = more
  return {
    parts,
    view: { x: 0, y: 0, z: view.span * 0.36, elevation: 11, azimuth: 0, distance: view.span * 3.4, ...view },
    backdrop: {
      floor: linear(floor),
      back: linear(back),
      wall: view.span * 0.85,
      bend: view.span * 0.55,
      gloss: 0,
      only: 'both',
      ...backdrop,
    },
    lamps: [],
    key: 1,
    ambient: 1,
    keyAzimuth: -52,
    keyElevation: 43,
    keySpread: 8.5,
    window: null,
    bloom: 0.06,
    warmth: 0.5,
    ...rest,
  }
}

/** Where a ray meets floor, curve or wall. Fills `hit` and answers whether that is before `limit`. */
export function meetBackdrop(
  { wall, bend, only }: Backdrop,
  ox: number,
  oy: number,
  oz: number,
  dx: number,
  dy: number,
  dz: number,
  limit: number,
  hit: Hit,
): boolean {
  const start = wall - bend
  let distance = Infinity
  let [ny, nz] = [0, 1]
  if (only === 'both' && dz < 0) {
    const floor = -oz / dz
    if (floor > 1e-4 && oy + dy * floor <= start) distance = floor
  }
  if (only === 'both' && distance === Infinity && bend > 0) {
    const [py, pz] = [oy - start, oz - bend]
    const a = dy * dy + dz * dz
    const b = py * dy + pz * dz
    const c = py * py + pz * pz - bend * bend
    const root = b * b - a * c
    if (root > 0 && a > 1e-12) {
      const far = (-b + Math.sqrt(root)) / a
      const [y, z] = [oy + dy * far, oz + dz * far]
      if (far > 1e-4 && y >= start && z <= bend) {
        distance = far
        ny = (start - y) / bend
        nz = (bend - z) / bend
      }
    }
  }
  if (distance === Infinity && dy > 0) {
    const back = (wall - oy) / dy
    if (back > 1e-4 && (only === 'wall' || oz + dz * back >= bend)) {
      distance = back
      ny = -1
      nz = 0
    }
  }
  if (distance >= limit) return false
  hit.distance = distance
  hit.part = -1
  hit.triangle = -1
  hit.x = ox + dx * distance
  hit.y = oy + dy * distance
  hit.z = oz + dz * distance
  hit.nx = 0
  hit.ny = ny
  hit.nz = nz
  return true
}

/** Floor colour in front, wall colour behind, blended over the curve. */
export function backdropColour({ floor, back, wall, bend }: Backdrop, y: number, z: number, out: Colour) {
  const part = bend < 1 ? (y > wall - 0.01 ? 1 : 0) : smoothstep(wall - bend * 1.1, wall, y + z * 0.25)
  out.r = floor.r + (back.r - floor.r) * part
  out.g = floor.g + (back.g - floor.g) * part
  out.b = floor.b + (back.b - floor.b) * part
}

/** Unit vectors: towards the key light, and the two across it. */
export function keyFrame({ keyAzimuth, keyElevation }: Scene) {
  const [a, e] = [(keyAzimuth * Math.PI) / 180, (keyElevation * Math.PI) / 180]
  const to = { x: Math.sin(a) * Math.cos(e), y: -Math.cos(a) * Math.cos(e), z: Math.sin(e) }
  const across = { x: Math.cos(a), y: Math.sin(a), z: 0 }
  const up = {
    x: to.y * across.z - to.z * across.y,
    y: to.z * across.x - to.x * across.z,
    z: to.x * across.y - to.y * across.x,
  }
  // `up` is across × to with the sign that makes it point upwards.
  const sign = up.z < 0 ? -1 : 1
  return { to, across, up: { x: up.x * sign, y: up.y * sign, z: up.z * sign } }
}

/** The light a room sends from one direction when nothing stands there: brighter above and to the left. */
export function roomLight(dx: number, dy: number, dz: number): number {
  const side = Math.max(0, -0.62 * dx - 0.35 * dy + 0.7 * dz)
  return 0.36 + 0.5 * side * side + 0.12 * Math.max(0, dz)
}

/**
 * What a mirror-like surface sees in that direction: the soft box, a thin strip behind on the right, and the room.
 * Roughness blurs the edges and spreads the same light over more room.
 */
export function mirroredLight(
  frame: ReturnType<typeof keyFrame>,
  dx: number,
  dy: number,
  dz: number,
  roughness: number,
): number {
  const { to, across, up } = frame
  let light = roomLight(dx, dy, dz) * 0.75
  const ahead = dx * to.x + dy * to.y + dz * to.z
  if (ahead > 0.05) {
    const h = Math.abs(dx * across.x + dy * across.y + dz * across.z) / ahead
    const v = Math.abs(dx * up.x + dy * up.y + dz * up.z) / ahead
    const soft = 0.03 + roughness * 0.75
    const box = (1 - smoothstep(0.3 - soft, 0.3 + soft, h)) * (1 - smoothstep(0.55 - soft, 0.55 + soft, v))
    light += (box * 5.2) / (1 + roughness * 5)
  }
  // The strip: a tall thin light to the right, a little behind.
  const strip = dx * 0.93 + dy * 0.36
  if (strip > 0.2) {
    const aside = Math.abs(dx * -0.36 + dy * 0.93) / strip
    const soft = 0.03 + roughness * 0.6
    light +=
      ((1 - smoothstep(0.09 - soft * 0.5, 0.09 + soft, aside)) * 1.5 * smoothstep(-0.1, 0.3, dz)) / (1 + roughness * 4)
  }
  return light
}
