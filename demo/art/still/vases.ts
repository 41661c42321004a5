import { picture } from '../pictures.ts'
import { glaze, ground, sand, satin, tidal } from '../things/glazes.ts'
import { breaking, type Shade, speckled } from '../things/paints.ts'
import { eucalyptus, grass, olive } from '../things/plants.ts'
import { bowl, solid, thrown, torus } from '../things/vessels.ts'
import { glazed, matte } from '../tracer/material.ts'
import { join, move } from '../tracer/mesh.ts'
import { box, curve, vessel } from '../tracer/shapes.ts'
import { studio } from '../tracer/studio.ts'
import type { Part } from '../tracer/tree.ts'

const tidalVase = (shade: Shade) =>
  studio(
    ground(shade),
    [
      tidal(shade),
      ...olive(
        [
          [0, 0, 22],
          [-2, -1, 34],
          [-8, -2, 46],
          [-15, -1, 53],
        ],
        5,
        22,
      ),
      ...olive(
        [
          [0.5, 0, 22],
          [2, 0, 34],
          [6, 1, 44],
          [13, 2, 50],
        ],
        8,
        18,
      ),
    ],
    { span: 76, z: 27 },
  )

const moonJar = () =>
  studio(
    sand,
    [
      {
        mesh: thrown(
          [
            [6.4, 0],
            [8, 0.8],
            [13.6, 6],
            [15.6, 14.5],
            [13.2, 23],
            [7.6, 28],
            [6.6, 29.2],
            [7, 31],
          ],
          0.5,
          { wobble: 0.012 },
        ),
        material: glazed(speckled('#e8e2d6', { density: 0.03, depth: 0.05 }), { coat: 0.7, roughness: 0.16 }),
      },
    ],
    { span: 60, z: 17 },
  )

const budVases = () => {
  const pebble = (x: number, y: number, scale: number, hex: string): Part => ({
    mesh: move(
      thrown(
        [
          [2.4 * scale, 0],
          [4.4 * scale, 1.6 * scale],
          [5 * scale, 4 * scale],
          [3.4 * scale, 6.8 * scale],
          [1.1 * scale, 8.2 * scale],
          [0.95 * scale, 10 * scale],
          [1.35 * scale, 11 * scale],
        ],
        0.3,
      ),
      x,
      y,
      0,
    ),
    material: glazed(speckled(hex), satin),
  })
  return studio(
    sand,
    [
      pebble(-7.5, 1, 1, '#e9e0cf'),
      pebble(3.6, -3.5, 0.8, '#b9693f'),
      pebble(9.6, 5, 1.18, '#77815e'),
      ...grass(
        [
          [-7.5, 1, 9],
          [-8, 1, 20],
          [-10.5, 0, 30],
        ],
        4,
        '#cdb184',
        7,
      ),
      ...eucalyptus(
        [
          [9.6, 5, 12],
          [10.5, 5, 20],
          [13.5, 4, 29],
        ],
        7,
        0.8,
      ),
    ],
    { span: 50, z: 15.5 },
  )
}

const ripple = (r: number, angle: number, z: number) => r * (1 + 0.028 * Math.abs(Math.sin(angle * 14 + z * 0.02)))

const rippleVase = () =>
  studio(
    '#d3b9a3',
    [
      {
        mesh: vessel(
          curve(
            [
              [4.6, 0],
              [6, 1.4],
              [7.4, 9],
              [7.2, 18],
              [5.4, 27],
              [5, 31],
              [6, 34],
            ],
            120,
          ),
          0.45,
          { rows: 120, segments: 336, radius: ripple },
        ),
        material: glazed(breaking('#b5633e', '#d79a72', 12, 34), { coat: 0.6, roughness: 0.25 }),
      },
      ...grass(
        [
          [0, 0, 26],
          [1, 0, 42],
          [6, -1, 56],
        ],
        3,
        '#d9c49a',
        10,
      ),
      ...grass(
        [
          [-1, 0, 26],
          [-3, 0, 40],
          [-9, 1, 52],
        ],
        6,
        '#cfb384',
        9,
      ),
      ...grass(
        [
          [0, 1, 26],
          [0, 1, 44],
          [-1, 2, 61],
        ],
        8,
        '#d9c49a',
        10,
      ),
    ],
    { span: 84, z: 30 },
  )

const haloVase = () =>
  studio(
    '#d2beab',
    [
      {
        mesh: join(
          move(torus(9.4, 3.2), 0, 0, 12.3),
          solid(
            [
              [0, 0],
              [4.6, 0],
              [4.2, 1.6],
              [3, 3],
              [0, 3],
            ],
            0.5,
          ),
          move(
            vessel(
              curve(
                [
                  [2.6, 0],
                  [1.9, 2.2],
                  [1.7, 4.6],
                  [2.3, 6.6],
                ],
                40,
              ),
              0.3,
              { rows: 40 },
            ),
            0,
            0,
            23.4,
          ),
        ),
        material: matte(speckled('#e6dac6', { density: 0.22 }), { coat: 0.3, roughness: 0.5 }),
      },
      ...olive(
        [
          [0, 0, 28],
          [1, 0, 38],
          [5, 0, 47],
          [11, 1, 52],
        ],
        12,
        18,
      ),
    ],
    { span: 76, z: 26 },
  )

const vaseGroup = () =>
  studio(
    '#d5bfa8',
    [
      { mesh: move(box(20, 20, 12, 0.5), 12, 8, 0), material: matte('#cbb098') },
      { ...tidal('ink'), mesh: move(tidal('ink').mesh, -8, -3, 0) },
      {
        mesh: move(
          thrown(
            [
              [3, 0],
              [5.2, 1.8],
              [6, 5],
              [4, 8.4],
              [1.4, 10],
              [1.2, 12],
              [1.7, 13.4],
            ],
            0.3,
          ),
          11,
          7,
          12,
        ),
        material: glazed(speckled('#b9693f'), satin),
      },
      { mesh: move(bowl(7.4, 5.2), 9, -9, 0), material: glaze('chalk') },
      ...olive(
        [
          [-8, -3, 22],
          [-10, -4, 36],
          [-16, -5, 48],
          [-20, -4, 54],
        ],
        21,
        22,
      ),
      ...grass(
        [
          [11, 7, 23],
          [12, 7, 34],
          [15, 6, 44],
        ],
        4,
        '#d2b98c',
        8,
      ),
    ],
    { span: 82, z: 27, elevation: 12 },
  )

export const vases = [
  ...(['chalk', 'moss', 'ink'] as const).map((shade) => picture(`tidal-vase-${shade}`, () => tidalVase(shade))),
  picture('moon-jar', moonJar),
  picture('pebble-bud-vases', budVases),
  picture('ripple-vase', rippleVase),
  picture('halo-vase', haloVase),
  picture('tidal-vase-2', vaseGroup),
]
