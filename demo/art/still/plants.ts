import { picture } from '../pictures.ts'
import { loops, oak, palette, printed, speckled, terracotta } from '../things/paints.ts'
import { fern, olive, rubberPlant, swordLeaves } from '../things/plants.ts'
import { seedPacket } from '../things/prints.ts'
import { handle, solid, spout, turned } from '../things/vessels.ts'
import { glazed, type Material, matte, metal, plain } from '../tracer/material.ts'
import { join, move, type Point, turn } from '../tracer/mesh.ts'
import { sequence } from '../tracer/noise.ts'
import { box, path, roundRect, slab, tube } from '../tracer/shapes.ts'
import { studio } from '../tracer/studio.ts'
import type { Part } from '../tracer/tree.ts'

const leafGround = '#c9c8b3'
const clay = matte(terracotta(), { coat: 0.06 })
const chalky = matte(terracotta('#d8cfc1'), { coat: 0.06 })
const soil: Material = matte('#3a2c22', { bump: { height: loops(0.7), strength: 1 }, detail: true })

/** A flower pot with a band at the rim, its saucer and its soil. */
const pot = (radius: number, height: number, material: Material, x = 0, y = 0): Part[] => [
  {
    mesh: move(
      turned(
        [
          [radius * 0.66, 0.8],
          [radius * 0.92, height * 0.74],
          [radius * 1.04, height * 0.75],
          [radius * 1.08, height],
        ],
        0.6,
        0.35,
      ),
      x,
      y,
      0,
    ),
    material,
  },
  {
    mesh: move(
      turned(
        [
          [radius * 0.8, 0],
          [radius * 0.98, 1.6],
        ],
        0.4,
        0.2,
      ),
      x,
      y,
      0,
    ),
    material,
  },
  {
    mesh: move(
      solid(
        [
          [0, height * 0.8],
          [radius * 0.85, height * 0.8],
          [radius * 0.9, height * 0.85],
          [0, height * 0.88],
        ],
        0.1,
      ),
      x,
      y,
      0,
    ),
    material: soil,
  },
]

const ficus = () =>
  studio(leafGround, [...pot(9, 15, clay), ...rubberPlant([0, 0, 12.5], 38)], { span: 84, z: 29, elevation: 9 })
const ferny = () =>
  studio('#cfccba', [...pot(8.6, 14, chalky), ...fern([0, 0, 12], 26, 22)], { span: 72, z: 19, elevation: 12 })
const sword = () =>
  studio(
    '#cdbfa9',
    [...pot(7.6, 13, matte(speckled('#e4dac8', { density: 0.2 }))), ...swordLeaves([0, 0, 11], 12, 36)],
    { span: 74, z: 24, elevation: 10 },
  )

const oliveTree = () => {
  const next = sequence(14)
  const crown = Array.from({ length: 22 }, (_, index): Part[] => {
    const angle = index * 2.39996
    const [reach, rise] = [7 + 8 * next(), 10 + 12 * next()]
    const base: Point = [0.6, 0, 39 + index * 0.6]
    return olive(
      [
        base,
        [base[0] + Math.cos(angle) * reach * 0.5, Math.sin(angle) * reach * 0.5, base[2] + rise * 0.55],
        [base[0] + Math.cos(angle) * reach, Math.sin(angle) * reach, base[2] + rise],
      ],
      index + 3,
      24,
      1.05,
    )
  }).flat()
  return studio(
    '#cbc7b6',
    [
      ...pot(9.6, 17, chalky),
      {
        mesh: tube(
          path(
            [
              [0, 0, 13],
              [-0.8, 0, 24],
              [0.9, 0.3, 36],
              [0.5, 0, 52],
            ],
            40,
          ),
          (t) => 0.95 - 0.45 * t,
        ),
        material: matte('#7b6a57'),
      },
      ...crown,
    ],
    { span: 106, z: 38, elevation: 7 },
  )
}

const planters = (material: Material, ground: string) =>
  studio(
    ground,
    [...pot(10.4, 17.6, material, -7, 5), ...pot(7.4, 12.6, material, 10.5, 0), ...pot(5, 8.6, material, 1.4, -11)],
    { span: 58, x: 1, z: 10, elevation: 16 },
  )

