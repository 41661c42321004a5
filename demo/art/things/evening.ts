import { linear, metal } from '../tracer/material.ts'
import type { Lamp, Scene } from '../tracer/studio.ts'

export const dusk = '#b3967f'

const warm = linear('#ffd3a0')

export const evening: Partial<Omit<Scene, 'parts' | 'view' | 'backdrop'>> = { key: 0.46, ambient: 0.7, bloom: 0.16 }

export const lamp = (x: number, y: number, z: number, radius: number, power: number): Lamp => ({
  x,
  y,
  z,
  radius,
  colour: warm,
  power,
})

export const brass = metal('#c9a566', 0.28)
