import { glazed, type Material } from '../tracer/material.ts'
import type { Part } from '../tracer/tree.ts'
import { dipped, palette, type Shade, speckled } from './paints.ts'
import { thrown } from './vessels.ts'

export const sand = '#d5bfa8'

export const satin: Partial<Material> = { coat: 0.55, roughness: 0.28 }

export const glaze = (shade: Shade): Material =>
  glazed(
    speckled(palette[shade], {
      density: shade === 'ink' ? 0.05 : 0.14,
      speck: shade === 'ink' ? '#7d8790' : '#57432f',
    }),
    satin,
  )

/** The colours a pot is shown in, each on a ground that suits it. */
const grounds: Partial<Record<Shade, string>> = {
  chalk: sand,
  moss: '#c9bfa4',
  ink: '#c8bdb2',
  oat: '#cdb79f',
  clay: '#d9bda6',
  sea: '#cbbfae',
}

export const ground = (shade: Shade) => grounds[shade] ?? sand

export const tidal = (shade: Shade): Part => ({
  mesh: thrown(
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
  material: glazed(dipped(speckled(palette[shade]), speckled('#c3a27c', { density: 0.3 }), 4.2, 0.7), satin),
})