const footed = () =>
  studio(
    '#c6c6b6',
    [
      {
        mesh: move(
          turned(
            [
              [8.4, 0],
              [10.4, 1.2],
              [11, 14],
            ],
            0.55,
            2.4,
          ),
          0,
          0,
          8.6,
        ),
        material: glazed(speckled(palette.sage, { density: 0.2 }), { coat: 0.4, roughness: 0.4 }),
      },
      {
        mesh: move(
          solid(
            [
              [0, 0],
              [10.3, 0],
              [10.3, 1],
              [0, 1.2],
            ],
            0.1,
          ),
          0,
          0,
          20.4,
        ),
        material: soil,
      },
      ...[0.5, 2.6, 4.7].map(
        (a): Part => ({
          mesh: tube(
            [
              [Math.cos(a) * 9.4, Math.sin(a) * 9.4, 0],
              [Math.cos(a) * 8.8, Math.sin(a) * 8.8, 5],
              [Math.cos(a) * 8, Math.sin(a) * 8, 11.4],
            ],
            0.85,
          ),
          material: matte(oak('z', 1.5)),
        }),
      ),
      ...swordLeaves([0, 0, 20], 9, 25, 5),
    ],
    { span: 70, z: 23, elevation: 9 },
  )

const can = (): Part => {
  const body = join(
    turned(
      [
        [7.8, 0],
        [8.4, 0.6],
        [7.2, 14],
      ],
      0.3,
      0.6,
    ),
    move(
      turn(
        solid(
          [
            [0, 0],
            [7.1, 0],
            [5.6, 1.2],
            [0, 1.3],
          ],
          0.3,
        ),
        'z',
        0,
      ),
      0,
      0,
      13.2,
    ),
    spout([-7.4, 0, 3.4], [-23.5, 0, 22.5], [-14.5, 0, 8.5], 1.25, 0.5),
    handle([7.7, 4.2], [6, 15.2], 7.5, 0.6, 1),
    tube(
      path(
        [
          [4.4, 0, 14.2],
          [1, 0, 20],
          [-4, 0, 19],
          [-5.2, 0, 14.2],
        ],
        40,
      ),
      0.5,
    ),
  )
  return { mesh: turn(body, 'z', 12), material: metal('#c7a05e', 0.26) }
}
const watering = () => studio('#c3c5b4', [can()], { span: 56, x: -4, z: 11.5, elevation: 12 })
const greenhouse = () =>
  studio(
    '#c9c8b3',
    [
      { ...can(), mesh: move(can().mesh, 6, -16, 0) },
      ...pot(9, 15, clay, -11, 6),
      ...rubberPlant([-11, 6, 12.5], 36),
      ...pot(7, 12, chalky, 17, 10),
      ...fern([17, 10, 10.4], 22, 17, 9),
    ],
    { span: 98, x: 0, z: 27, elevation: 11 },
  )

const seeds = async () => {
  const art = await Promise.all([
    seedPacket('Cosmos', 'C. bipinnatus', '#e3d3c4', '#b5603d'),
    seedPacket('Cornflower', 'C. cyanus', '#d3d7cf', '#4b6280'),
    seedPacket('Calendula', 'C. officinalis', '#e6dcc3', '#c9862f'),
  ])
  return studio(
    '#c9c4b2',
    art
      .map((print, index): Part => {
        const flat = slab(roundRect(9, 12.6, 0.2), 0.5, 0.2)
        const paint = printed(print, (s) => [(s.u - 0.5) * (12.6 / 9) + 0.5, s.v], plain('#e3d9c8'))
        return {
          mesh: move(
            turn(turn(flat, 'x', 78), 'z', [16, 2, -13][index] ?? 0),
            (index - 1) * 8.4,
            [4, 0, 3][index] ?? 0,
            6.2,
          ),
          material: matte(paint, { coat: 0.1 }),
        }
      })
      .concat([{ mesh: move(box(30, 8, 1.4, 0.3), 0, 4, -1.4), material: matte(oak('x')) }]),
    { span: 36, z: 6.4, elevation: 12 },
  )
}

export const plants = [
  picture('rubber-plant', ficus),
  picture('boston-fern', ferny),
  picture('snake-plant', sword),
  picture('olive-tree', oliveTree),
  picture('field-planter-terracotta', () => planters(clay, '#cfc3ae')),
  picture('field-planter-chalk', () => planters(chalky, '#c8c6b6')),
  picture('footed-planter', footed),
  picture('long-spout-can', watering),
  picture('seed-packets', seeds),
  picture('category-plants', greenhouse),
]
