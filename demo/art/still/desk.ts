import { picture } from '../pictures.ts'
import { oak, type Print, palette, printed, speckled } from '../things/paints.ts'
import { grass } from '../things/plants.ts'
import { bookCover, letterSheet, notebookCover, wallpaperSheet } from '../things/prints.ts'
import { solid, thrown } from '../things/vessels.ts'
import { glazed, type Material, matte, metal, plain, shaded } from '../tracer/material.ts'
import { bend, join, type Mesh, move, surface, turn } from '../tracer/mesh.ts'
import { hash } from '../tracer/noise.ts'
import { box, roundRect, slab } from '../tracer/shapes.ts'
import { studio } from '../tracer/studio.ts'
import type { Part } from '../tracer/tree.ts'

const blush = '#dccfc4'

const pages = matte(
  shaded(plain('#ece4d4'), (s) => 0.86 + 0.2 * hash(Math.floor(s.z * 26), Math.floor(s.y * 0.1))),
  { detail: true },
)

/** A bound book lying, its cover up: width across, length along y. */
function book(width: number, length: number, thick: number, cover: Material, radius = 0.5): Part[] {
  return [
    { mesh: slab(roundRect(width, length, radius), 0.28, 0.12), material: cover },
    { mesh: move(slab(roundRect(width - 0.5, length - 0.5, radius), thick - 0.5, 0.05), 0, 0, 0.26), material: pages },
    { mesh: move(slab(roundRect(width, length, radius), 0.28, 0.12), 0, 0, thick - 0.28), material: cover },
    {
      mesh: move(
        bend(box(0.5, length, thick, 0.24), (x, y, z) => [x, y, z]),
        -width / 2 + 0.1,
        0,
        0,
      ),
      material: cover,
    },
  ]
}

const place = (parts: readonly Part[], yaw: number, x: number, y: number, z: number): Part[] =>
  parts.map((part) => ({ ...part, mesh: move(turn(part.mesh, 'z', yaw), x, y, z) }))

/** Stands a lying thing up, its top to the camera, leaning back. */
const stand = (parts: readonly Part[], lean: number, yaw: number, x: number, y: number, z: number): Part[] =>
  parts.map((part) => ({ ...part, mesh: move(turn(turn(part.mesh, 'x', 90 - lean), 'z', yaw), x, y, z) }))

/** A cover print by the uv of the slab, whose square runs over the longer side. */
const cover = (art: Print, width: number, length: number, rest: string): Material =>
  matte(
    printed(art, (s) => [(s.u - 0.5) * (length / width) + 0.5, s.v], plain(rest)),
    { coat: 0.22, roughness: 0.6 },
  )

const books = { rust: ['#9c4f33', '#f0dfc8'], moss: ['#686f55', '#ece5d2'], ink: ['#2f3a45', '#e9ddc8'] } as const

const daybook = async (shade: keyof typeof books, ground: string) => {
  const [background, ink] = books[shade]
  const front = cover(await notebookCover(background, ink), 15, 21, background)
  const under = matte(background, { coat: 0.2, roughness: 0.6 })
  return studio(
    ground,
    [
      ...place(book(15, 21, 2, under), 96, -0.5, 1.5, 0),
      ...stand(book(15, 21, 2, front), 12, -12, 0.5, 2, 12.3),
      {
        mesh: move(
          turn(
            solid(
              [
                [0, 0],
                [0.02, 0],
                [0.36, 1.6],
                [0.36, 15],
                [0, 15.1],
              ],
              0.05,
              20,
            ),
            'x',
            -90,
          ),
          11.5,
          -14,
          0.4,
        ),
        material: matte('#c9953a'),
      },
    ],
    { span: 48, z: 11, elevation: 14 },
  )
}

