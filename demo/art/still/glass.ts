import { picture } from '../pictures.ts'
import { eucalyptus, grass, olive } from '../things/plants.ts'
import { handle, solid, thrown } from '../things/vessels.ts'
import { glass, glazed, type Material, matte } from '../tracer/material.ts'
import { type Mesh, move, turn } from '../tracer/mesh.ts'
import { box, curve, revolve, rounded, vessel } from '../tracer/shapes.ts'
import { studio } from '../tracer/studio.ts'
import type { Part } from '../tracer/tree.ts'

const mist = '#c3ccc8'
const tints = { clear: '#f3f8f6', smoke: '#cfcac6', sea: '#cce4dd', amber: '#f0cd98' } as const
type Tint = keyof typeof tints

const grounds: Record<Tint, string> = { clear: mist, smoke: '#cbc7c1', sea: '#c4cfc6', amber: '#d5c9b4' }

/** A hair above the floor, so that the two surfaces do not share a place. */
const lifted = (mesh: Mesh, x = 0, y = 0): Mesh => move(mesh, x, y, 0.05)
const blown = (mesh: Mesh, tint: Tint, x = 0, y = 0): Part => ({
  mesh: lifted(mesh, x, y),
  material: glass(tints[tint]),
})

const carafeShape = () =>
  vessel(
    curve(
      [
        [4.9, 0],
        [5.6, 0.5],
        [5.9, 4],
        [5.7, 11],
        [4, 16.5],
        [2.9, 20],
        [2.8, 24],
        [3.7, 28],
      ],
      130,
    ),
    0.24,
    { rows: 130 },
  )
const tumblerShape = () =>
  vessel(
    rounded(
      [
        [3.1, 0],
        [3.7, 0.8],
        [4.1, 9.4],
      ],
      0.8,
    ),
    0.26,
    { rows: 90 },
  )

/** What fills a vessel up to a height: a body of its own just inside the wall. */
const water = (points: readonly (readonly [number, number])[], tint = '#e2efec'): Part => ({
  mesh: revolve(rounded([[0, 0.5], ...points, [0, points.at(-1)?.[1] ?? 1]], 0.25), { segments: 96 }),
  material: glass(tint, 1.2),
})

const carafe = (tint: Tint) =>
  studio(
    grounds[tint],
    [
      blown(carafeShape(), tint),
      ...(tint === 'clear'
        ? [
            water([
              [5.2, 0.6],
              [5.55, 4],
              [5.35, 10.6],
            ]),
          ]
        : []),
      blown(tumblerShape(), tint, 12.2, -6),
    ],
    { span: 48, x: 3, z: 13 },
  )

const tumblers = (tint: Tint) =>
  studio(
    grounds[tint],
    [
      blown(tumblerShape(), tint, -8.2, 0.5),
      blown(tumblerShape(), tint, 1, -4.5),
      blown(tumblerShape(), tint, 9.6, 1.5),
      { mesh: move(turn(tumblerShape(), 'y', 0), 1.2, 7, 0.05), material: glass(tints[tint]) },
    ],
    { span: 37, z: 5.5, elevation: 16 },
  )

const coupes = () => {
  // The bowl is hollow, the stem is not: the wall only opens above it.
  const cup = vessel(
    curve(
      [
        [0.6, 9.6],
        [2.6, 10.6],
        [4.9, 12.6],
        [5.5, 15],
      ],
      80,
    ),
    0.2,
    { rows: 80 },
  )
  const stem = solid(
    [
      [0, 0],
      [3.7, 0],
      [3.6, 0.22],
      [1, 0.5],
      [0.4, 1.2],
      [0.34, 6],
      [0.6, 9.62],
      [0, 9.63],
    ],
    0.3,
  )
  return studio(
    mist,
    [
      blown(cup, 'clear', -6, 2),
      blown(stem, 'clear', -6, 2),
      blown(cup, 'clear', 6.6, -2),
      blown(stem, 'clear', 6.6, -2),
      {
        mesh: move(
          revolve(
            rounded(
              [
                [0, 10.35],
                [2.2, 10.75],
                [3.6, 11.8],
                [4.25, 12.6],
                [0, 12.61],
              ],
              0.2,
            ),
            { segments: 96 },
          ),
          6.6,
          -2,
          0,
        ),
        material: glazed('#dfb684', { roughness: 0.05, glow: 0.08 }),
      },
    ],
    { span: 33, z: 8, elevation: 12 },
  )
}

const bubbleVase = () =>
  studio(
    '#c6cdc4',
    [
      blown(
        vessel(
          curve(
            [
              [3.6, 0],
              [5.6, 0.8],
              [9.4, 6.5],
              [9.2, 12],
              [5.4, 17],
              [2.6, 19.2],
              [2.5, 20.5],
              [3, 21.6],
            ],
            130,
          ),
          0.3,
          { rows: 130 },
        ),
        'sea',
      ),
      ...eucalyptus(
        [
          [0.5, 0, 1.5],
          [0.5, 0, 20],
          [3, 0, 33],
          [9, -1, 44],
        ],
        4,
      ),
      ...eucalyptus(
        [
          [-0.5, 0.3, 1.5],
          [-1, 0.5, 20],
          [-4, 1, 31],
          [-10, 1, 39],
        ],
        9,
      ),
    ],
    { span: 68, z: 22 },
  )

