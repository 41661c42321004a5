import { picture } from '../pictures.ts'
import { oak, palette, speckled } from '../things/paints.ts'
import { olive } from '../things/plants.ts'
import { bowl, thrown } from '../things/vessels.ts'
import { glass, glazed, matte } from '../tracer/material.ts'
import { move, turn } from '../tracer/mesh.ts'
import { box, curve, vessel } from '../tracer/shapes.ts'
import { type Scene, studio } from '../tracer/studio.ts'

/** The front page: a long shelf in late window light. */
const home = (portrait: boolean): Scene => {
  const chalk = glazed(speckled(palette.chalk), { coat: 0.45, roughness: 0.35 })
  const shift = portrait ? 0 : 8
  return studio(
    ['#c3a487', '#dac9b5'],
    [
      {
        mesh: move(box(portrait ? 200 : 260, 44, 5, 0.5), 0, 10, 0),
        material: matte(oak('x', 0.7), { coat: 0.25, roughness: 0.5 }),
      },
      {
        mesh: move(
          thrown(
            [
              [4.6, 0],
              [5.6, 0.6],
              [8.6, 6],
              [9.4, 12.5],
              [7.4, 19],
              [3.6, 23],
              [2.9, 26],
              [3.9, 28.6],
            ],
            0.42,
          ),
          shift - 14,
          8,
          5,
        ),
        material: glazed(speckled(palette.moss), { coat: 0.5, roughness: 0.3 }),
      },
      ...olive(
        [
          [shift - 14, 8, 28],
          [shift - 16, 7, 42],
          [shift - 23, 6, 54],
          [shift - 31, 6, 61],
        ],
        5,
        26,
      ),
      ...olive(
        [
          [shift - 14, 8, 28],
          [shift - 12, 8, 41],
          [shift - 8, 8, 52],
          [shift - 1, 9, 58],
        ],
        8,
        20,
      ),
      {
        mesh: move(
          thrown(
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
          ),
          shift + 13,
          14,
          5,
        ),
        material: chalk,
      },
      {
        mesh: move(bowl(8.6, 6), shift + 2, -7, 5),
        material: glazed(speckled('#b5683f'), { coat: 0.5, roughness: 0.3 }),
      },
      {
        mesh: move(
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
          ),
          shift + 34,
          6,
          5.05,
        ),
        material: glass('#cce4dd'),
      },
      ...(portrait
        ? []
        : [
            { mesh: move(turn(box(21, 15, 2.4, 0.2), 'z', 4), shift + 52, 6, 5), material: matte('#8f4a30') },
            { mesh: move(turn(box(19, 14, 2, 0.2), 'z', -3), shift + 52, 6, 7.4), material: matte('#ddd2bf') },
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
                shift + 52,
                5,
                9.4,
              ),
              material: glazed(speckled(palette.ink), { coat: 0.5, roughness: 0.3 }),
            },
          ]),
    ],
    { span: portrait ? 92 : 84, x: portrait ? 4 : 0, z: portrait ? 31 : 29, elevation: 6, distance: 300 },
    {
      keySpread: 2,
      keyAzimuth: -50,
      keyElevation: 33,
      key: 1.08,
      backdrop: { wall: 34, bend: 0.5 },
      window: (across, up) => {
        const [a, u] = [across - (portrait ? 0 : shift * 0.5), up - 4]
        if (Math.abs(a) > 46 || Math.abs(u) > 52) return 0.4
        return Math.abs(a) < 1.8 || Math.abs(u - 6) < 1.8 ? 0.4 : 1
      },
    },
  )
}

export const front = [
  picture('home-hero', () => home(false), 2400, 1350),
  picture('home-hero-portrait', () => home(true), 1200, 1500),
]
