import { type Material, matte, type Paint } from '../tracer/material.ts'
import { join, type Mesh, move, surface, turn } from '../tracer/mesh.ts'
import { type Flat, rounded, spaced, tube } from '../tracer/shapes.ts'
import type { Part } from '../tracer/tree.ts'
import { solid } from './vessels.ts'

export const oiled = (paint: Paint): Material => matte(paint, { coat: 0.35, roughness: 0.5 })

/** A board with a handle at the top, lying; y runs up the board. */
export function board(width: number, height: number, grip: number): Flat[] {
  const [w, h] = [width / 2, height / 2]
  const half: Flat[] = rounded(
    [
      [0, -h],
      [w * 0.8, -h],
      [w, -h * 0.82],
      [w, h * 0.55],
      [w * 0.8, h * 0.86],
      [grip, h * 0.98],
      [grip * 0.8, h * 1.3],
      [grip * 1.15, h * 1.62],
      [0, h * 1.72],
    ],
    4,
  )
  const right = spaced(half, 70)
  return [
    ...right,
    ...right
      .slice(1, -1)
      .toReversed()
      .map(([x, y]): Flat => [-x, y]),
  ]
}

export const standing = (mesh: Mesh, lean: number, yaw: number, x: number, y: number, z: number) =>
  move(turn(turn(mesh, 'x', 90 - lean), 'z', yaw), x, y, z)

/** A spoon along +y, its bowl at the far end. */
export const spoon = (length: number, size: number): Mesh => {
  const cup = surface(
    40,
    24,
    (u, v) => {
      // From the middle of the hollow over the edge to the middle of the back.
      const angle = u * 2 * Math.PI
      const t = v < 0.5 ? v * 2 : (1 - v) * 2
      const deep = v < 0.5 ? 0.55 : 0.82
      const [x, y] = [Math.cos(angle) * size * 0.72 * t, Math.sin(angle) * size * t]
      return [x, length - size + y, size * 0.5 - deep * size * 0.62 * (1 - t * t)]
    },
    { closed: true },
  )
  const stick = tube(
    [
      [0, 0, size * 0.42],
      [0, length * 0.3, size * 0.4],
      [0, length * 0.65, size * 0.4],
      [0, length - size * 1.75, size * 0.42],
    ],
    (t) => 0.62 - 0.14 * Math.sin(t * Math.PI),
    { segments: 14 },
  )
  return join(cup, stick)
}

export const mill = (paint: Paint, x = 0, y = 0, scale = 1): Part[] => [
  {
    mesh: move(
      solid(
        [
          [0, 0],
          [3.2, 0],
          [3.3, 1],
          [2.9, 4],
          [2, 9],
          [1.7, 14],
          [2.3, 18],
          [2.5, 18.6],
          [0, 18.6],
        ].map(([r = 0, z = 0]): Flat => [r * scale, z * scale]),
        1.2,
        72,
      ),
      x,
      y,
      0,
    ),
    material: oiled(paint),
  },
  {
    mesh: move(
      solid(
        [
          [0, 18.8],
          [2.1, 18.8],
          [2.5, 19.3],
          [2.5, 22.6],
          [2.1, 23.1],
          [0.6, 23.3],
          [0.5, 23.8],
          [1.05, 24.4],
          [1.05, 25.3],
          [0, 25.8],
        ].map(([r = 0, z = 0]): Flat => [r * scale, z * scale]),
        0.4,
        72,
      ),
      x,
      y,
      0,
    ),
    material: oiled(paint),
  },
]