const daybookOpen = async () => {
  const page = (side: 1 | -1): Mesh =>
    surface(40, 10, (u, v) => [
      side * u * 15,
      (v - 0.5) * 21,
      1.2 + 1.1 * Math.sin(Math.min(1, u * 2.2) * Math.PI * 0.5) * (1 - u * 0.55) - 0.3 * u,
    ])
  const rule = shaded(plain('#f2ecdf'), (s) =>
    Math.abs(((s.y + 30) / 1.3) % 1) < 0.05 && Math.abs(s.y) < 8.6 ? 0.84 : 1,
  )
  const leafPaper = matte(rule, { detail: true, coat: 0.03 })
  return studio(
    blush,
    place(
      [
        { mesh: join(page(1), page(-1)), material: leafPaper },
        {
          mesh: join(
            move(slab(roundRect(15.4, 21.6, 0.4), 1.3, 0.2), 7.6, 0, 0),
            move(slab(roundRect(15.4, 21.6, 0.4), 1.3, 0.2), -7.6, 0, 0),
          ),
          material: pages,
        },
        {
          mesh: move(
            turn(
              turn(
                solid(
                  [
                    [0, 0],
                    [0.02, 0],
                    [0.36, 1.6],
                    [0.36, 15],
                    [0, 15.1],
                  ],
                  0.05,
                  20,
                ),
                'x',
                -90,
              ),
              'z',
              -32,
            ),
            4,
            -4,
            2.6,
          ),
          material: matte('#2f3a45', { coat: 0.4, roughness: 0.3 }),
        },
      ],
      14,
      0,
      0,
      0,
    ),
    { span: 48, z: 1, elevation: 50 },
  )
}

const pencils = () => {
  const colours = ['#2f363f', '#9c4f33', '#686f55', '#c9953a', '#d9ab97', '#ece5d8']
  const one = (hex: string, index: number): Part[] => {
    const at = (mesh: Mesh): Mesh =>
      move(turn(turn(mesh, 'x', -90), 'z', -18), index * 1.7 - 4.2, -8 + (index % 2) * 0.9, 0.46)
    return [
      {
        mesh: at(
          move(
            solid(
              [
                [0, 0],
                [0.44, 0],
                [0.44, 15],
                [0, 15],
              ],
              0.03,
              6,
            ),
            0,
            0,
            2.2,
          ),
        ),
        material: matte(hex, { coat: 0.6, roughness: 0.25 }),
      },
      {
        mesh: at(
          solid(
            [
              [0, 0.5],
              [0.12, 0.5],
              [0.43, 2.2],
              [0, 2.2],
            ],
            0.02,
            20,
          ),
        ),
        material: matte('#d9b98c'),
      },
      {
        mesh: at(
          solid(
            [
              [0, 0],
              [0.12, 0.52],
              [0, 0.53],
            ],
            0.01,
            12,
          ),
        ),
        material: matte('#26262a'),
      },
    ]
  }
  return studio(blush, colours.flatMap(one), { span: 28, x: 0, y: 0, z: 0, elevation: 62 })
}

const letters = async () => {
  const sheet = await letterSheet()
  const leafOf = (art: Print): Part => ({
    mesh: slab(roundRect(16, 21.3, 0.05), 0.16, 0.03),
    material: cover(art, 16, 21.3, '#f4efe5'),
  })
  const envelope = (hex: string): Part[] => [
    { mesh: slab(roundRect(17.4, 12.2, 0.25), 0.3, 0.08), material: matte(hex) },
    {
      mesh: move(
        bend(
          surface(20, 20, (u, v) => [(u - 0.5) * 17.2 * (1 - v), 6 - v * 7.4, 0.36 - 0.05 * v]),
          (x, y, z) => [x, y, z],
        ),
        0,
        0,
        0,
      ),
      material: matte(shaded(plain(hex), () => 0.94)),
    },
    {
      mesh: move(
        solid(
          [
            [0, 0],
            [1.25, 0],
            [1.3, 0.2],
            [0.9, 0.3],
            [0, 0.28],
          ],
          0.08,
          40,
        ),
        0,
        -1.1,
        0.33,
      ),
      material: matte('#9c4a2b', { coat: 0.6, roughness: 0.3 }),
    },
  ]
  return studio(
    '#d9cdc3',
    [
      ...place([leafOf(sheet)], 9, -5, 4, 0),
      ...place([leafOf(sheet)], 3, -4, 3.4, 0.18),
      ...place(envelope('#c8a893'), -13, 5.4, -5, 0.34),
      ...place(envelope('#e3d8c8'), 4, -1, -13, 0.2),
    ],
    { span: 52, y: -2, z: 0, elevation: 64 },
  )
}

