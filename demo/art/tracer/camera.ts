import type { Scene } from './studio.ts'

/** A long lens: `span` centimetres fill the height of the picture at the distance of what it looks at. */
export class Camera {
  readonly x: number
  readonly y: number
  readonly z: number
  readonly width: number
  readonly height: number
  private readonly ahead: readonly [number, number, number]
  private readonly right: readonly [number, number, number]
  private readonly up: readonly [number, number, number]
  private readonly distance: number
  private readonly tall: number
  private readonly wide: number
  private readonly spot = { x: 0, y: 0 }

  constructor({ view }: Scene, width: number, height: number) {
    const [a, e] = [(view.azimuth * Math.PI) / 180, (view.elevation * Math.PI) / 180]
    const back = [Math.sin(a) * Math.cos(e), -Math.cos(a) * Math.cos(e), Math.sin(e)] as const
    this.width = width
    this.height = height
    this.distance = view.distance
    this.x = view.x + back[0] * view.distance
    this.y = view.y + back[1] * view.distance
    this.z = view.z + back[2] * view.distance
    this.ahead = [-back[0], -back[1], -back[2]]
    this.right = [Math.cos(a), Math.sin(a), 0]
    this.up = [-Math.sin(a) * Math.sin(e), Math.cos(a) * Math.sin(e), Math.cos(e)]
    this.tall = view.span
    this.wide = (view.span * width) / height
  }

  /** The direction of the ray through a point of the picture, in pixels from the top left. */
  aim(px: number, py: number, out: { x: number; y: number; z: number }) {
    const s = (px / this.width - 0.5) * this.wide
    const t = (0.5 - py / this.height) * this.tall
    const x = this.ahead[0] * this.distance + this.right[0] * s + this.up[0] * t
    const y = this.ahead[1] * this.distance + this.right[1] * s + this.up[1] * t
    const z = this.ahead[2] * this.distance + this.right[2] * s + this.up[2] * t
    const length = Math.sqrt(x * x + y * y + z * z)
    out.x = x / length
    out.y = y / length
    out.z = z / length
  }

  /** Where a point appears in the picture; the answer is reused by the next call. */
  project(x: number, y: number, z: number): { x: number; y: number } {
    const [rx, ry, rz] = [x - this.x, y - this.y, z - this.z]
    const depth = rx * this.ahead[0] + ry * this.ahead[1] + rz * this.ahead[2]
    const scale = this.distance / depth
    const s = (rx * this.right[0] + ry * this.right[1] + rz * this.right[2]) * scale
    const t = (rx * this.up[0] + ry * this.up[1] + rz * this.up[2]) * scale
    this.spot.x = (s / this.wide + 0.5) * this.width
    this.spot.y = (0.5 - t / this.tall) * this.height
    return this.spot
  }
}
