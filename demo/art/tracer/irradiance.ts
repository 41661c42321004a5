import type { Camera } from './camera.ts'
import type { Colour, Material } from './material.ts'
import { at, whole } from './mesh.ts'
import { backdropColour, keyFrame, meetBackdrop, roomLight, type Scene } from './studio.ts'
import { emptyHit, type Hit, type Tree } from './tree.ts'

const KEY = 0.98
/** Linear size of one cell of the light map in pixels. */
export const CELL = 3
const KEY_SAMPLES = 12
const ROOM_SAMPLES = 16

/**
 * The light that arrives at every visible surface: gathered on a grid coarser than the picture, smoothed along
 * surfaces only, and looked up by place and normal. Light changes slowly where colour does not; that is what makes
 * a picture affordable without noise.
 */
export class Irradiance {
  private readonly columns: number
  private readonly rows: number
  private readonly places: Float32Array
  private readonly normals: Float32Array
  private readonly owners: Int32Array
  private key: Float32Array
  private room: Float32Array
  private readonly frame: ReturnType<typeof keyFrame>
  private readonly far = emptyHit()
  private readonly bounced = { r: 0, g: 0, b: 0 }
  private readonly scene: Scene
  private readonly tree: Tree
  private readonly camera: Camera
  private readonly offset: number

  constructor(scene: Scene, tree: Tree, camera: Camera) {
    this.scene = scene
    this.tree = tree
    this.camera = camera
    this.frame = keyFrame(scene)
    this.offset = scene.view.span * 6e-4
    this.columns = Math.ceil(camera.width / CELL)
    this.rows = Math.ceil(camera.height / CELL)
    const cells = this.columns * this.rows
    this.places = new Float32Array(cells * 3)
    this.normals = new Float32Array(cells * 3)
    this.owners = new Int32Array(cells).fill(-2)
    this.key = new Float32Array(cells * 3)
    this.room = new Float32Array(cells * 3)
    this.gatherAll()
    this.key = this.smooth(this.key, 1)
    this.room = this.smooth(this.smooth(this.room, 1), 2)
  }

