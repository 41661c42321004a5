import { picture } from '../pictures.ts'
import { oak, palette, speckled, walnut } from '../things/paints.ts'
import { bowl, solid } from '../things/vessels.ts'
import { board, mill, oiled, spoon, standing } from '../things/woodware.ts'
import { glazed, metal, plain, shaded } from '../tracer/material.ts'
import { bend, type Mesh, move, turn } from '../tracer/mesh.ts'
import { hash } from '../tracer/noise.ts'
import { type Flat, revolve, roundRect, slab, spaced } from '../tracer/shapes.ts'
import { studio } from '../tracer/studio.ts'
import type { Part } from '../tracer/tree.ts'

const sage = '#c5c6b4'

const ballOf = (radius: number): Mesh =>
  revolve(
    Array.from({ length: 33 }, (_, k): Flat => {
      const angle = -Math.PI / 2 + (k / 32) * Math.PI
      return [Math.max(0, Math.cos(angle)) * radius, Math.sin(angle) * radius * 0.93]
    }),
    { segments: 48 },
  )

const boards = () =>
  studio(
    sage,
    [
      { mesh: standing(slab(board(21, 30, 2.4), 1.9, 0.5), 10, 0, -4, 10, 14.85), material: oiled(walnut('z', 1.1)) },
      { mesh: standing(slab(board(15, 20, 2), 1.7, 0.45), 15, 4, 8.5, 1.5, 9.75), material: oiled(walnut('z', 1.5)) },
    ],
    { span: 64, z: 18 },
  )

const boardInUse = () =>
  studio(
    sage,
    [
      { mesh: turn(slab(board(21, 30, 2.4), 1.9, 0.5), 'z', 62), material: oiled(walnut('x', 1.1)) },
      { mesh: move(bowl(5.4, 3.8), -1, -1, 1.9), material: glazed(speckled(palette.chalk)) },
      ...(
        [
          [6, -4, 0.2],
          [8.6, -1, 1.4],
          [9.2, 3, 2.6],
        ] as const
      ).map(
        ([x, y, a]): Part => ({
          mesh: move(turn(ballOf(2.1), 'z', a * 50), x, y, 3.8),
          material: glazed(
            shaded(plain('#8c3a2b'), (s) => 0.85 + 0.3 * hash(Math.floor(s.z * 9))),
            { coat: 0.5, roughness: 0.2 },
          ),
        }),
      ),
    ],
    { span: 62, z: 4, elevation: 38 },
  )

const spoons = () =>
  studio(
    '#cbc7b2',
    [
      { mesh: move(turn(spoon(30, 3.5), 'z', 14), -5, -14, 0), material: oiled(oak('y', 2)) },
      { mesh: move(turn(spoon(27, 3), 'z', 1), 2.6, -13, 0), material: oiled(walnut('y', 2)) },
      { mesh: move(turn(spoon(23, 2.6), 'z', -13), 9, -12, 0), material: oiled(oak('y', 2.4)) },
    ],
    { span: 42, x: 0.5, y: 0, z: 1, elevation: 58 },
  )

const knife = (): Part[] => {
  const blade: Flat[] = [
    ...spaced(
      [
        [-8, -0.9],
        [3, -1.1],
        [7, -0.5],
        [9.4, 1.15],
        [4, 1.25],
        [-8, 1.2],
      ],
      80,
    ),
  ]
  return [
    {
      mesh: move(
        bend(slab(blade, 0.22, 0.08), (x, y, z) => [x, y, z * (y < 0 ? 1 + y * 0.5 : 1)]),
        0,
        0,
        0.55,
      ),
      material: metal('#c9cbcb', 0.22),
    },
    {
      mesh: move(
        turn(
          solid(
            [
              [0, 0],
              [0.9, 0],
              [1.15, 2],
              [1.05, 8],
              [1.3, 11],
              [0, 11.4],
            ],
            0.5,
            40,
          ),
          'y',
          -90,
        ),
        -7,
        0,
        1.05,
      ),
      material: oiled(walnut('x', 2)),
    },
    {
      mesh: move(
        turn(
          solid(
            [
              [0, 0],
              [0.98, 0],
              [1, 0.7],
              [0, 0.71],
            ],
            0.1,
            40,
          ),
          'y',
          -90,
        ),
        -6.6,
        0,
        1.05,
      ),
      material: metal('#c9a566', 0.25),
    },
  ]
}

const knives = () => {
  const rotate = (parts: Part[], angle: number, x: number, y: number, z = 0) =>
    parts.map((part) => ({ ...part, mesh: move(turn(part.mesh, 'z', angle), x, y, z) }))
  return studio(
    '#c2c4b6',
    [
      { mesh: turn(slab(roundRect(22, 30, 2), 1.8, 0.4), 'z', 28), material: oiled(oak('x', 1.1)) },
      ...rotate(knife(), 58, 1, 0, 1.8),
    ],
    { span: 46, z: 1, elevation: 50 },
  )
}

const mills = (shade: 'oak' | 'walnut' | 'ink', ground: string) => {
  const paint = { oak: oak('z', 1.8), walnut: walnut('z', 1.8), ink: plain('#33393f') }[shade]
  return studio(ground, [...mill(paint, -3.4, 2), ...mill(paint, 6, -3, 0.68)], { span: 42, x: 0.5, z: 12 })
}

export const kitchenWood = [
  picture('walnut-board', boards),
  picture('walnut-board-2', boardInUse),
  picture('three-spoons', spoons),
  picture('little-knife', knives),
  picture('tall-mill-oak', () => mills('oak', '#c7c5b1')),
  picture('tall-mill-walnut', () => mills('walnut', '#cdc4b2')),
  picture('tall-mill-ink', () => mills('ink', '#c3c3b9')),
]
