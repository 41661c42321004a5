import type { Scene } from './tracer/studio.ts'

/** One picture of the shop: the file it becomes (without extension), its size, and what stands in it. */
export type Picture = {
  name: string
  width: number
  height: number
  scene: () => Scene | Promise<Scene>
}

/** Product pictures are all four to five, upright. */
export function picture(name: string, scene: Picture['scene'], width = 1152, height = 1440): Picture {
  return { name, width, height, scene }
}