const almanac = async () => {
  const art = await bookCover()
  const front = cover(art, 16.5, 22, '#6d878e')
  return studio(
    '#cfd0cb',
    [
      ...stand(book(16.5, 22, 3, front), 10, -14, -1, 3, 10.9),
      {
        mesh: move(
          thrown(
            [
              [2, 0],
              [3.2, 1],
              [3.7, 3],
              [2.4, 5.6],
              [0.9, 6.8],
              [0.8, 8],
              [1.1, 8.8],
            ],
            0.25,
          ),
          12.5,
          -3,
          0,
        ),
        material: glazed(speckled('#e9e0cf'), { coat: 0.5, roughness: 0.3 }),
      },
      ...grass(
        [
          [12.5, -3, 7],
          [12.5, -3, 15],
          [14, -3.6, 22],
        ],
        4,
        '#cdb184',
        5,
      ),
    ],
    { span: 48, x: 2.5, z: 12, elevation: 10 },
  )
}

const glowing = (art: Print): Material =>
  matte(
    printed(art, (s) => [s.u, (s.v - 0.5) * (36 / 24) + 0.5], plain('#222222')),
    { coat: 0.5, roughness: 0.1, glow: 0.18 },
  )

const wallpapers = async () => {
  const art = await wallpaperSheet()
  return studio(
    '#cfc8c0',
    [
      ...(
        [
          { mesh: slab(roundRect(36, 24, 1.4), 1, 0.3), material: metal('#b9b6b1', 0.4) },
          { mesh: move(slab(roundRect(34.4, 22.4, 0.8), 0.1, 0.03), 0, 0, 0.98), material: glowing(art) },
        ] as Part[]
      ).map((part) => ({ ...part, mesh: move(turn(turn(part.mesh, 'x', 76), 'z', 8), 0, 0, 11.7) })),
      { mesh: move(box(16, 10, 1.4, 0.4), 1, 5, 0), material: matte(oak('x')) },
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
          -10,
          0,
        ),
        material: glazed(speckled(palette.chalk), { coat: 0.5, roughness: 0.3 }),
      },
    ],
    { span: 60, x: 1, z: 12, elevation: 11 },
  )
}

const ruler = () =>
  studio(
    '#d6cbc0',
    [
      {
        mesh: turn(move(box(30, 2.6, 0.25, 0.05), 0, 0, 0), 'z', 34),
        material: metal(
          shaded(plain('#cfa763'), (s) => {
            const along = s.x * Math.cos(0.593) + s.y * Math.sin(0.593)
            const across = -s.x * Math.sin(0.593) + s.y * Math.cos(0.593)
            const [step, long] = [
              Math.abs(along * 2 - Math.round(along * 2)),
              Math.round(along * 2) % 2 === 0 ? 0.95 : 0.55,
            ]
            return s.nz > 0.5 && step < 0.09 && across > 1.3 - long ? 0.25 : 1
          }),
          0.3,
          { detail: true },
        ),
      },
      {
        mesh: move(
          turn(
            turn(
              solid(
                [
                  [0, 0],
                  [0.03, 0],
                  [0.55, 2.2],
                  [0.6, 3],
                  [0.6, 13.4],
                  [0.45, 13.8],
                  [0, 13.9],
                ],
                0.1,
                6,
              ),
              'x',
              -90,
            ),
            'z',
            12,
          ),
          -5,
          -13,
          0.55,
        ),
        material: metal('#cfa763', 0.25),
      },
    ],
    { span: 40, z: 0, elevation: 58 },
  )

export const desk = [
  picture('daybook-rust', () => daybook('rust', blush)),
  picture('daybook-moss', () => daybook('moss', '#d2cfc0')),
  picture('daybook-ink', () => daybook('ink', '#d0cdc9')),
  picture('daybook-2', daybookOpen),
  picture('six-pencils', pencils),
  picture('letter-set', letters),
  picture('brass-ruler', ruler),
  picture('fog-almanac', almanac),
  picture('fog-wallpapers', wallpapers),
]
