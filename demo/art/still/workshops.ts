import { picture } from '../pictures.ts'
import { oak, palette, speckled, walnut, weave, yarn } from '../things/paints.ts'
import { branch, grass, olive } from '../things/plants.ts'
import { draped, textured } from '../things/textiles.ts'
import { bowl, mug, solid, thrown } from '../things/vessels.ts'
import { glazed, type Material, matte, metal, plain, shaded } from '../tracer/material.ts'
import { move, turn } from '../tracer/mesh.ts'
import { clouds, smoothstep } from '../tracer/noise.ts'
import { box, curve, tube, vessel } from '../tracer/shapes.ts'
import { studio } from '../tracer/studio.ts'
import type { Part } from '../tracer/tree.ts'

const earth = '#d0b49c'

const slip: Material = matte(
  shaded(plain('#b08465'), (s) => 0.92 + 0.16 * clouds(s.z * 2.4, s.x * 0.2, s.y * 0.2)),
  { coat: 0.6, roughness: 0.3 },
)

const wheel = () => {
  const ridges = (r: number, angle: number, z: number) => r * (1 + 0.008 * Math.sin(z * 5.2 + angle))
  return studio(
    earth,
    [
      {
        mesh: solid(
          [
            [0, 0],
            [30, 0],
            [30, 9],
            [0, 9],
          ],
          1.4,
          128,
        ),
        material: matte('#6b625b', { coat: 0.3, roughness: 0.5 }),
      },
      {
        mesh: move(
          solid(
            [
              [0, 0],
              [16, 0],
              [16.4, 0.6],
              [16, 1.4],
              [0, 1.4],
            ],
            0.4,
            128,
          ),
          0,
          0,
          11,
        ),
        material: metal('#a5a19b', 0.35),
      },
      {
        mesh: move(
          solid(
            [
              [0, 0],
              [2.4, 0],
              [2.4, 3],
              [0, 3],
            ],
            0.1,
          ),
          0,
          0,
          8.6,
        ),
        material: metal('#77736d', 0.4),
      },
      {
        mesh: move(
          solid(
            [
              [0, 0],
              [10.6, 0],
              [10.8, 0.5],
              [10.6, 1.3],
              [0, 1.3],
            ],
            0.3,
            96,
          ),
          0,
          0,
          12.4,
        ),
        material: matte(oak('x')),
      },
      {
        mesh: move(
          vessel(
            curve(
              [
                [5.4, 0],
                [6.2, 0.5],
                [7.4, 5],
                [7.9, 10],
                [7.2, 15],
                [6.2, 18.4],
              ],
              140,
            ),
            0.6,
            { rows: 140, radius: ridges },
          ),
          0,
          0,
          13.7,
        ),
        material: slip,
      },
      {
        mesh: move(
          solid(
            [
              [0, 0],
              [2.4, 0.3],
              [2.5, 2.6],
              [0, 2.9],
            ],
            1,
          ),
          20.5,
          -13,
          9,
        ),
        material: matte('#d8b45f', { coat: 0 }),
      },
      {
        mesh: move(
          turn(
            tube(
              [
                [0, 0, 0],
                [4, 0, 0],
                [9, 0, 0],
                [15, 0, 0],
              ],
              0.55,
            ),
            'z',
            38,
          ),
          -25,
          -15,
          9.6,
        ),
        material: matte(oak('x', 2)),
      },
    ],
    { span: 66, z: 17, elevation: 19 },
  )
}

