import { picture } from '../pictures.ts'
import { blackened, oak, type Print, palette, printed, speckled } from '../things/paints.ts'
import { olive } from '../things/plants.ts'
import { headlands, lowSun, threeVessels, tideTable } from '../things/prints.ts'
import { thrown } from '../things/vessels.ts'
import { glazed, matte, metal, type Paint, plain } from '../tracer/material.ts'
import { join, type Mesh, move, surface } from '../tracer/mesh.ts'
import { box } from '../tracer/shapes.ts'
import { type Scene, studio } from '../tracer/studio.ts'
import type { Part } from '../tracer/tree.ts'

const wall = { only: 'wall', wall: 1.2, bend: 0 } as const

/** A print on the front of something upright: x0 and z0 are its lower left corner. */
const upright = (art: Print, x0: number, z0: number, width: number, height: number, rest: Paint | string): Paint =>
  printed(art, (s) => [(s.x - x0) / width, (s.z - z0) / height], typeof rest === 'string' ? plain(rest) : rest)

/** A frame on the wall with its mount and print; x and z are its middle. */
function framed(
  art: Print,
  width: number,
  height: number,
  wood: (axis: 'x' | 'z') => Paint,
  x = 0,
  z = 0,
  mount = 4,
): Part[] {
  const bar = 1.5
  const deep = 2.4
  const [w, h] = [width / 2 + bar / 2, height / 2 + bar / 2]
  const rail = (length: number): Mesh => box(length, deep, bar, 0.12)
  return [
    {
      mesh: join(
        move(rail(width + 2 * bar), x, 0, z + h - bar / 2),
        move(rail(width + 2 * bar), x, 0, z - h - bar / 2),
      ),
      material: matte(wood('x'), { coat: 0.3, roughness: 0.5 }),
    },
    {
      mesh: join(
        move(box(bar, deep, height, 0.12), x - w, 0, z - height / 2),
        move(box(bar, deep, height, 0.12), x + w, 0, z - height / 2),
      ),
      material: matte(wood('z'), { coat: 0.3, roughness: 0.5 }),
    },
    {
      mesh: move(box(width, 0.4, height, 0.05), x, 0.5, z - height / 2),
      material: matte(mount === 0 ? '#efe9df' : '#f1ece3'),
    },
    {
      mesh: move(box(width - 2 * mount, 0.1, height - 2 * mount, 0.02), x, 0.25, z - height / 2 + mount),
      material: matte(
        upright(art, x - width / 2 + mount, z - height / 2 + mount, width - 2 * mount, height - 2 * mount, '#f1ece3'),
        { coat: 0.05 },
      ),
    },
  ]
}

/** Late light through a window with a bar across, softly on the wall. */
const paned: Partial<Omit<Scene, 'parts' | 'view' | 'backdrop'>> = {
  keySpread: 2.2,
  keyElevation: 34,
  keyAzimuth: -46,
  key: 1.05,
  window: (across, up) => {
    const [a, u] = [across + 6, up - 4]
    if (Math.abs(a) > 34 || Math.abs(u) > 46) return 0.24
    return Math.abs(a) < 1.6 || Math.abs(u - 8) < 1.6 ? 0.24 : 1
  },
}

const hung = async (art: Promise<Print>, wood: (axis: 'x' | 'z') => Paint, ground: string) =>
  studio(
    ground,
    framed(await art, 39, 51, (axis) => wood(axis)),
    { span: 84, z: 0, elevation: 0 },
    { backdrop: wall, ...paned },
  )

const unframed = async (art: Promise<Print>, ground: string) => {
  const sheet = surface(24, 24, (u, v) => [
    (u - 0.5) * 42,
    -0.4 - 1.4 * Math.abs(u - 0.5) ** 3 * 8 * (1 - v) - 0.6 * (1 - v) ** 3,
    (v - 0.5) * 56,
  ])
  return studio(
    ground,
    [
      { mesh: sheet, material: matte(upright(await art, -18, -25, 36, 50, '#f3eee5'), { coat: 0.04 }) },
      { mesh: move(box(1.6, 0.3, 3, 0.1), -14, -0.7, 26.6), material: metal('#c9a566', 0.3) },
      { mesh: move(box(1.6, 0.3, 3, 0.1), 14, -0.7, 26.6), material: metal('#c9a566', 0.3) },
    ],
    { span: 84, z: 0, elevation: 0 },
    { backdrop: wall, ...paned },
  )
}

const toWall = (part: Part): Part => ({ ...part, mesh: move(part.mesh, 0, 20.6, 0) })

const gallery = async () => {
  const [a, b, c] = await Promise.all([lowSun(), headlands(), threeVessels()])
  return studio(
    ['#b89b80', '#d3c6b8'],
    [
      ...framed(a, 34, 45, (axis) => oak(axis), -17, 72).map(toWall),
      ...framed(b, 25, 33, (axis) => blackened(axis), 19, 82).map(toWall),
      ...framed(c, 25, 33, (axis) => oak(axis), 19, 42).map(toWall),
      { mesh: move(box(110, 26, 3, 0.3), 0, 10, 9), material: matte(oak('x', 0.8)) },
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
          -27,
          8,
          12,
        ),
        material: glazed(speckled(palette.ink), { coat: 0.5, roughness: 0.3 }),
      },
      ...olive(
        [
          [-27, 8, 36],
          [-28, 7, 46],
          [-33, 6, 55],
          [-38, 6, 60],
        ],
        5,
        18,
      ),
      { mesh: move(box(18, 13, 2.2, 0.2), -4, 8, 12), material: matte('#9c4a2b') },
      { mesh: move(box(17, 12.4, 1.8, 0.2), -4, 8, 14.2), material: matte('#dcd2c0') },
    ],
    { span: 124, z: 56, elevation: 2 },
    { ...paned, backdrop: { wall: 22, bend: 0.5 } },
  )
}

export const wallPrints = [
  picture('low-sun-oak', () => hung(lowSun(), oak, '#d8ccbe')),
  picture('low-sun-black', () => hung(lowSun(), blackened, '#d3cbc1')),
  picture('low-sun-unframed', () => unframed(lowSun(), '#d8ccbe')),
  picture('low-sun-2', gallery),
  picture('headlands-print', () => hung(headlands(), oak, '#c9cdc9')),
  picture('three-vessels-print', () => hung(threeVessels(), oak, '#d9c8ba')),
  picture('tide-table-print', () => unframed(tideTable(), '#cfcfc9')),
]
