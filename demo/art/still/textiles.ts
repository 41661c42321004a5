import { picture } from '../pictures.ts'
import { knit, loops, oak, palette, threads, waffle, weave, yarn } from '../things/paints.ts'
import { bolster, cushion, draped, folded, fringe, hemOf, rolled, textured, woven } from '../things/textiles.ts'
import { thrown } from '../things/vessels.ts'
import { blend, glazed, type Material, matte, metal } from '../tracer/material.ts'
import { move, turn } from '../tracer/mesh.ts'
import { box, tube } from '../tracer/shapes.ts'
import { studio } from '../tracer/studio.ts'
import type { Hit, Part } from '../tracer/tree.ts'

const rose = '#d6c2b4'

const rail = (height: number, half: number, radius = 1.2, material: Material = matte(oak('x', 1.4))): Part => ({
  mesh: tube(
    [
      [-half, 0, height],
      [-half / 2, 0, height],
      [0, 0, height],
      [half / 2, 0, height],
      [half, 0, height],
    ],
    radius,
    { segments: 20 },
  ),
  material,
})
const brass = metal('#c9a566', 0.3)

/** Uprights and a rail, as a towel horse. */
const stand = (height: number, half: number): Part[] => [
  rail(height, half),
  ...[-1, 1].map(
    (side): Part => ({
      mesh: move(box(2.2, 2.6, height + 2.4, 0.6), side * half, 0, 0),
      material: matte(oak('z', 1.4)),
    }),
  ),
  ...[-1, 1].map(
    (side): Part => ({ mesh: move(box(2.4, 26, 2.2, 0.6), side * half, 0, 0), material: matte(oak('y', 1.4)) }),
  ),
]

const throws = { oat: '#d6c9b5', rust: '#a65c40', fog: '#aeb1b0' } as const
const throwGrounds = { oat: rose, rust: '#d8c0ae', fog: '#cdc6bf' } as const
type Throw = keyof typeof throws

const driftCloth = (hex: string): Material => {
  const height = knit(0.95)
  return textured(yarn(hex, height, 0.95), height, 0.75)
}
const drift = (shade: Throw) => {
  const mesh = draped(46, 56, 46, 76, { folds: 2.2, depth: 2.6, seed: 3 })
  return studio(
    throwGrounds[shade],
    [
      ...stand(76, 31),
      { mesh, material: driftCloth(throws[shade]) },
      { mesh: fringe(hemOf(mesh, 64), 7.5, 0.3, 4), material: woven(throws[shade], 0.2) },
    ],
    { span: 118, z: 42, elevation: 9 },
  )
}

const stool = (height: number, size = 34): Part[] => [
  { mesh: move(box(size, size, 3, 0.9), 0, 0, height - 3), material: matte(oak('x', 1.2)) },
  ...(
    [
      [-1, -1],
      [1, -1],
      [-1, 1],
      [1, 1],
    ] as const
  ).map(
    ([x, y]): Part => ({
      mesh: tube(
        [
          [x * size * 0.44, y * size * 0.44, 0],
          [x * size * 0.38, y * size * 0.38, height * 0.5],
          [x * size * 0.33, y * size * 0.33, height - 2],
        ],
        1.35,
      ),
      material: matte(oak('z', 1.4)),
    }),
  ),
]

const driftStack = () => {
  const stack = (hex: string, z: number, seed: number): Part => ({
    mesh: move(folded(38, 27, 3.4, 3, seed), 0, 0, z),
    material: driftCloth(hex),
  })
  return studio(
    rose,
    [...stool(34, 38), stack(throws.rust, 34, 3), stack(throws.oat, 43.6, 8), stack(throws.fog, 53.2, 12)],
    { span: 100, z: 37, elevation: 10 },
  )
}

const checks = (a: string, b: string, size: number): Material => {
  const height = weave(0.42)
  const square = (s: Hit) => {
    const [u, v] = threads(s)
    return (Math.floor(u / size) + Math.floor(v / size)) % 2 === 0 ? 0 : 1
  }
  return textured(blend(yarn(a, height, 0.42), yarn(b, height, 0.42), square), height, 0.8)
}
const blanket = () => {
  const mesh = draped(50, 58, 44, 76, { folds: 1.6, depth: 2.2, seed: 6 })
  return studio(
    '#cfc4b3',
    [
      ...stand(76, 31),
      { mesh, material: checks('#e6dcc8', '#686f55', 8) },
      { mesh: fringe(hemOf(mesh, 60), 4, 0.28, 9), material: woven('#e6dcc8', 0.2) },
    ],
    { span: 118, z: 42, elevation: 9 },
  )
}
const blanketFolded = () =>
  studio(
    '#cfc4b3',
    [
      ...stool(34, 38),
      { mesh: move(folded(37, 27, 3.6, 5, 4), 0, 0, 34), material: checks('#e6dcc8', '#686f55', 6.5) },
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
          3,
          -2,
          51.4,
        ),
        material: glazed('#ece5d8', { coat: 0.5, roughness: 0.3 }),
      },
    ],
    { span: 96, z: 36, elevation: 11 },
  )