const skeins = () => {
  const dye = (from: string, to: string, low: number): Material => {
    const height = weave(0.34)
    const yarned = yarn('#ffffff', height, 0.34)
    const [a, b] = [plain(from), plain(to)]
    const other = { r: 0, g: 0, b: 0 }
    return textured(
      (s, out) => {
        a(s, out)
        b(s, other)
        const share = smoothstep(low, low + 26, s.z + clouds(s.x * 0.6, s.z * 0.2) * 9)
        const [r, g, bl] = [
          out.r + (other.r - out.r) * share,
          out.g + (other.g - out.g) * share,
          out.b + (other.b - out.b) * share,
        ]
        yarned(s, other)
        out.r = r * other.r
        out.g = g * other.g
        out.b = bl * other.b
      },
      height,
      0.9,
    )
  }
  const cloths: [string, string][] = [
    ['#a5542f', '#e6cdb4'],
    ['#bb8a36', '#ece0c4'],
    ['#55624a', '#d7d8c4'],
    ['#34475c', '#cdd5d8'],
  ]
  return studio(
    '#d5c4b0',
    [
      {
        mesh: tube(
          [
            [-46, 0, 66],
            [-20, 0, 66],
            [20, 0, 66],
            [46, 0, 66],
          ],
          0.9,
        ),
        material: matte(oak('x', 1.4)),
      },
      ...[-1, 1].map(
        (side): Part => ({
          mesh: tube(
            [
              [side * 30, 0, 66],
              [side * 30, 0.1, 90],
              [side * 30, 0, 130],
            ],
            0.25,
          ),
          material: matte('#8b7a64'),
        }),
      ),
      ...cloths.map(
        ([from, to], index): Part => ({
          mesh: move(
            draped(14.5, 44 - (index % 2) * 4, 38, 66, { radius: 0.95, folds: 1.6, depth: 1.5, seed: index * 3 + 1 }),
            (index - 1.5) * 17,
            0,
            0,
          ),
          material: dye(from, to, 24),
        }),
      ),
    ],
    { span: 92, z: 44, elevation: 4 },
    { backdrop: { only: 'wall', wall: 24, bend: 0 } },
  )
}

const ikebana = () =>
  studio(
    '#cdbda6',
    [
      {
        mesh: move(
          thrown(
            [
              [7, 0],
              [8, 0.4],
              [12.6, 2.2],
              [15, 5.2],
            ],
            0.5,
          ),
          0,
          0,
          0,
        ),
        material: glazed(speckled(palette.ink, { speck: '#8b949b', density: 0.08 }), { coat: 0.5, roughness: 0.25 }),
      },
      {
        mesh: solid(
          [
            [0, 0.6],
            [12.6, 2.8],
            [13.2, 3.6],
            [0, 3.65],
          ],
          0.1,
        ),
        material: glazed('#56605f', { coat: 1, roughness: 0.03 }),
      },
      ...branch(
        [
          [-3, 0, 3],
          [-8, 1, 20],
          [-4, 1, 40],
          [-14, 0, 58],
        ],
        { leaves: 20, length: 5.4, width: 2.1, seed: 8, hex: '#77614a', rib: '#a98f6b', stem: 0.42 },
      ),
      ...olive(
        [
          [-3, 0, 3],
          [4, -1, 12],
          [14, -2, 17],
          [25, -3, 17],
        ],
        14,
        22,
      ),
      ...grass(
        [
          [-3, 0, 3],
          [-1, 0, 24],
          [5, 0, 40],
        ],
        5,
        '#d8bf8e',
        9,
      ),
      ...grass(
        [
          [-3, 0, 3],
          [-2, 1, 20],
          [-1, 1, 33],
        ],
        9,
        '#cdb184',
        8,
      ),
    ],
    { span: 84, x: 1, z: 27, elevation: 10 },
  )

const table = () =>
  studio(
    earth,
    [
      { mesh: move(box(90, 40, 5, 0.6), 0, 8, 0), material: matte(walnut('x', 0.8), { coat: 0.25, roughness: 0.5 }) },
      ...[-18, -6, 6, 18].map(
        (x, index): Part => ({
          mesh: move(index % 2 ? bowl(5, 4.4) : mug(7.4, 3.6), x, 2 + (index % 2) * 5, 5),
          material:
            index < 2
              ? matte('#c2a083', { coat: 0.05 })
              : glazed(speckled(index === 2 ? palette.moss : palette.chalk), { coat: 0.55, roughness: 0.28 }),
        }),
      ),
      {
        mesh: move(
          thrown(
            [
              [4, 0],
              [5.6, 1.2],
              [6.4, 6],
              [4.4, 11],
              [3, 13],
              [3.4, 15.6],
            ],
            0.4,
          ),
          -2,
          18,
          5,
        ),
        material: matte('#c2a083', { coat: 0.05 }),
      },
    ],
    { span: 58, z: 12.5, elevation: 10 },
  )

export const workshops = [
  picture('wheel-evening', wheel),
  picture('wheel-evening-2', table),
  picture('dye-saturday', skeins),
  picture('branches-and-bowls', ikebana),
]
