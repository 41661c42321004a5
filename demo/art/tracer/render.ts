import { Camera } from './camera.ts'
import { faceTowards, Irradiance } from './irradiance.ts'
import type { Colour, Material } from './material.ts'
import { at, whole } from './mesh.ts'
import { hash } from './noise.ts'
import { backdropColour, keyFrame, meetBackdrop, mirroredLight, type Scene } from './studio.ts'
import { emptyHit, type Hit, Tree } from './tree.ts'

const DEPTH = 9

/** The picture of a scene as linear light, three numbers a pixel, top row first. */
export function render(scene: Scene, width: number, height: number): Float32Array {
  return new Painter(scene, width, height).picture()
}

class Painter {
  private readonly scene: Scene
  private readonly camera: Camera
  private readonly tree: Tree
  private readonly light: Irradiance
  private readonly frame: ReturnType<typeof keyFrame>
  private readonly hits = Array.from({ length: DEPTH + 2 }, emptyHit)
  private readonly colours = Array.from({ length: DEPTH + 2 }, () => ({ r: 0, g: 0, b: 0 }))
  private readonly lights = Array.from({ length: DEPTH + 2 }, () => ({ r: 0, g: 0, b: 0 }))
  private readonly tangents = new Float64Array(6)
  private readonly probe = emptyHit()
  private readonly step: number

  constructor(scene: Scene, width: number, height: number) {
    this.scene = scene
    this.camera = new Camera(scene, width, height)
    this.tree = new Tree(scene.parts)
    this.light = new Irradiance(scene, this.tree, this.camera)
    this.frame = keyFrame(scene)
    this.step = scene.view.span * 3e-4
  }

