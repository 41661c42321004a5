import { picture } from '../pictures.ts'
import { brass, dusk, evening, lamp } from '../things/evening.ts'
import { palette, speckled, weave, yarn } from '../things/paints.ts'
import { solid, stacked, thrown } from '../things/vessels.ts'
import { glazed, glowing, matte, plain, shaded } from '../tracer/material.ts'
import { grow, type Mesh, move, turn } from '../tracer/mesh.ts'
import { clouds, smoothstep } from '../tracer/noise.ts'
import { box, curve, type Flat, revolve, rounded, tube } from '../tracer/shapes.ts'
import { studio } from '../tracer/studio.ts'
import type { Part } from '../tracer/tree.ts'

function ball(radius: number): Mesh {
  const line: Flat[] = Array.from({ length: 41 }, (_, k) => {
    const angle = -Math.PI / 2 + (k / 40) * Math.PI
    return [Math.max(0, Math.cos(angle)) * radius, Math.sin(angle) * radius]
  })
  return revolve(line, { segments: 80 })
}

const bulb = (x: number, y: number, z: number, radius: number): Part => ({
  mesh: move(ball(radius), x, y, z),
  material: glowing('#ffe6c2', 3),
})

/** The mushroom's cap: one skin, painted outside, white inside. */
const cap = () =>
  revolve(
    curve(
      [
        [13.4, 24.4],
        [13.3, 26],
        [12.2, 29.6],
        [9, 33.2],
        [4, 35.1],
        [0, 35.5],
      ],
      70,
    ),
    { segments: 128 },
  )

const lampShades = { cream: '#ebe2d0', rust: '#a3502f', moss: '#6a7156' } as const

const lampGrounds = { cream: '#b3977f', rust: '#b89a86', moss: '#a9a088' } as const

const chanterelle = (shade: keyof typeof lampShades) => {
  const enamel = glazed(lampShades[shade], { coat: 0.6, roughness: 0.2 })
  return studio(
    lampGrounds[shade],
    [
      { mesh: cap(), material: enamel },
      { mesh: grow(cap(), 0.985), material: matte('#f6ead6', { glow: 0.3 }) },
      {
        mesh: solid(
          [
            [0, 0],
            [8.4, 0],
            [8.6, 0.8],
            [8.2, 1.5],
            [3, 2.6],
            [1.9, 6],
            [1.6, 16],
            [2.2, 27],
            [0, 27.1],
          ],
          0.9,
          96,
        ),
        material: enamel,
      },
      bulb(0, 0, 27.6, 2),
    ],
    { span: 62, z: 19, elevation: 2 },
    { ...evening, lamps: [lamp(0, 0, 28.4, 5, 9)] },
  )
}

const paper = (height: number, top: number) =>
  glowing(
    shaded(plain('#ffdfb4'), (s) => {
      const rib = Math.abs(((s.z / 2.1) % 1) - 0.5) * 2
      const fall = 1 - 0.35 * smoothstep(0.1, 1, Math.abs(s.z - (top - height / 2)) / (height / 2))
      return (0.9 + 0.1 * rib) * fall * (0.94 + 0.12 * clouds(s.x * 0.2, s.y * 0.2, s.z * 0.2))
    }),
    0.78,
    { coat: 0.02, bump: { height: (s) => Math.abs(((s.z / 2.1) % 1) - 0.5) * 0.5, strength: 0.8 }, detail: true },
  )

const moonrise = (scale = 1) => {
  const radius = 17 * scale
  const globe: Flat[] = Array.from({ length: 61 }, (_, k) => {
    const angle = -Math.PI / 2 + 0.16 + (k / 60) * (Math.PI - 0.32)
    return [Math.cos(angle) * radius * 1.06, Math.sin(angle) * radius * 0.94]
  })
  const [x, y, z] = [0, 0, 42]
  return {
    radius,
    parts: [
      { mesh: move(revolve(globe, { segments: 120 }), x, y, z), material: paper(radius * 1.88, z + radius * 0.94) },
      {
        mesh: tube(
          [
            [x, y, z + radius],
            [x, y, z + radius + 40],
            [x, y, z + radius + 90],
          ],
          0.28,
        ),
        material: matte('#3a332c'),
      },
      {
        mesh: move(
          solid(
            [
              [0, 0],
              [1.5, 0],
              [1.5, 3],
              [0, 3],
            ],
            0.3,
          ),
          x,
          y,
          z + radius * 0.9,
        ),
        material: brass,
      },
    ] satisfies Part[],
  }
}

const pendant = () => {
  const { parts } = moonrise()
  return studio(
    dusk,
    parts,
    { span: 92, z: 44, elevation: 2 },
    { ...evening, bloom: 0.1, lamps: [lamp(0, 0, 42, 17, 16)] },
  )
}

const pendants = () => {
  const [large, small, middle] = [moonrise(1), moonrise(0.55), moonrise(0.75)]
  const place = (parts: readonly Part[], x: number, y: number, z: number) =>
    parts.map((part) => ({ ...part, mesh: move(part.mesh, x, y, z) }))
  return studio(
    dusk,
    [...place(large.parts, -13, 10, 12), ...place(middle.parts, 22, 0, -2), ...place(small.parts, -20, -14, -22)],
    { span: 122, z: 44, elevation: 2 },
    { ...evening, bloom: 0.1, lamps: [lamp(-13, 10, 54, 16, 14), lamp(22, 0, 40, 12, 8), lamp(-20, -14, 20, 9, 4)] },
  )
}