const jugShape = () =>
  vessel(
    curve(
      [
        [4.6, 0],
        [5.8, 0.6],
        [6.5, 4.5],
        [5.6, 9],
        [4.3, 12.5],
        [4.6, 16],
        [5.6, 19.4],
      ],
      120,
    ),
    0.26,
    { rows: 120 },
  )
const jug = () =>
  studio(
    '#d2cab8',
    [
      { mesh: lifted(turn(jugShape(), 'z', 0)), material: glass(tints.amber) },
      { mesh: lifted(turn(handle([6.1, 4.6], [5.2, 16.6], 3.2, 0.55, 0.85), 'z', -16)), material: glass(tints.amber) },
    ],
    { span: 38, x: 1.2, z: 9.5 },
  )

const stemVase = () =>
  studio(
    mist,
    [
      blown(
        vessel(
          curve(
            [
              [3.4, 0],
              [3.8, 0.4],
              [3.6, 3],
              [1.7, 8],
              [1.4, 18],
              [2.1, 24],
            ],
            130,
          ),
          0.24,
          { rows: 130 },
        ),
        'smoke',
        -5,
      ),
      ...grass(
        [
          [-5, 0, 1.5],
          [-5, 0, 24],
          [-3, 0, 38],
          [2, 0, 49],
        ],
        3,
        '#cdb991',
        9,
      ),
      blown(
        vessel(
          curve(
            [
              [2.6, 0],
              [3.4, 0.6],
              [4.4, 4],
              [3.2, 8],
              [1.3, 10.4],
              [1.3, 12.5],
              [1.8, 14],
            ],
            110,
          ),
          0.22,
          { rows: 110 },
        ),
        'smoke',
        7,
        -4,
      ),
      ...olive(
        [
          [7, -4, 1.5],
          [7, -4, 13],
          [9, -4, 23],
          [14, -5, 30],
        ],
        6,
        14,
      ),
    ],
    { span: 70, z: 22 },
  )

const cloche = () => {
  const shelf: Material = matte('#b9c3be')
  return studio(
    mist,
    [
      { mesh: move(box(46, 26, 9, 0.4), 0, 6, 0), material: shelf },
      { mesh: move(carafeShape(), -9, 4, 9.05), material: glass(tints.sea) },
      { mesh: move(tumblerShape(), 2.5, 0, 9.05), material: glass(tints.sea) },
      { mesh: move(tumblerShape(), 12, 5, 9.05), material: glass(tints.amber) },
      {
        mesh: move(
          thrown(
            [
              [2, 0],
              [2.8, 0.6],
              [3.4, 2.6],
              [3.5, 5],
            ],
            0.3,
          ),
          7,
          -12,
          0,
        ),
        material: glazed('#ece5d8'),
      },
    ],
    { span: 62, z: 20 },
  )
}

const oilShape = () =>
  vessel(
    curve(
      [
        [3.4, 0],
        [4, 0.4],
        [4.2, 4],
        [4, 9],
        [1.6, 13],
        [1.2, 16],
        [1.5, 18.4],
      ],
      120,
    ),
    0.22,
    { rows: 120 },
  )
const oil = () =>
  studio(
    '#cfcfbd',
    [
      blown(oilShape(), 'clear'),
      {
        mesh: revolve(
          rounded(
            [
              [0, 0.4],
              [3.5, 0.5],
              [3.85, 4],
              [3.65, 8.6],
              [0, 8.61],
            ],
            0.25,
          ),
          { segments: 96 },
        ),
        material: glass('#d3b73c', 1.2),
      },
      {
        mesh: move(
          solid(
            [
              [0, 0],
              [1.1, 0],
              [1.4, 2.6],
              [1.6, 2.8],
              [1.7, 4.4],
              [0, 4.6],
            ],
            0.25,
          ),
          0,
          0,
          16.8,
        ),
        material: matte('#b98d5c'),
      },
    ],
    { span: 36, z: 10.5 },
  )

export const glassware = [
  ...(['clear', 'smoke', 'sea'] as const).map((tint) => picture(`fogline-carafe-${tint}`, () => carafe(tint))),
  ...(['clear', 'amber', 'sea'] as const).map((tint) => picture(`dew-tumblers-${tint}`, () => tumblers(tint))),
  picture('coupe-pair', coupes),
  picture('bubble-vase', bubbleVase),
  picture('honey-jug', jug),
  picture('stem-vases', stemVase),
  picture('oil-bottle', oil),
  picture('fogline-carafe-2', cloche),
]
