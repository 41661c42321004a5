import { picture } from '../pictures.ts'
import { dipped, loops, marble, oak, palette, speckled, walnut } from '../things/paints.ts'
import { handle, solid, thrown, turned } from '../things/vessels.ts'
import { board, mill, oiled, spoon, standing } from '../things/woodware.ts'
import { glass, glazed, matte, type Paint, plain, shaded } from '../tracer/material.ts'
import { join, move, turn } from '../tracer/mesh.ts'
import { hash } from '../tracer/noise.ts'
import { curve, revolve, rounded, slab, vessel } from '../tracer/shapes.ts'
import { studio } from '../tracer/studio.ts'
import type { Part } from '../tracer/tree.ts'

const sage = '#c5c6b4'

const saltCellar = () =>
  studio(
    '#cdc9b9',
    [
      {
        mesh: turned(
          [
            [4.6, 0],
            [5.4, 0.8],
            [5.4, 6.4],
          ],
          0.5,
          1.2,
        ),
        material: glazed(speckled('#e3dac8', { density: 0.26 }), { coat: 0.4, roughness: 0.4 }),
      },
      {
        mesh: solid(
          [
            [0, 0.6],
            [4.8, 0.6],
            [4.8, 5],
            [2, 5.7],
            [0, 5.9],
          ],
          0.4,
        ),
        material: matte('#f2efe9', { bump: { height: loops(0.3), strength: 1 }, detail: true }),
      },
      {
        mesh: move(
          turn(
            solid(
              [
                [0, 0],
                [5.3, 0],
                [5.5, 0.5],
                [5.3, 1.1],
                [1.2, 1.3],
                [0.9, 2],
                [1.2, 2.8],
                [0, 3],
              ],
              0.3,
              80,
            ),
            'x',
            62,
          ),
          8.6,
          -3.5,
          4.6,
        ),
        material: oiled(oak('x', 1.6)),
      },
    ],
    { span: 35, x: 3.6, z: 4.2, elevation: 18 },
  )

const jars = () => {
  const jar = (x: number, y: number, radius: number, height: number, fill: Paint, level: number): Part[] => [
    {
      mesh: move(
        turned(
          [
            [radius * 0.9, 0],
            [radius, 0.6],
            [radius, height],
          ],
          0.26,
          0.8,
        ),
        x,
        y,
        0.05,
      ),
      material: glass(),
    },
    {
      mesh: move(
        solid(
          [
            [0, 0.5],
            [radius - 0.4, 0.5],
            [radius - 0.36, height * level],
            [0, height * level + 0.4],
          ],
          0.4,
        ),
        x,
        y,
        0.05,
      ),
      material: matte(fill, { bump: { height: loops(0.5), strength: 0.9 }, detail: true }),
    },
    {
      mesh: move(
        solid(
          [
            [0, 0],
            [radius - 0.35, 0],
            [radius - 0.1, 2.4],
            [radius + 0.1, 2.6],
            [radius + 0.1, 3.6],
            [0, 3.8],
          ],
          0.3,
        ),
        x,
        y,
        height - 2.2,
      ),
      material: matte(
        shaded(
          plain('#bd9566'),
          (s) => 0.8 + 0.35 * hash(Math.floor(s.x * 4), Math.floor(s.y * 4), Math.floor(s.z * 4)),
        ),
      ),
    },
  ]
  const grain = (hex: string) =>
    shaded(plain(hex), (s) => 0.75 + 0.5 * hash(Math.floor(s.x * 3.2), Math.floor(s.y * 3.2), Math.floor(s.z * 3.2)))
  return studio(
    '#c6cabc',
    [
      ...jar(-7.6, 3, 5, 21, grain('#e2d3b0'), 0.66),
      ...jar(4.2, 0, 5, 15, grain('#a5552f'), 0.6),
      ...jar(-0.4, -10, 4.2, 9.6, grain('#5d5a49'), 0.62),
    ],
    { span: 46, x: -1, z: 10 },
  )
}

const mortar = () =>
  studio(
    '#bfc1b3',
    [
      {
        mesh: vessel(
          rounded(
            [
              [4.6, 0],
              [5.2, 0.6],
              [4.6, 2.2],
              [7, 6],
              [7.6, 10.4],
            ],
            1.2,
          ),
          1.1,
          { rows: 90 },
        ),
        material: glazed(marble(), { coat: 0.5, roughness: 0.25 }),
      },
      {
        mesh: move(
          turn(
            solid(
              [
                [0, 0],
                [1.9, 0.4],
                [2.2, 1.6],
                [1.5, 4],
                [1, 9],
                [1.1, 14.5],
                [0, 15.2],
              ],
              0.9,
              56,
            ),
            'y',
            34,
          ),
          0.4,
          -0.5,
          3.6,
        ),
        material: glazed(marble(), { coat: 0.5, roughness: 0.25 }),
      },
    ],
    { span: 36, x: 1.8, z: 7.6, elevation: 15 },
  )