const cushions = { moss: palette.moss, rust: palette.rust, chalk: '#e4dac8' } as const
const cushionGrounds = { moss: '#cbc5b2', rust: '#d9c4b5', chalk: '#cfbfb2' } as const
const pond = (shade: keyof typeof cushions) =>
  studio(
    cushionGrounds[shade],
    [
      {
        mesh: move(turn(turn(cushion(46, 46, 21, 3), 'x', -15), 'z', 9), 0, 0, 21.6),
        material: woven(cushions[shade], 0.5, 0.8),
      },
    ],
    { span: 84, z: 23, elevation: 9 },
  )
const pondPair = () =>
  studio(
    rose,
    [
      {
        mesh: move(turn(turn(cushion(50, 50, 21, 5), 'x', -14), 'z', 6), -7, 7, 23.4),
        material: woven(cushions.chalk, 0.5, 0.8),
      },
      {
        mesh: move(turn(turn(cushion(44, 44, 20, 3), 'x', -18), 'z', -10), 13, -8, 20.4),
        material: woven(cushions.moss, 0.5, 0.8),
      },
    ],
    { span: 92, x: 2, z: 26, elevation: 9 },
  )

const boucle = () => {
  const height = loops(0.85)
  return studio(
    '#cdb8aa',
    [{ mesh: turn(bolster(58, 10.5), 'z', 14), material: textured(yarn('#e7dece', height, 0.85), height, 0.9) }],
    { span: 84, z: 13, elevation: 14 },
  )
}

const linen = (hex: string) => woven(hex, 0.16, 0.7)
const napkins = (hexes: readonly string[]) =>
  studio(
    '#d3c5b6',
    [
      ...hexes.map(
        (hex, index): Part => ({
          mesh: move(turn(folded(23, 23, 1.25, 2, 3 + index), 'z', (index % 2 ? -3 : 4) + index), 0, 0, index * 2.4),
          material: linen(hex),
        }),
      ),
    ],
    { span: 48, z: 5.5, elevation: 24 },
  )

const stripe = (ground: string, line: string, where: (u: number) => boolean): Material => {
  const height = weave(0.2)
  return textured(
    blend(yarn(ground, height, 0.2), yarn(line, height, 0.2), (s) => (where(s.u) ? 1 : 0)),
    height,
    0.7,
  )
}
const kitchenTowels = () => {
  const bands = (u: number) =>
    (u > 0.1 && u < 0.14) || (u > 0.165 && u < 0.18) || (u > 0.86 && u < 0.9) || (u > 0.82 && u < 0.835)
  const left = draped(23, 44, 36, 66, { radius: 0.7, folds: 1.5, depth: 1.3, seed: 2 })
  const right = draped(23, 39, 38, 66, { radius: 0.7, folds: 1.3, depth: 1.2, seed: 7 })
  return studio(
    '#cfc7b8',
    [
      rail(66, 36, 0.6, brass),
      ...[-1, 1].map(
        (side): Part => ({
          mesh: tube(
            [
              [side * 33, 0, 66],
              [side * 33, 8, 66],
              [side * 33, 19, 66],
            ],
            0.6,
          ),
          material: brass,
        }),
      ),
      { mesh: move(left, -14, 0, 0), material: stripe('#e9e1d2', '#2c3642', bands) },
      { mesh: move(right, 14, 0, 0), material: stripe('#e9e1d2', '#a65838', bands) },
    ],
    { span: 84, z: 46, elevation: 5 },
    { backdrop: { only: 'wall', wall: 18, bend: 0 } },
  )
}

const waffleCloth = (hex: string): Material => {
  const height = waffle(0.95)
  return textured(yarn(hex, height, 0.95), height, 0.85)
}
const towels = () =>
  studio(
    '#c9c6bb',
    [
      { mesh: folded(40, 28, 2.6, 3, 2), material: waffleCloth('#e6dfd0') },
      { mesh: move(folded(38, 27, 2.6, 3, 6), 0, 0, 7.4), material: waffleCloth('#b9bfae') },
      { mesh: move(turn(rolled(5.4, 24, 4), 'z', -24), -5, -2, 14.6), material: waffleCloth('#e6dfd0') },
      { mesh: move(turn(rolled(4.4, 22, 4), 'z', -20), 8.5, -2, 14.6), material: waffleCloth('#c59f86') },
    ],
    { span: 70, z: 13, elevation: 15 },
  )

export const textiles = [
  ...(Object.keys(throws) as Throw[]).map((shade) => picture(`drift-throw-${shade}`, () => drift(shade))),
  picture('drift-throw-2', driftStack),
  picture('checker-blanket', blanket),
  picture('checker-blanket-2', blanketFolded),
  ...(['moss', 'rust', 'chalk'] as const).map((shade) => picture(`pond-cushion-${shade}`, () => pond(shade))),
  picture('pond-cushion-2', pondPair),
  picture('boucle-bolster', boucle),
  picture('linen-napkins-flax', () => napkins(['#d6cab5', '#d6cab5', '#d6cab5', '#d6cab5'])),
  picture('linen-napkins-clay', () => napkins(['#bd7a5c', '#bd7a5c', '#bd7a5c', '#bd7a5c'])),
  picture('striped-kitchen-towels', kitchenTowels),
  picture('waffle-towel', towels),
]