const pillar = () => {
  const height = weave(0.5)
  const cloth = yarn('#ffe0b8', height, 0.5)
  const shade = glowing(
    shaded(cloth, (s) => 1.05 - 0.5 * smoothstep(0, 1, Math.abs(s.z - 38) / 11)),
    0.75,
    { coat: 0, bump: { height, strength: 0.5 }, detail: true },
  )
  return studio(
    '#a5917f',
    [
      {
        mesh: thrown(
          [
            [7.6, 0],
            [8.4, 0.7],
            [8.6, 4],
            [7.9, 9],
            [8.5, 14],
            [7.6, 19],
            [3.4, 23],
            [1.5, 24],
          ],
          0.5,
        ),
        material: glazed(speckled('#e4dac8', { density: 0.2 }), { coat: 0.35, roughness: 0.45 }),
      },
      {
        mesh: tube(
          [
            [0, 0, 22],
            [0, 0, 28],
            [0, 0, 34],
          ],
          0.6,
        ),
        material: brass,
      },
      {
        mesh: revolve(
          [
            [14.4, 28],
            [14, 33],
            [13.4, 40],
            [12.8, 48],
          ],
          { segments: 120 },
        ),
        material: shade,
      },
      bulb(0, 0, 38, 2.2),
    ],
    { span: 82, z: 26, elevation: 5 },
    { ...evening, bloom: 0.1, lamps: [lamp(0, 0, 39, 8, 8)] },
  )
}

const dome = (hex: string, ground: string) => {
  const outside = rounded(
    [
      [18, 0],
      [17.4, 5],
      [13, 11.6],
      [5, 14.6],
      [2.2, 15.2],
      [2, 19],
    ],
    3.4,
  )
  return studio(
    ground,
    [
      {
        mesh: move(revolve(outside, { segments: 120 }), 0, 0, 34),
        material: glazed(hex, { coat: 0.7, roughness: 0.2 }),
      },
      {
        mesh: move(
          revolve(
            outside.map(([r, z]): Flat => [r - 0.25, z - 0.2]),
            { segments: 120 },
          ),
          0,
          0,
          34,
        ),
        material: matte('#f3e6cf', { glow: 0.25 }),
      },
      {
        mesh: move(
          solid(
            [
              [0, 0],
              [2.2, 0],
              [2.2, 3],
              [1, 4.4],
              [0, 4.4],
            ],
            0.4,
          ),
          0,
          0,
          52.6,
        ),
        material: brass,
      },
      {
        mesh: tube(
          [
            [0, 0, 56],
            [0, 0, 90],
            [0, 0, 140],
          ],
          0.28,
        ),
        material: matte('#2b2622'),
      },
      bulb(0, 0, 37.5, 3.1),
    ],
    { span: 84, z: 40, elevation: -5 },
    { ...evening, bloom: 0.16, lamps: [lamp(0, 0, 35, 3, 7)], backdrop: { only: 'wall', wall: 40 } },
  )
}

const bedside = () => {
  const enamel = glazed(lampShades.cream, { coat: 0.6, roughness: 0.2 })
  return studio(
    '#a8917f',
    [
      { mesh: move(cap(), -6, 0, 0), material: enamel },
      { mesh: move(grow(cap(), 0.985), -6, 0, 0), material: matte('#f6ead6', { glow: 0.3 }) },
      {
        mesh: move(
          solid(
            [
              [0, 0],
              [8.4, 0],
              [8.6, 0.8],
              [8.2, 1.5],
              [3, 2.6],
              [1.9, 6],
              [1.6, 16],
              [2.2, 27],
              [0, 27.1],
            ],
            0.9,
            96,
          ),
          -6,
          0,
          0,
        ),
        material: enamel,
      },
      bulb(-6, 0, 27.6, 2),
      { mesh: move(turn(box(15, 21, 2.2, 0.2), 'z', 14), 13, -6, 0), material: matte('#8f4a30') },
      { mesh: move(turn(box(14, 19, 1.8, 0.2), 'z', 4), 13, -6, 2.2), material: matte('#ddd2bf') },
      {
        mesh: move(
          stacked(
            thrown(
              [
                [2.4, 0],
                [3.2, 0.6],
                [3.9, 3],
                [4, 6.4],
              ],
              0.3,
            ),
            1,
            0,
          ),
          13,
          -6,
          4,
        ),
        material: glazed(speckled(palette.ink), { coat: 0.5, roughness: 0.3 }),
      },
    ],
    { span: 66, x: 2, z: 18, elevation: 5 },
    { ...evening, lamps: [lamp(-6, 0, 28.4, 5, 9)] },
  )
}

export const lamps = [
  ...(['cream', 'rust', 'moss'] as const).map((shade) =>
    picture(`chanterelle-lamp-${shade}`, () => chanterelle(shade)),
  ),
  picture('chanterelle-lamp-2', bedside),
  picture('moonrise-pendant', pendant),
  picture('moonrise-pendant-2', pendants),
  picture('pillar-lamp', pillar),
  picture('dome-pendant-ink', () => dome('#343b44', '#b09c8c')),
  picture('dome-pendant-ochre', () => dome('#c08f3d', '#b29d88')),
]