  private gatherAll() {
    const { columns, rows, scene, tree, camera } = this
    const hit = emptyHit()
    const ray = { x: 0, y: 0, z: 0 }
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        const cell = row * columns + column
        camera.aim((column + 0.5) * CELL, (row + 0.5) * CELL, ray)
        let [ox, oy, oz] = [camera.x, camera.y, camera.z]
        let found = false
        // Through glass to what stands behind it: glass itself is lit by what it mirrors and lets through.
        for (let layer = 0; layer < 12; layer++) {
          const solid = tree.nearest(ox, oy, oz, ray.x, ray.y, ray.z, Infinity, hit)
          if (!solid) {
            found = meetBackdrop(scene.backdrop, ox, oy, oz, ray.x, ray.y, ray.z, Infinity, hit)
            break
          }
          found = !scene.parts[hit.part]?.material.glass
          if (found) break
          ox = hit.x + ray.x * this.offset
          oy = hit.y + ray.y * this.offset
          oz = hit.z + ray.z * this.offset
        }
        if (!found) continue
        faceTowards(hit, ray.x, ray.y, ray.z)
        this.owners[cell] = hit.part
        this.places.set([hit.x, hit.y, hit.z], cell * 3)
        this.normals.set([hit.nx, hit.ny, hit.nz], cell * 3)
        const phase = (row % 4) * 4 + (column % 4)
        this.gather(hit, phase, 16, KEY_SAMPLES, ROOM_SAMPLES, this.key, this.room, cell * 3)
      }
    }
  }

  /** Key light into `key`, lamps and everything else into `room`, at `k`. Sample numbers are phase, phase + stride, … */
  private gather(
    hit: Hit,
    phase: number,
    stride: number,
    keySamples: number,
    roomSamples: number,
    key: Float32Array,
    room: Float32Array,
    k: number,
  ) {
    const thin = hit.part < 0 ? 0 : (this.scene.parts[hit.part]?.material.thin ?? 0)
    const { x, y, z, nx, ny, nz } = hit
    this.gatherKey(x, y, z, nx, ny, nz, thin, phase, stride, keySamples, key, k)
    this.gatherRoom(x, y, z, nx, ny, nz, phase, stride, roomSamples, room, k)
    this.gatherLamps(x, y, z, nx, ny, nz, thin, phase, room, k)
  }

  private gatherKey(
    x: number,
    y: number,
    z: number,
    nx: number,
    ny: number,
    nz: number,
    thin: number,
    phase: number,
    stride: number,
    samples: number,
    out: Float32Array,
    k: number,
  ) {
    const { scene, tree, offset } = this
    const { to, across, up } = this.frame
    const spread = Math.tan((scene.keySpread * Math.PI) / 180)
    let [r, g, b] = [0, 0, 0]
    for (let sample = 0; sample < samples; sample++) {
      const index = phase + stride * sample
      const radius = Math.sqrt(fraction(0.5 + index * 0.7548776662466927)) * spread
      const angle = fraction(0.5 + index * 0.5698402909980532) * 2 * Math.PI
      const [s, t] = [Math.cos(angle) * radius, Math.sin(angle) * radius]
      let dx = to.x + across.x * s + up.x * t
      let dy = to.y + across.y * s + up.y * t
      let dz = to.z + across.z * s + up.z * t
      const length = Math.sqrt(dx * dx + dy * dy + dz * dz)
      dx /= length
      dy /= length
      dz /= length
      let facing = dx * nx + dy * ny + dz * nz
      let side = 1
      if (facing < 0 && thin > 0) {
        facing = -facing * thin
        side = -1
      }
      if (facing <= 0) continue
      const bright = scene.window ? this.throughWindow(x, y, z, dx, dy, dz) : 1
      if (bright <= 0) continue
      const away = offset * side
      if (!tree.open(x + nx * away, y + ny * away, z + nz * away, dx, dy, dz, Infinity)) continue
      r += facing * bright * tree.passed.r
      g += facing * bright * tree.passed.g
      b += facing * bright * tree.passed.b
    }
    const strength = (KEY * scene.key) / samples
    out[k] = r * strength * (1 + 0.02 * scene.warmth)
    out[k + 1] = g * strength
    out[k + 2] = b * strength * (1 - 0.045 * scene.warmth)
  }

  private throughWindow(x: number, y: number, z: number, dx: number, dy: number, dz: number): number {
    const { scene } = this
    const { to, across, up } = this.frame
    const [rx, ry, rz] = [x - scene.view.x, y - scene.view.y, z - scene.view.z]
    const distance = scene.view.span * 2.2
    const t = (distance - (rx * to.x + ry * to.y + rz * to.z)) / (dx * to.x + dy * to.y + dz * to.z)
    const [qx, qy, qz] = [rx + dx * t, ry + dy * t, rz + dz * t]
    return scene.window?.(qx * across.x + qy * across.y + qz * across.z, qx * up.x + qy * up.y + qz * up.z) ?? 1
  }

  private gatherLamps(
    x: number,
    y: number,
    z: number,
    nx: number,
    ny: number,
    nz: number,
    thin: number,
    phase: number,
    out: Float32Array,
    k: number,
  ) {
    const { tree, offset } = this
    for (const lamp of this.scene.lamps) {
      for (let sample = 0; sample < 6; sample++) {
        const index = phase + 16 * sample
        const up = 1 - 2 * fraction(0.5 + index * 0.7548776662466927)
        const angle = fraction(0.5 + index * 0.5698402909980532) * 2 * Math.PI
        const ring = Math.sqrt(1 - up * up) * lamp.radius
        const dx = lamp.x + Math.cos(angle) * ring - x
        const dy = lamp.y + Math.sin(angle) * ring - y
        const dz = lamp.z + up * lamp.radius - z
        const square = dx * dx + dy * dy + dz * dz
        const length = Math.sqrt(square)
        let facing = (dx * nx + dy * ny + dz * nz) / length
        if (facing < 0) facing = -facing * thin
        if (facing <= 0) continue
        if (
          !tree.open(x + nx * offset, y + ny * offset, z + nz * offset, dx / length, dy / length, dz / length, length)
        )
          continue
        const light = ((facing * lamp.power) / (square + lamp.radius * lamp.radius) / 6) * 100
        out[k] = at(out, k) + light * lamp.colour.r * tree.passed.r
        out[k + 1] = at(out, k + 1) + light * lamp.colour.g * tree.passed.g
        out[k + 2] = at(out, k + 2) + light * lamp.colour.b * tree.passed.b
      }
    }
  }

  private gatherRoom(
    x: number,
    y: number,
    z: number,
    nx: number,
    ny: number,
    nz: number,
    phase: number,
    stride: number,
    samples: number,
    out: Float32Array,
    k: number,
  ) {
    const { scene, tree, offset, far, bounced } = this
    // Any two directions across the normal.
    const sign = nz >= 0 ? 1 : -1
    const a = -1 / (sign + nz)
    const b = nx * ny * a
    const [ux, uy, uz] = [1 + sign * nx * nx * a, sign * b, -sign * nx]
    const [vx, vy, vz] = [b, sign + ny * ny * a, -ny]
    let [red, green, blue] = [0, 0, 0]
    const [px, py, pz] = [x + nx * offset, y + ny * offset, z + nz * offset]
    for (let sample = 0; sample < samples; sample++) {
      const index = phase + stride * sample
      const share = fraction(0.25 + index * 0.7548776662466927)
      const angle = fraction(0.25 + index * 0.5698402909980532) * 2 * Math.PI
      const [ring, high] = [Math.sqrt(share), Math.sqrt(1 - share)]
      const [c, s] = [Math.cos(angle) * ring, Math.sin(angle) * ring]
      const dx = ux * c + vx * s + nx * high
      const dy = uy * c + vy * s + ny * high
      const dz = uz * c + vz * s + nz * high
      if (tree.nearest(px, py, pz, dx, dy, dz, scene.view.span * 2, far)) {
        this.glance(far, dx, dy, dz, bounced)
      } else if (meetBackdrop(scene.backdrop, px, py, pz, dx, dy, dz, Infinity, far)) {
        backdropColour(scene.backdrop, far.y, far.z, bounced)
        const light = this.openLight(far.nx, far.ny, far.nz)
        // The set is large and close: half its colour is enough to tie things to it without dyeing them.
        const grey = bounced.r * 0.3 + bounced.g * 0.59 + bounced.b * 0.11
        bounced.r = (bounced.r + grey) * 0.5 * light
        bounced.g = (bounced.g + grey) * 0.5 * light
        bounced.b = (bounced.b + grey) * 0.5 * light
      } else {
        const light = roomLight(dx, dy, dz) * scene.ambient * 0.86
        bounced.r = bounced.g = bounced.b = light
        bounced.b *= 1.06
      }
      red += bounced.r
      green += bounced.g
      blue += bounced.b
    }
    out[k] = red / samples
    out[k + 1] = green / samples
    out[k + 2] = blue / samples
  }

  /** Light on a surface nobody shades. */
  private openLight(nx: number, ny: number, nz: number): number {
    const { to } = this.frame
    return 0.3 * this.scene.ambient + KEY * 0.8 * this.scene.key * Math.max(0, nx * to.x + ny * to.y + nz * to.z)
  }

  /** A quick look at a part: its colour in the light it probably has. */
  glance(hit: Hit, dx: number, dy: number, dz: number, out: Colour) {
    const material = this.scene.parts[hit.part]?.material
    if (!material) return
    material.paint(hit, out)
    const light = glanceLight(material, this.lightOf(hit, dx, dy, dz))
    out.r *= light
    out.g *= light
    out.b *= light
  }

  private lightOf(hit: Hit, dx: number, dy: number, dz: number): number {
    const side = hit.nx * dx + hit.ny * dy + hit.nz * dz > 0 ? -1 : 1
    const [nx, ny, nz] = [hit.nx * side, hit.ny * side, hit.nz * side]
    const { to } = this.frame
    const facing = nx * to.x + ny * to.y + nz * to.z
    let light = 0.26 * this.scene.ambient
    const away = this.offset * 2
    if (
      facing > 0 &&
      this.scene.key > 0 &&
      this.tree.open(hit.x + nx * away, hit.y + ny * away, hit.z + nz * away, to.x, to.y, to.z, Infinity)
    ) {
      light += KEY * this.scene.key * facing * this.tree.passed.g
    }
    return light
  }

  /** The light on a visible surface; `exact` gathers it afresh where the map has nothing that fits. */
  lookUp(hit: Hit, nx: number, ny: number, nz: number, exact: boolean, out: Colour) {
    const { columns, rows, camera, scene } = this
    const spot = camera.project(hit.x, hit.y, hit.z)
    const [fx, fy] = [spot.x / CELL - 0.5, spot.y / CELL - 0.5]
    const [left, top] = [Math.floor(fx) - 1, Math.floor(fy) - 1]
    const tight = 1 / (scene.view.span * 0.004)
    let [r, g, b, total] = [0, 0, 0, 0]
    for (let j = top; j < top + 4; j++) {
      if (j < 0 || j >= rows) continue
      const wy = 2 - Math.abs(j - fy)
      if (wy <= 0) continue
      for (let i = left; i < left + 4; i++) {
        if (i < 0 || i >= columns) continue
        const cell = j * columns + i
        if (whole(this.owners, cell) !== hit.part) continue
        const wx = 2 - Math.abs(i - fx)
        if (wx <= 0) continue
        const k = cell * 3
        const alike = nx * at(this.normals, k) + ny * at(this.normals, k + 1) + nz * at(this.normals, k + 2)
        if (alike < 0.5) continue
        const off =
          (hit.x - at(this.places, k)) * nx +
          (hit.y - at(this.places, k + 1)) * ny +
          (hit.z - at(this.places, k + 2)) * nz
        const close = off * tight
        const square = alike * alike
        const weight = (wx * wy * wx * wy * square * square * square) / (1 + close * close * 4)
        if (close > 4 || close < -4) continue
        r += (at(this.key, k) + at(this.room, k)) * weight
        g += (at(this.key, k + 1) + at(this.room, k + 1)) * weight
        b += (at(this.key, k + 2) + at(this.room, k + 2)) * weight
        total += weight
      }
    }
    if (total > 0.02) {
      out.r = r / total
      out.g = g / total
      out.b = b / total
    } else if (exact) {
      this.afresh(hit, nx, ny, nz, out)
    } else {
      out.r = out.g = out.b = hit.part < 0 ? this.openLight(nx, ny, nz) : 0.75 * this.openLight(nx, ny, nz)
    }
  }

  private readonly fresh = new Float32Array(6)
  private readonly turned = emptyHit()
  private count = 0

  private afresh(hit: Hit, nx: number, ny: number, nz: number, out: Colour) {
    const { fresh, turned } = this
    Object.assign(turned, hit, { nx, ny, nz })
    fresh.fill(0)
    this.gatherPair(turned, fresh)
    out.r = at(fresh, 0) + at(fresh, 3)
    out.g = at(fresh, 1) + at(fresh, 4)
    out.b = at(fresh, 2) + at(fresh, 5)
  }

  private gatherPair(hit: Hit, pair: Float32Array) {
    const phase = this.count++ % 61
    this.gather(hit, phase, 61, 4, 5, pair.subarray(0, 3), pair.subarray(3, 6), 0)
  }

  /** One pass of a smoothing that stays on a surface: neighbours count when they lie in its plane and face the same way. */
  private smooth(source: Float32Array, step: number): Float32Array {
    const { columns, rows, places, normals, owners } = this
    const result = new Float32Array(source.length)
    // The first pass is blind to what repeats every two or four cells: the sixteen sample sets of neighbouring cells.
    const kernel = step === 1 ? [1, 2, 2, 2, 1] : [1, 4, 6, 4, 1]
    const tight = 1 / (this.scene.view.span * 0.006)
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        const cell = row * columns + column
        const owner = whole(owners, cell)
        if (owner === -2) continue
        const k = cell * 3
        let [r, g, b, total] = [0, 0, 0, 0]
        for (let j = -2; j <= 2; j++) {
          const y = row + j * step
          if (y < 0 || y >= rows) continue
          for (let i = -2; i <= 2; i++) {
            const x = column + i * step
            if (x < 0 || x >= columns) continue
            const other = y * columns + x
            if (whole(owners, other) !== owner) continue
            const m = other * 3
            const alike =
              at(normals, k) * at(normals, m) +
              at(normals, k + 1) * at(normals, m + 1) +
              at(normals, k + 2) * at(normals, m + 2)
            if (alike < 0.7) continue
            const off =
              (at(places, m) - at(places, k)) * at(normals, k) +
              (at(places, m + 1) - at(places, k + 1)) * at(normals, k + 1) +
              (at(places, m + 2) - at(places, k + 2)) * at(normals, k + 2)
            const near = off * tight
            const square = alike * alike * alike * alike
            const weight = ((kernel[i + 2] ?? 0) * (kernel[j + 2] ?? 0) * square * square) / (1 + near * near)
            r += at(source, m) * weight
            g += at(source, m + 1) * weight
            b += at(source, m + 2) * weight
            total += weight
          }
        }
        result[k] = r / total
        result[k + 1] = g / total
        result[k + 2] = b / total
      }
    }
    return result
  }
}

const fraction = (value: number) => value - Math.floor(value)

// Glass passes on most of the light that the room behind it has.
const glanceLight = (material: Material, light: number) =>
  material.glass ? Math.max(0.7, light) : light + material.glow

/** Turns the normal to the side the ray came from. */
export function faceTowards(hit: Hit, dx: number, dy: number, dz: number) {
  if (hit.nx * dx + hit.ny * dy + hit.nz * dz <= 0) return
  hit.nx = -hit.nx
  hit.ny = -hit.ny
  hit.nz = -hit.nz
}