  picture(): Float32Array {
    const { camera } = this
    const { width, height } = camera
    const pixels = new Float32Array(width * height * 3)
    const owners = new Int32Array(width * height)
    const normals = new Float32Array(width * height * 3)
    const out = { r: 0, g: 0, b: 0 }
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const k = y * width + x
        const hit = this.sample(x + 0.5, y + 0.5, out)
        pixels.set([out.r, out.g, out.b], k * 3)
        owners[k] = hit.part
        normals.set([hit.nx, hit.ny, hit.nz], k * 3)
      }
    }
    this.refine(pixels, owners, normals)
    return pixels
  }

  /** More samples where one is not enough: outlines, creases, fine patterns, glass. */
  private refine(pixels: Float32Array, owners: Int32Array, normals: Float32Array) {
    const { width, height } = this.camera
    const out = { r: 0, g: 0, b: 0 }
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const k = y * width + x
        const extra = this.samplesFor(owners, normals, x, y)
        if (extra === 0) continue
        let [r, g, b] = [at(pixels, k * 3), at(pixels, k * 3 + 1), at(pixels, k * 3 + 2)]
        for (let s = 0; s < extra; s++) {
          const across = (hash(x, y, 3) + (s + 1) * 0.7548776662466927) % 1
          const down = (hash(x, y, 4) + (s + 1) * 0.5698402909980532) % 1
          this.sample(x + across, y + down, out)
          r += out.r
          g += out.g
          b += out.b
        }
        pixels[k * 3] = r / (extra + 1)
        pixels[k * 3 + 1] = g / (extra + 1)
        pixels[k * 3 + 2] = b / (extra + 1)
      }
    }
  }

  private samplesFor(owners: Int32Array, normals: Float32Array, x: number, y: number): number {
    const { width, height } = this.camera
    const k = y * width + x
    const owner = whole(owners, k)
    for (const other of [
      x > 0 ? k - 1 : k,
      x < width - 1 ? k + 1 : k,
      y > 0 ? k - width : k,
      y < height - 1 ? k + width : k,
    ]) {
      if (whole(owners, other) !== owner) return 6
      const alike =
        at(normals, k * 3) * at(normals, other * 3) +
        at(normals, k * 3 + 1) * at(normals, other * 3 + 1) +
        at(normals, k * 3 + 2) * at(normals, other * 3 + 2)
      if (alike < 0.93) return 6
    }
    const material = this.scene.parts[owner]?.material
    if (!material) return 0
    return material.glass ? 3 : material.detail ? 4 : 0
  }

  private readonly ray = { x: 0, y: 0, z: 0 }

  /** One ray through the picture; answers its first hit. Very bright samples are held down so that edges stay smooth. */
  private sample(px: number, py: number, out: Colour): Hit {
    const { camera, ray } = this
    camera.aim(px, py, ray)
    this.radiance(camera.x, camera.y, camera.z, ray.x, ray.y, ray.z, 0, out)
    out.r = Math.min(out.r, 3)
    out.g = Math.min(out.g, 3)
    out.b = Math.min(out.b, 3)
    return this.hits[0] ?? emptyHit()
  }

  private radiance(
    ox: number,
    oy: number,
    oz: number,
    dx: number,
    dy: number,
    dz: number,
    depth: number,
    out: Colour,
    roughness = 0,
  ) {
    const { scene } = this
    const hit = this.hits[depth] ?? emptyHit()
    if (!this.tree.nearest(ox, oy, oz, dx, dy, dz, Infinity, hit)) {
      if (meetBackdrop(scene.backdrop, ox, oy, oz, dx, dy, dz, Infinity, hit))
        this.shadeBackdrop(hit, dx, dy, dz, depth, out)
      else {
        hit.part = -3
        const strength = mirroredLight(this.frame, dx, dy, dz, roughness) * (0.25 + 0.75 * Math.max(scene.key, 0.15))
        out.r = out.g = out.b = strength
      }
      return
    }
    const material = scene.parts[hit.part]?.material
    if (!material) return
    if (material.glass) this.shadeGlass(hit, material, dx, dy, dz, depth, out)
    else this.shadeSolid(hit, material, dx, dy, dz, depth, out)
  }

  private shadeBackdrop(hit: Hit, dx: number, dy: number, dz: number, depth: number, out: Colour) {
    const { backdrop } = this.scene
    const light = this.lights[depth] ?? out
    this.light.lookUp(hit, hit.nx, hit.ny, hit.nz, depth === 0, light)
    backdropColour(backdrop, hit.y, hit.z, out)
    out.r *= light.r
    out.g *= light.g
    out.b *= light.b
    if (backdrop.gloss > 0 && depth < 2 && hit.nz > 0.9) {
      const mirrored = this.colours[depth + 1] ?? out
      this.radiance(hit.x, hit.y, hit.z + this.step, dx, dy, -dz, depth + 1, mirrored, 0.5)
      const share = backdrop.gloss * (0.08 + 0.92 * (1 - Math.abs(dz)) ** 4)
      out.r += (mirrored.r - out.r) * share
      out.g += (mirrored.g - out.g) * share
      out.b += (mirrored.b - out.b) * share
    }
  }

  private shadeSolid(hit: Hit, material: Material, dx: number, dy: number, dz: number, depth: number, out: Colour) {
    faceTowards(hit, dx, dy, dz)
    const { nx, ny, nz } = hit
    const light = this.lights[depth] ?? out
    this.light.lookUp(hit, nx, ny, nz, depth === 0, light)
    let [bx, by, bz] = [nx, ny, nz]
    if (material.bump && depth < 3) {
      this.bumped(hit, material.bump)
      bx = this.probe.nx
      by = this.probe.ny
      bz = this.probe.nz
      // The map knows the light on the smooth surface; the relief changes it by how it turns towards the key light.
      const { to } = this.frame
      const before = 0.55 + 0.6 * Math.max(0, nx * to.x + ny * to.y + nz * to.z)
      const after = 0.55 + 0.6 * Math.max(0, bx * to.x + by * to.y + bz * to.z)
      const turned = after / before
      light.r *= turned
      light.g *= turned
      light.b *= turned
    }
    material.paint(hit, out)
    const facing = Math.min(1, Math.max(0, -(dx * bx + dy * by + dz * bz)))
    const [red, green, blue] = [out.r, out.g, out.b]
    const diffuse = material.metal ? 0.3 : 1
    // A flame outshines what falls on it; counting the light it sheds on itself would turn it white.
    if (material.glow > 1) light.r = light.g = light.b = 0
    const fibre = 1 + material.sheen * (1 - facing) ** 3 * 2
    out.r = red * (light.r * fibre * diffuse + material.glow)
    out.g = green * (light.g * fibre * diffuse + material.glow)
    out.b = blue * (light.b * fibre * diffuse + material.glow)
    if (material.coat <= 0 || depth > 2) {
      if (material.metal) {
        out.r = red * light.r * 0.7
        out.g = green * light.g * 0.7
        out.b = blue * light.b * 0.7
      }
      return
    }
    const along = 2 * (dx * bx + dy * by + dz * bz)
    const [rx, ry, rz] = [dx - along * bx, dy - along * by, dz - along * bz]
    const mirrored = this.colours[depth + 1] ?? out
    const away = this.step * 2
    this.radiance(
      hit.x + nx * away,
      hit.y + ny * away,
      hit.z + nz * away,
      rx,
      ry,
      rz,
      depth + 1,
      mirrored,
      material.roughness,
    )
    const fresnel = (1 - facing) ** 5 * (1 - material.roughness * 0.8)
    if (material.metal) {
      out.r += mirrored.r * (red + (1 - red) * fresnel)
      out.g += mirrored.g * (green + (1 - green) * fresnel)
      out.b += mirrored.b * (blue + (1 - blue) * fresnel)
      return
    }
    const share = material.coat * (0.045 + 0.955 * fresnel)
    // Reflections of what is darker than open light are dimmed by the shade the place itself lies in.
    const open = Math.min(1, 0.35 + 0.75 * light.g)
    out.r += (mirrored.r * open - out.r * 0.5) * share
    out.g += (mirrored.g * open - out.g * 0.5) * share
    out.b += (mirrored.b * open - out.b * 0.5) * share
  }

  /** Leaves the normal that a relief gives the place in `probe`. */
  private bumped(hit: Hit, bump: NonNullable<Material['bump']>) {
    const { probe, tangents } = this
    const { nx, ny, nz } = hit
    this.tree.tangents(hit.triangle, tangents)
    const [tx, ty, tz, sx, sy, sz] = tangents as unknown as [number, number, number, number, number, number]
    const tu = Math.sqrt(tx * tx + ty * ty + tz * tz) || 1e9
    const sv = Math.sqrt(sx * sx + sy * sy + sz * sz) || 1e9
    const e = this.step
    const here = bump.height(hit)
    Object.assign(probe, hit)
    probe.x = hit.x + (tx / tu) * e
    probe.y = hit.y + (ty / tu) * e
    probe.z = hit.z + (tz / tu) * e
    probe.u = hit.u + e / tu
    const acrossU = ((bump.height(probe) - here) / e) * bump.strength
    probe.x = hit.x + (sx / sv) * e
    probe.y = hit.y + (sy / sv) * e
    probe.z = hit.z + (sz / sv) * e
    probe.u = hit.u
    probe.v = hit.v + e / sv
    const acrossV = ((bump.height(probe) - here) / e) * bump.strength
    const x = nx - (tx / tu) * acrossU - (sx / sv) * acrossV
    const y = ny - (ty / tu) * acrossU - (sy / sv) * acrossV
    const z = nz - (tz / tu) * acrossU - (sz / sv) * acrossV
    const length = Math.sqrt(x * x + y * y + z * z) || 1
    probe.nx = x / length
    probe.ny = y / length
    probe.nz = z / length
  }

  private shadeGlass(hit: Hit, material: Material, dx: number, dy: number, dz: number, depth: number, out: Colour) {
    const tint = material.glass?.tint ?? out
    const inside = hit.nx * dx + hit.ny * dy + hit.nz * dz > 0
    const side = inside ? -1 : 1
    const [nx, ny, nz] = [hit.nx * side, hit.ny * side, hit.nz * side]
    const ratio = inside ? (material.glass?.ior ?? 1.5) : 1 / (material.glass?.ior ?? 1.5)
    const facing = Math.min(1, -(dx * nx + dy * ny + dz * nz))
    const square = 1 - ratio * ratio * (1 - facing * facing)
    const fresnel = square <= 0 ? 1 : 0.04 + 0.96 * (1 - Math.min(facing, square > 0 ? Math.sqrt(square) : 0)) ** 5
    const [hx, hy, hz] = [hit.x, hit.y, hit.z]
    const away = this.step
    if (depth >= DEPTH) {
      // Too many walls: what is left is about the colour of the backdrop.
      backdropColour(this.scene.backdrop, this.scene.backdrop.wall, 1e3, out)
      out.r *= 0.8
      out.g *= 0.8
      out.b *= 0.8
      return
    }
    let [r, g, b] = [0, 0, 0]
    const seen = this.colours[depth + 1] ?? out
    if (square > 0) {
      const bend = ratio * facing - Math.sqrt(square)
      const [tx, ty, tz] = [dx * ratio + nx * bend, dy * ratio + ny * bend, dz * ratio + nz * bend]
      this.radiance(hx - nx * away, hy - ny * away, hz - nz * away, tx, ty, tz, depth + 1, seen)
      // A wall is two surfaces: each takes the root of what the wall takes.
      const through = 1 - fresnel
      r = seen.r * through * Math.sqrt(tint.r)
      g = seen.g * through * Math.sqrt(tint.g)
      b = seen.b * through * Math.sqrt(tint.b)
    }
    if (fresnel > 0.015 && (depth < 2 || square <= 0)) {
      const along = 2 * (dx * nx + dy * ny + dz * nz)
      const [rx, ry, rz] = [dx - along * nx, dy - along * ny, dz - along * nz]
      this.radiance(hx + nx * away, hy + ny * away, hz + nz * away, rx, ry, rz, depth + 1, seen, 0.02)
      r += seen.r * fresnel
      g += seen.g * fresnel
      b += seen.b * fresnel
    }
    out.r = r
    out.g = g
    out.b = b
    hit.part = hit.part < 0 ? 0 : hit.part
  }
}