const dripperParts = (): Part[] => {
  const glaze = glazed(speckled('#e8dfcf', { density: 0.16 }), { coat: 0.55, roughness: 0.28 })
  return [
    {
      mesh: move(
        vessel(
          rounded(
            [
              [1.4, 0],
              [2, 0.6],
              [6.2, 9],
            ],
            0.4,
          ),
          0.4,
          { rows: 60 },
        ),
        0,
        0,
        14.6,
      ),
      material: glaze,
    },
    {
      mesh: move(
        revolve(
          rounded(
            [
              [0, 0],
              [5.6, 0],
              [5.8, 0.5],
              [5.5, 0.9],
              [1.8, 1.1],
            ],
            0.3,
          ),
          { segments: 80 },
        ),
        0,
        0,
        14,
      ),
      material: glaze,
    },
    { mesh: move(turn(handle([3.6, 16.6], [5.6, 21.6], 2.2, 0.45), 'z', -24), 0, 0, 0), material: glaze },
    {
      mesh: move(
        vessel(
          curve(
            [
              [5.4, 0],
              [6.4, 0.8],
              [7.2, 4.5],
              [5, 10.5],
              [4, 12],
              [4.4, 14],
            ],
            120,
          ),
          0.24,
          { rows: 120 },
        ),
        0,
        0,
        0.05,
      ),
      material: glass(),
    },
    {
      mesh: revolve(
        rounded(
          [
            [0, 0.45],
            [5.7, 0.5],
            [6.6, 3],
            [6.75, 4.5],
            [6.3, 6],
            [0, 6.01],
          ],
          0.3,
        ),
        { segments: 96 },
      ),
      material: glazed('#3b2013', { coat: 0.8, roughness: 0.05 }),
    },
  ]
}

const dripper = () => studio('#c9c3b2', dripperParts(), { span: 42, x: 0.6, z: 11 })

const coffeeCorner = () => {
  const cup = thrown(
    [
      [2, 0],
      [2.7, 0.5],
      [3.2, 2.6],
      [3.3, 5.6],
    ],
    0.28,
  )
  const glaze = glazed(dipped(speckled(palette.chalk), speckled('#b9693f'), 2.6, 0.3), { coat: 0.55, roughness: 0.28 })
  return studio(
    '#cfc6b4',
    [
      ...dripperParts().map((part) => ({ ...part, mesh: move(part.mesh, -6, 2, 0) })),
      { mesh: move(join(cup, move(cup, 0.2, 0.1, 5.3)), 7.6, -3, 0), material: glaze },
      { mesh: move(cup, 14.6, -7, 0), material: glaze },
      { mesh: move(turn(spoon(23, 2.6), 'z', 62), 7, -15, 0), material: oiled(oak('x', 2)) },
    ],
    { span: 50, x: 2, z: 10, elevation: 15 },
  )
}

const kitchenGroup = () =>
  studio(
    sage,
    [
      { mesh: standing(slab(board(21, 30, 2.4), 1.9, 0.5), 9, 0, -7, 13, 14.9), material: oiled(walnut('z', 1.1)) },
      ...mill(oak('z', 1.8), 9, 1),
      {
        mesh: move(
          vessel(
            rounded(
              [
                [4.6, 0],
                [5.2, 0.6],
                [4.6, 2.2],
                [7, 6],
                [7.6, 10.4],
              ],
              1.2,
            ),
            1.1,
            { rows: 90 },
          ),
          -7.5,
          -3,
          0,
        ),
        material: glazed(marble(), { coat: 0.5, roughness: 0.25 }),
      },
      {
        mesh: move(
          thrown(
            [
              [2.4, 0],
              [3.2, 0.6],
              [3.9, 3],
              [4, 6.4],
            ],
            0.3,
          ),
          15.5,
          -8,
          0,
        ),
        material: glazed(speckled('#b9693f')),
      },
    ],
    { span: 66, x: 1.5, z: 18 },
  )

export const kitchenJars = [
  picture('salt-cellar', saltCellar),
  picture('pantry-jar', jars),
  picture('marble-mortar', mortar),
  picture('slow-dripper', dripper),
  picture('coffee-corner', coffeeCorner),
  picture('category-kitchen', kitchenGroup),
]
