import { picture } from '../pictures.ts'
import { glaze, ground, sand, satin } from '../things/glazes.ts'
import { dipped, palette, type Shade, speckled } from '../things/paints.ts'
import { olive } from '../things/plants.ts'
import { bowl, handle, mug, plate, solid, spout, stacked, thrown } from '../things/vessels.ts'
import { glazed, type Material } from '../tracer/material.ts'
import { join, move, turn } from '../tracer/mesh.ts'
import { path, tube } from '../tracer/shapes.ts'
import { studio } from '../tracer/studio.ts'
import type { Part } from '../tracer/tree.ts'

const mugParts = (material: Material, x = 0, y = 0, yaw = -22): Part => ({
  mesh: move(turn(join(mug(), handle([4.05, 2.2], [4.05, 7.4], 2.1, 0.52)), 'z', yaw), x, y, 0),
  material,
})

const harborMug = (shade: Shade) =>
  studio(
    ground(shade),
    [mugParts(glazed(dipped(speckled(palette[shade]), speckled('#c8ab86', { density: 0.3 }), 1.7, 0.35), satin))],
    { span: 25, z: 5.4, elevation: 16 },
  )

const bowls = () =>
  studio(
    sand,
    [
      { mesh: bowl(11.5, 8), material: glaze('oat') },
      { mesh: move(bowl(8.6, 6.3), 0.3, 0, 3.2), material: glaze('chalk') },
      { mesh: move(bowl(6, 4.8), -0.2, 0, 5.6), material: glaze('moss') },
    ],
    { span: 42, z: 6.5, elevation: 20 },
  )

const oneBowl = () => studio(sand, [{ mesh: bowl(11.5, 8), material: glaze('oat') }], { span: 42, z: 5, elevation: 32 })

const plates = (shade: Shade) =>
  studio(
    ground(shade),
    [
      { mesh: stacked(plate(13.6), 4, 0.95), material: glazed(speckled(palette[shade]), satin) },
      {
        mesh: move(turn(turn(plate(13.6), 'x', 79), 'z', 6), 3, 15, 13.5),
        material: glazed(speckled(palette[shade]), satin),
      },
    ],
    { span: 50, z: 12.5, elevation: 15 },
  )

const onePlate = () =>
  studio(
    sand,
    [
      { mesh: plate(13.6), material: glaze('chalk') },
      { mesh: move(plate(9.2, 1.5), 0, 0, 0.75), material: glaze('moss') },
      ...olive(
        [
          [-6, -3, 2.9],
          [-1, -1, 3.4],
          [4, 1, 3.2],
          [8, 4, 3.6],
        ],
        3,
        14,
        0.8,
      ),
    ],
    { span: 44, z: 2, elevation: 52 },
  )

const espresso = () => {
  const cup = thrown(
    [
      [2, 0],
      [2.7, 0.5],
      [3.2, 2.6],
      [3.3, 5.6],
    ],
    0.28,
  )
  const saucer = thrown(
    [
      [2.4, 0],
      [3, 0.2],
      [5, 0.7],
      [6.2, 1.5],
    ],
    0.3,
  )
  return studio(
    '#cfb9a2',
    [
      { mesh: move(saucer, -5.2, 1, 0), material: glaze('chalk') },
      {
        mesh: move(cup, -5.2, 1, 0.6),
        material: glazed(dipped(speckled(palette.chalk), speckled('#b9693f'), 3.3, 0.3), satin),
      },
      {
        mesh: move(join(cup, move(cup, 0.2, 0.1, 5.3)), 5, -1.5, 0),
        material: glazed(dipped(speckled(palette.chalk), speckled('#b9693f'), 2.4, 0.3), satin),
      },
    ],
    { span: 33, z: 6, elevation: 17 },
  )
}

const pot = () =>
  join(
    thrown(
      [
        [5.2, 0],
        [6.4, 0.5],
        [9, 4.5],
        [9.2, 8],
        [6.6, 12],
        [4.2, 13.4],
      ],
      0.4,
    ),
    move(
      solid(
        [
          [0, 0],
          [4, 0],
          [3.9, 0.5],
          [3, 1.4],
          [1, 2],
          [0.7, 2.5],
          [1.25, 3.4],
          [0.7, 4.2],
          [0, 4.3],
        ],
        0.4,
      ),
      0,
      0,
      13.2,
    ),
    spout([-7.6, 0, 5.4], [-14.8, 0, 13], [-12, 0, 7.5], 1.9, 0.75),
    tube(
      path(
        [
          [-4.4, 0, 13],
          [-5.5, 0, 16.6],
          [-4.2, 0, 20.4],
          [0, 0, 22.2],
          [4.2, 0, 20.4],
          [5.5, 0, 16.6],
          [4.4, 0, 13],
        ],
        48,
      ),
      0.55,
      { segments: 14, flatten: 1.4 },
    ),
  )

const teapot = () =>
  studio(
    '#cdbdac',
    [
      {
        mesh: turn(pot(), 'z', 14),
        material: glazed(speckled('#39434d', { speck: '#8b949b', density: 0.08 }), { coat: 0.6, roughness: 0.22 }),
      },
    ],
    { span: 48, z: 11, x: -1.5 },
  )

const teaTable = () =>
  studio(
    '#cdbdac',
    [
      {
        mesh: turn(pot(), 'z', 24),
        material: glazed(speckled('#39434d', { speck: '#8b949b', density: 0.08 }), { coat: 0.6, roughness: 0.22 }),
      },
      {
        mesh: move(
          thrown(
            [
              [2.4, 0],
              [3.2, 0.6],
              [3.9, 3],
              [4, 6],
            ],
            0.3,
          ),
          13.4,
          -8,
          0,
        ),
        material: glaze('chalk'),
      },
      {
        mesh: move(
          solid(
            [
              [0, 0],
              [3.55, 0],
              [0, 0.01],
            ],
            0,
          ),
          13.4,
          -8,
          4.9,
        ),
        material: glazed('#7c4a24', { roughness: 0.05 }),
      },
      {
        mesh: move(
          thrown(
            [
              [2.4, 0],
              [3.2, 0.6],
              [3.9, 3],
              [4, 6],
            ],
            0.3,
          ),
          -10.5,
          -12,
          0,
        ),
        material: glaze('chalk'),
      },
    ],
    { span: 56, z: 9, elevation: 19 },
  )

const morning = () =>
  studio(
    '#d8c2aa',
    [
      { mesh: plate(13.6), material: glaze('oat') },
      { mesh: move(bowl(8, 5.8), -1, 1, 1), material: glaze('chalk') },
      mugParts(glaze('moss'), 14.5, -7.5, -30),
    ],
    { span: 52, x: 3, z: 6.5, elevation: 22 },
  )

export const tableware = [
  ...(['oat', 'moss', 'ink', 'clay'] as const).map((shade) => picture(`harbor-mug-${shade}`, () => harborMug(shade))),
  picture('everyday-bowl', bowls),
  picture('everyday-bowl-2', oneBowl),
  ...(['chalk', 'moss', 'ink'] as const).map((shade) => picture(`shoreline-plate-${shade}`, () => plates(shade))),
  picture('shoreline-plate-2', onePlate),
  picture('espresso-cups', espresso),
  picture('low-tide-teapot', teapot),
  picture('low-tide-teapot-2', teaTable),
  picture('morning-set', morning),
]
