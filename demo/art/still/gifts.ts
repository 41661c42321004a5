import { picture } from '../pictures.ts'
import { printed } from '../things/paints.ts'
import { olive } from '../things/plants.ts'
import { giftCard, mark, print } from '../things/prints.ts'
import { woven } from '../things/textiles.ts'
import { solid } from '../things/vessels.ts'
import { matte, plain, shaded } from '../tracer/material.ts'
import { bend, join, move, type Point, surface, turn } from '../tracer/mesh.ts'
import { box, path, roundRect, slab, tube } from '../tracer/shapes.ts'
import { studio } from '../tracer/studio.ts'
import type { Part } from '../tracer/tree.ts'

const envelope = (width: number, height: number, hex: string): Part[] => [
  { mesh: slab(roundRect(width, height, 0.2), 0.35, 0.1), material: matte(hex) },
  {
    mesh: surface(
      20,
      20,
      (u, v): Point => [(u - 0.5) * width * 0.98 * (1 - v), height * 0.48 - v * height * 0.6, 0.42 - 0.05 * v],
    ),
    material: matte(shaded(plain(hex), () => 0.93)),
  },
]

const place = (parts: readonly Part[], yaw: number, x: number, y: number, z: number): Part[] =>
  parts.map((part) => ({ ...part, mesh: move(turn(part.mesh, 'z', yaw), x, y, z) }))

const card = async () => {
  const art = await giftCard('#efe6d8', '#2f363f', '#c8643c')
  const face = matte(
    printed(art, (s) => [s.u, (s.v - 0.5) * (17 / 10.8) + 0.5], plain('#efe6d8')),
    { coat: 0.18, roughness: 0.5 },
  )
  return studio(
    '#d5bba5',
    [
      ...place(envelope(19, 12.8, '#b5694a'), -12, 1.4, 4, 0),
      ...place([{ mesh: slab(roundRect(17, 10.8, 0.5), 0.22, 0.06), material: face }], 7, -1.2, -4.6, 0.5),
      ...olive(
        [
          [-10, 9, 0.8],
          [-4, 11, 1.2],
          [3, 12, 1],
          [9, 15, 0.8],
        ],
        5,
        16,
        0.8,
      ),
    ],
    { span: 40, y: 2, z: 0, elevation: 62 },
  )
}

const wrapped = (): Part[] => {
  const cloth = woven('#c9b394', 0.22, 0.7)
  const knot = (side: number) =>
    surface(24, 20, (u, v): Point => {
      const width = 0.7 + 3.4 * Math.sin(Math.PI * Math.min(1, v * 0.92)) ** 0.9
      const curl = Math.sin(u * Math.PI * 2) * 0.45 * v
      return [
        side * (0.5 + v * 9.6),
        (u - 0.5) * width + curl * 0.3,
        14.2 + 3.4 * Math.sin(v * 2.2) - 2.6 * v * v + curl,
      ]
    })
  return [
    {
      mesh: bend(box(23, 23, 12, 1.3), (x, y, z) => [
        x + 0.25 * Math.sin(z * 0.8 + y * 0.3),
        y + 0.25 * Math.sin(z * 0.7 + x * 0.3),
        z + (z > 9 ? 1.9 * Math.max(0, 1 - Math.hypot(x, y) / 11) : 0),
      ]),
      material: cloth,
    },
    { mesh: turn(join(knot(1), knot(-1)), 'z', 34), material: cloth },
    { mesh: turn(join(knot(1), knot(-1)), 'z', -50), material: cloth },
    {
      mesh: move(
        solid(
          [
            [0, 0],
            [1.6, 0.3],
            [2, 1.4],
            [1.4, 2.6],
            [0, 2.9],
          ],
          0.8,
        ),
        0,
        0,
        13.2,
      ),
      material: cloth,
    },
  ]
}

const wrap = () =>
  studio(
    '#d3c0ac',
    [
      ...place(wrapped(), 18, 0, 0, 0),
      ...olive(
        [
          [-2, -1, 16],
          [0, -3, 17.4],
          [4, -6, 18.2],
          [8, -9, 17.6],
        ],
        9,
        14,
        0.75,
      ),
    ],
    { span: 48, z: 8.5, elevation: 22 },
  )

const tag = async () => {
  const art = await print(
    `<svg xmlns='http://www.w3.org/2000/svg' width='600' height='600'><rect width='600' height='600' fill='#efe6d8'/>${mark(180, 180, 240, '#2f363f')}</svg>`,
  )
  return studio(
    '#d3c0ac',
    [
      ...place(wrapped(), 18, -2, 3, 0),
      ...place(
        [
          {
            mesh: slab(roundRect(8, 8, 0.4), 0.2, 0.05),
            material: matte(printed(art, (s) => [s.u, s.v], plain('#efe6d8'))),
          },
        ],
        -14,
        7,
        -14.5,
        0,
      ),
      {
        mesh: tube(
          path(
            [
              [4, -12, 0.3],
              [0, -13, 0.3],
              [-6, -11.6, 0.3],
              [-10, -15, 0.3],
            ],
            30,
          ),
          0.14,
        ),
        material: matte('#8f4a30'),
      },
    ],
    { span: 52, z: 3, elevation: 44 },
  )
}

export const gifts = [picture('gift-card', card), picture('linen-gift-wrap', wrap), picture('linen-gift-wrap-2', tag)]
