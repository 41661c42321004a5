import { picture } from '../pictures.ts'
import { dusk, evening, lamp } from '../things/evening.ts'
import { printed, speckled } from '../things/paints.ts'
import { candleLabel } from '../things/prints.ts'
import { handle, solid, turned } from '../things/vessels.ts'
import { glazed, glowing, type Material, matte, metal, plain, shaded } from '../tracer/material.ts'
import { join, move, turn } from '../tracer/mesh.ts'
import { clouds } from '../tracer/noise.ts'
import { curve, revolve, rounded, tube, vessel } from '../tracer/shapes.ts'
import { studio } from '../tracer/studio.ts'
import type { Part } from '../tracer/tree.ts'

const wax = (hex: string): Material =>
  matte(
    shaded(plain(hex), (s) => 0.95 + 0.1 * clouds(s.x * 0.3, s.y * 0.3, s.z * 0.3)),
    { coat: 0.35, roughness: 0.5 },
  )

const flame = (x: number, y: number, z: number): Part[] => [
  {
    mesh: move(
      tube(
        [
          [0, 0, -0.4],
          [0, 0, 0.5],
          [0.1, 0, 1.1],
        ],
        0.1,
        { segments: 6 },
      ),
      x,
      y,
      z,
    ),
    material: matte('#221a14'),
  },
  {
    mesh: move(
      revolve(
        curve(
          [
            [0, 0.5],
            [0.48, 1.3],
            [0.5, 2],
            [0.25, 3.3],
            [0, 4.4],
          ],
          40,
        ),
        { segments: 24 },
      ),
      x,
      y,
      z,
    ),
    material: glowing('#ffc078', 3.2),
  },
]

const candle = (x: number, y: number, radius: number, height: number, hex: string): Part[] => [
  {
    mesh: move(
      vessel(
        rounded(
          [
            [radius, 0],
            [radius, height],
          ],
          0.2,
        ),
        radius * 0.42,
        { rows: 40 },
      ),
      x,
      y,
      0,
    ),
    material: wax(hex),
  },
  {
    mesh: move(
      solid(
        [
          [0, 0],
          [radius * 0.8, 0],
          [radius * 0.8, height - 0.7],
          [0, height - 1.1],
        ],
        0.2,
      ),
      x,
      y,
      0,
    ),
    material: wax(hex),
  },
  ...flame(x, y, height - 0.7),
]

const beeswax = () =>
  studio(
    dusk,
    [
      ...candle(-7.6, 2, 3.8, 20, '#d8a558'),
      ...candle(1.8, -2.5, 3.8, 13.5, '#d8a558'),
      ...candle(10.4, 1.5, 3.8, 8, '#d8a558'),
    ],
    { span: 50, x: 1.4, z: 13 },
    {
      ...evening,
      bloom: 0.22,
      lamps: [lamp(-7.6, 2, 22.4, 0.8, 0.75), lamp(1.8, -2.5, 16, 0.8, 0.75), lamp(10.4, 1.5, 10.4, 0.8, 0.75)],
    },
  )

const taper = (x: number, y: number, z: number, height: number, hex: string): Part[] => [
  {
    mesh: move(
      solid(
        [
          [0, 0],
          [1.1, 0],
          [1, height * 0.6],
          [0.72, height - 0.8],
          [0.2, height],
          [0, height],
        ],
        0.3,
        40,
      ),
      x,
      y,
      z,
    ),
    material: wax(hex),
  },
  ...flame(x, y, z + height),
]

const holderShape = () =>
  solid(
    [
      [0, 0],
      [4.6, 0],
      [4.8, 0.5],
      [4.4, 0.9],
      [1.5, 1.3],
      [1, 2.4],
      [1, 4.6],
      [1.7, 5.4],
      [1.75, 7],
      [1.15, 7.05],
      [1.1, 5.8],
      [0, 5.8],
    ],
    0.35,
    80,
  )

const tapers = (hex: string, ground: string) =>
  studio(
    ground,
    [
      { mesh: move(holderShape(), -6, 1, 0), material: matte(speckled('#d9cbb5', { density: 0.2 })) },
      { mesh: move(holderShape(), 6.4, -2, 0), material: matte(speckled('#d9cbb5', { density: 0.2 })) },
      ...taper(-6, 1, 5.6, 25, hex),
      ...taper(6.4, -2, 5.6, 19, hex),
    ],
    { span: 60, z: 17 },
    { ...evening, key: 0.5, bloom: 0.2, lamps: [lamp(-6, 1, 33, 0.8, 0.9), lamp(6.4, -2, 27, 0.8, 0.9)] },
  )

const holder = () =>
  studio(
    '#a8937f',
    [
      {
        mesh: join(
          solid(
            [
              [0, 0],
              [6.4, 0],
              [6.8, 0.9],
              [6.2, 1],
              [5.9, 0.5],
              [1.2, 0.6],
              [1.1, 5.6],
              [1.7, 6.2],
              [1.7, 8],
              [1.15, 8],
              [1.1, 6.6],
              [0, 6.6],
            ],
            0.25,
            96,
          ),
          turn(handle([6.4, 0.7], [6.2, 4.2], 1.6, 0.36), 'z', -24),
        ),
        material: metal('#cfa763', 0.2),
      },
      ...taper(0, 0, 6.5, 17, '#e9e0cf'),
    ],
    { span: 46, z: 13 },
    { ...evening, key: 0.6, bloom: 0.18, lamps: [lamp(0, 0, 26, 0.8, 1)] },
  )

const scented = async (name: string, notes: string, hex: string, ground: string) => {
  const label = await candleLabel(name, notes)
  const cup = glazed(
    printed(
      label,
      (s) => {
        // The label is a sheet round the front: across by the angle, up by the height.
        const angle = Math.atan2(s.x, -s.y)
        if (s.y > 0 || Math.hypot(s.x, s.y) < 4.2) return null
        return [angle / 1.5 + 0.5, (s.z - 1.9) / 5.1]
      },
      speckled(hex, { density: 0.1 }),
    ),
    { coat: 0.4, roughness: 0.35 },
  )
  return studio(
    ground,
    [
      {
        mesh: turned(
          [
            [3.9, 0],
            [4.6, 0.5],
            [4.6, 9.4],
          ],
          0.34,
          0.6,
        ),
        material: cup,
      },
      {
        mesh: solid(
          [
            [0, 0.6],
            [4.3, 0.6],
            [4.3, 8],
            [0, 8],
          ],
          0.05,
        ),
        material: wax('#efe6d2'),
      },
      ...flame(0, 0, 8.1),
    ],
    { span: 27, z: 6.2 },
    { ...evening, key: 0.62, ambient: 0.8, bloom: 0.2, lamps: [lamp(0, 0, 10.6, 0.6, 0.35)] },
  )
}

export const candles = [
  picture('beeswax-pillars', beeswax),
  picture('dipped-tapers-rust', () => tapers('#a3532f', '#b29a8a')),
  picture('dipped-tapers-sage', () => tapers('#9aa489', '#a9a08d')),
  picture('dipped-tapers-chalk', () => tapers('#e9e1d2', '#ad988a')),
  picture('chamberstick', holder),
  picture('scented-candle', () => scented('Low Cloud', 'CYPRESS · SALT · SMOKE', '#b9b5aa', '#ab9b8e')),
]
