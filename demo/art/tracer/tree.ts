import type { Material } from './material.ts'
import { at, type Mesh, whole } from './mesh.ts'

export type Part = { mesh: Mesh; material: Material }

/** Where a ray met something. `part` is -1 for the backdrop. Tangents are dP/du and dP/dv of the triangle. */
export type Hit = {
  distance: number
  part: number
  x: number
  y: number
  z: number
  nx: number
  ny: number
  nz: number
  u: number
  v: number
  triangle: number
}

export function emptyHit(): Hit {
  return { distance: 0, part: -1, x: 0, y: 0, z: 0, nx: 0, ny: 0, nz: 1, u: 0, v: 0, triangle: -1 }
}

const LEAF = 4
const BINS = 12

/** A bounding volume hierarchy over all triangles of a scene, split by the surface area heuristic. */
export class Tree {
  /** What light is left after `open`: the tint of the glass it went through. */
  readonly passed = { r: 1, g: 1, b: 1 }
  private readonly corners: Float32Array
  private readonly normals: Float32Array
  private readonly uvs: Float32Array
  private readonly owners: Int32Array
  private readonly bounds: Float32Array
  private readonly links: Int32Array
  private readonly stack = new Int32Array(128)
  private readonly blocks: Int32Array
  private readonly tints: { r: number; g: number; b: number }[]
  private foundU = 0
  private foundV = 0

  constructor(parts: readonly Part[]) {
    const count = parts.reduce((sum, part) => sum + part.mesh.triangles.length / 3, 0)
    const corners = new Float32Array(count * 9)
    const owners = new Int32Array(count)
    const normals = new Float32Array(count * 9)
    const uvs = new Float32Array(count * 6)
    let triangle = 0
    parts.forEach(({ mesh }, owner) => {
      for (let t = 0; t < mesh.triangles.length; t += 3) {
        for (let c = 0; c < 3; c++) {
          const vertex = whole(mesh.triangles, t + c)
          corners.set(mesh.positions.subarray(vertex * 3, vertex * 3 + 3), triangle * 9 + c * 3)
          normals.set(mesh.normals.subarray(vertex * 3, vertex * 3 + 3), triangle * 9 + c * 3)
          uvs.set(mesh.uvs.subarray(vertex * 2, vertex * 2 + 2), triangle * 6 + c * 2)
        }
        owners[triangle++] = owner
      }
    })
    // 0: stops light, 1: glass, 2: lets it by (a glowing shade)
    this.blocks = Int32Array.from(parts, ({ material }) => (material.glass ? 1 : material.shadow ? 0 : 2))
    this.tints = parts.map(({ material }) => material.glass?.tint ?? { r: 1, g: 1, b: 1 })

    const order = new Int32Array(count).map((_, index) => index)
    const nodes = build(corners, order)
    this.bounds = nodes.bounds
    this.links = nodes.links
    this.corners = new Float32Array(count * 9)
    this.normals = new Float32Array(count * 9)
    this.uvs = new Float32Array(count * 6)
    this.owners = new Int32Array(count)
    order.forEach((source, target) => {
      this.corners.set(corners.subarray(source * 9, source * 9 + 9), target * 9)
      this.normals.set(normals.subarray(source * 9, source * 9 + 9), target * 9)
      this.uvs.set(uvs.subarray(source * 6, source * 6 + 6), target * 6)
      this.owners[target] = whole(owners, source)
    })
    // Edges instead of second and third corner, ready for the intersection test.
    for (let k = 0; k < this.corners.length; k += 9) {
      for (let axis = 0; axis < 3; axis++) {
        const origin = at(this.corners, k + axis)
        this.corners[k + 3 + axis] = at(this.corners, k + 3 + axis) - origin
        this.corners[k + 6 + axis] = at(this.corners, k + 6 + axis) - origin
      }
    }
  }

  /** The nearest triangle before `limit`; fills everything of `hit` and answers whether there is one. */
  nearest(ox: number, oy: number, oz: number, dx: number, dy: number, dz: number, limit: number, hit: Hit): boolean {
    const { bounds, links, stack, corners } = this
    const [ix, iy, iz] = [1 / dx, 1 / dy, 1 / dz]
    let best = limit
    let found = -1
    let foundU = 0
    let foundV = 0
    let top = 0
    stack[top++] = 0
    while (top > 0) {
      const node = whole(stack, --top)
      if (enters(bounds, node * 6, ox, oy, oz, ix, iy, iz, best) === Infinity) continue
      const first = whole(links, node * 2)
      const size = whole(links, node * 2 + 1)
      if (size === 0) {
        const a = enters(bounds, (node + 1) * 6, ox, oy, oz, ix, iy, iz, best)
        const b = enters(bounds, first * 6, ox, oy, oz, ix, iy, iz, best)
        if (a <= b) {
          if (b !== Infinity) stack[top++] = first
          if (a !== Infinity) stack[top++] = node + 1
        } else {
          if (a !== Infinity) stack[top++] = node + 1
          if (b !== Infinity) stack[top++] = first
        }
        continue
      }
      for (let t = first; t < first + size; t++) {
        const distance = this.meets(corners, t * 9, ox, oy, oz, dx, dy, dz, best)
        if (distance < best) {
          best = distance
          found = t
          foundU = this.foundU
          foundV = this.foundV
        }
      }
    }
    if (found < 0) return false
    const [w, n, m] = [1 - foundU - foundV, found * 9, found * 6]
    hit.distance = best
    hit.part = whole(this.owners, found)
    hit.triangle = found
    hit.x = ox + dx * best
    hit.y = oy + dy * best
    hit.z = oz + dz * best
    const nx = at(this.normals, n) * w + at(this.normals, n + 3) * foundU + at(this.normals, n + 6) * foundV
    const ny = at(this.normals, n + 1) * w + at(this.normals, n + 4) * foundU + at(this.normals, n + 7) * foundV
    const nz = at(this.normals, n + 2) * w + at(this.normals, n + 5) * foundU + at(this.normals, n + 8) * foundV
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz) || 1
    hit.nx = nx / length
    hit.ny = ny / length
    hit.nz = nz / length
    hit.u = at(this.uvs, m) * w + at(this.uvs, m + 2) * foundU + at(this.uvs, m + 4) * foundV
    hit.v = at(this.uvs, m + 1) * w + at(this.uvs, m + 3) * foundU + at(this.uvs, m + 5) * foundV
    return true
  }

  /** Whether light gets through; `passed` then holds its tint. Glass dims it, most where the ray grazes the wall. */
  open(ox: number, oy: number, oz: number, dx: number, dy: number, dz: number, limit: number): boolean {
    const { bounds, links, stack, corners, passed } = this
    passed.r = passed.g = passed.b = 1
    const [ix, iy, iz] = [1 / dx, 1 / dy, 1 / dz]
    let top = 0
    stack[top++] = 0
    while (top > 0) {
      const node = whole(stack, --top)
      if (enters(bounds, node * 6, ox, oy, oz, ix, iy, iz, limit) === Infinity) continue
      const first = whole(links, node * 2)
      const size = whole(links, node * 2 + 1)
      if (size === 0) {
        stack[top++] = node + 1
        stack[top++] = first
        continue
      }
      for (let t = first; t < first + size; t++) {
        if (this.meets(corners, t * 9, ox, oy, oz, dx, dy, dz, limit) === Infinity) continue
        const owner = whole(this.owners, t)
        const blocks = whole(this.blocks, owner)
        if (blocks === 0) return false
        if (blocks === 2) continue
        const n = t * 9
        const facing = Math.abs(dx * at(this.normals, n) + dy * at(this.normals, n + 1) + dz * at(this.normals, n + 2))
        const clear = 0.97 - 0.55 * (1 - facing) ** 2.5
        const tint = this.tints[owner] ?? passed
        passed.r *= clear * tint.r
        passed.g *= clear * tint.g
        passed.b *= clear * tint.b
      }
    }
    return true
  }

  /** dP/du and dP/dv of a triangle, six numbers. */
  tangents(triangle: number, out: Float64Array) {
    const [n, m] = [triangle * 9, triangle * 6]
    const u1 = at(this.uvs, m + 2) - at(this.uvs, m)
    const v1 = at(this.uvs, m + 3) - at(this.uvs, m + 1)
    const u2 = at(this.uvs, m + 4) - at(this.uvs, m)
    const v2 = at(this.uvs, m + 5) - at(this.uvs, m + 1)
    const scale = 1 / (u1 * v2 - u2 * v1 || 1e-9)
    for (let axis = 0; axis < 3; axis++) {
      const e1 = at(this.corners, n + 3 + axis)
      const e2 = at(this.corners, n + 6 + axis)
      out[axis] = (e1 * v2 - e2 * v1) * scale
      out[3 + axis] = (e2 * u1 - e1 * u2) * scale
    }
  }

  /** Möller-Trumbore; answers the distance, Infinity for a miss. */
  private meets(
    corners: Float32Array,
    k: number,
    ox: number,
    oy: number,
    oz: number,
    dx: number,
    dy: number,
    dz: number,
    limit: number,
  ): number {
    const ax = at(corners, k + 3)
    const ay = at(corners, k + 4)
    const az = at(corners, k + 5)
    const bx = at(corners, k + 6)
    const by = at(corners, k + 7)
    const bz = at(corners, k + 8)
    const px = dy * bz - dz * by
    const py = dz * bx - dx * bz
    const pz = dx * by - dy * bx
    const determinant = ax * px + ay * py + az * pz
    if (determinant > -1e-12 && determinant < 1e-12) return Infinity
    const inverse = 1 / determinant
    const tx = ox - at(corners, k)
    const ty = oy - at(corners, k + 1)
    const tz = oz - at(corners, k + 2)
    const u = (tx * px + ty * py + tz * pz) * inverse
    if (u < 0 || u > 1) return Infinity
    const qx = ty * az - tz * ay
    const qy = tz * ax - tx * az
    const qz = tx * ay - ty * ax
    const v = (dx * qx + dy * qy + dz * qz) * inverse
    if (v < 0 || u + v > 1) return Infinity
    const distance = (bx * qx + by * qy + bz * qz) * inverse
    if (distance < 1e-4 || distance >= limit) return Infinity
    this.foundU = u
    this.foundV = v
    return distance
  }
}

/** Where a ray enters a box, Infinity when it misses it or only reaches it beyond `limit`. */
function enters(
  bounds: Float32Array,
  k: number,
  ox: number,
  oy: number,
  oz: number,
  ix: number,
  iy: number,
  iz: number,
  limit: number,
): number {
  let a = (at(bounds, k) - ox) * ix
  let b = (at(bounds, k + 3) - ox) * ix
  let near = a < b ? a : b
  let far = a < b ? b : a
  a = (at(bounds, k + 1) - oy) * iy
  b = (at(bounds, k + 4) - oy) * iy
  near = Math.max(near, Math.min(a, b))
  far = Math.min(far, Math.max(a, b))
  a = (at(bounds, k + 2) - oz) * iz
  b = (at(bounds, k + 5) - oz) * iz
  near = Math.max(near, Math.min(a, b))
  far = Math.min(far, Math.max(a, b))
  return far >= near && far > 0 && near < limit ? near : Infinity
}

/** Sorts `order` in place; a node's first child follows it, `links` holds the second child, or first triangle and count. */
function build(corners: Float32Array, order: Int32Array) {
  const count = order.length
  const bounds: number[] = []
  const links: number[] = []
  const low = new Float32Array(count * 3)
  const high = new Float32Array(count * 3)
  for (let t = 0; t < count; t++) {
    for (let axis = 0; axis < 3; axis++) {
      const [a, b, c] = [at(corners, t * 9 + axis), at(corners, t * 9 + 3 + axis), at(corners, t * 9 + 6 + axis)]
      low[t * 3 + axis] = Math.min(a, b, c)
      high[t * 3 + axis] = Math.max(a, b, c)
    }
  }
  const middle = (t: number, axis: number) => (at(low, t * 3 + axis) + at(high, t * 3 + axis)) / 2

  const split = (from: number, to: number) => {
    const node = links.length / 2
    links.push(from, to - from)
    const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]
    const span = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]
    for (let k = from; k < to; k++) {
      const t = whole(order, k)
      for (let axis = 0; axis < 3; axis++) {
        box[axis] = Math.min(box[axis] ?? 0, at(low, t * 3 + axis))
        box[axis + 3] = Math.max(box[axis + 3] ?? 0, at(high, t * 3 + axis))
        span[axis] = Math.min(span[axis] ?? 0, middle(t, axis))
        span[axis + 3] = Math.max(span[axis + 3] ?? 0, middle(t, axis))
      }
    }
    bounds.push(...box)
    if (to - from <= LEAF) return
    const sizes = [0, 1, 2].map((axis) => (span[axis + 3] ?? 0) - (span[axis] ?? 0))
    const axis = sizes.indexOf(Math.max(...sizes))
    const [start, size] = [span[axis] ?? 0, sizes[axis] ?? 0]
    if (size < 1e-9) return
    const bin = (t: number) => Math.min(BINS - 1, Math.floor(((middle(t, axis) - start) / size) * BINS))
    const border = bestBorder(order, from, to, bin, low, high)
    let [left, right] = [from, to - 1]
    while (left <= right) {
      if (bin(whole(order, left)) < border) left++
      else {
        const other = whole(order, right)
        order[right--] = whole(order, left)
        order[left] = other
      }
    }
    if (left === from || left === to) return
    links[node * 2 + 1] = 0
    split(from, left)
    links[node * 2] = links.length / 2
    split(left, to)
  }
  split(0, count)
  return { bounds: Float32Array.from(bounds), links: Int32Array.from(links) }
}

/** The bin border whose two halves have the smallest sum of area times triangles. */
function bestBorder(
  order: Int32Array,
  from: number,
  to: number,
  bin: (t: number) => number,
  low: Float32Array,
  high: Float32Array,
): number {
  const counts = new Float32Array(BINS)
  const boxes = Array.from({ length: BINS }, () => [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity])
  for (let k = from; k < to; k++) {
    const t = whole(order, k)
    const b = bin(t)
    counts[b] = at(counts, b) + 1
    const box = boxes[b]
    if (box) grow(box, low, high, t)
  }
  const sweep = (indices: number[]) => {
    const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]
    let sum = 0
    return indices.map((index) => {
      const other = boxes[index] ?? box
      for (let axis = 0; axis < 3; axis++) {
        box[axis] = Math.min(box[axis] ?? 0, other[axis] ?? 0)
        box[axis + 3] = Math.max(box[axis + 3] ?? 0, other[axis + 3] ?? 0)
      }
      sum += at(counts, index)
      const [x, y, z] = [0, 1, 2].map((axis) => (box[axis + 3] ?? 0) - (box[axis] ?? 0)) as [number, number, number]
      return sum === 0 ? 0 : (x * y + y * z + z * x) * sum
    })
  }
  const all = [...Array(BINS).keys()]
  const left = sweep(all)
  const right = sweep(all.toReversed()).toReversed()
  let best = 1
  for (let border = 1; border < BINS; border++) {
    const cost = (left[border - 1] ?? 0) + (right[border] ?? 0)
    if (cost < (left[best - 1] ?? 0) + (right[best] ?? 0)) best = border
  }
  return best
}

function grow(box: number[], low: Float32Array, high: Float32Array, t: number) {
  for (let axis = 0; axis < 3; axis++) {
    box[axis] = Math.min(box[axis] ?? 0, at(low, t * 3 + axis))
    box[axis + 3] = Math.max(box[axis + 3] ?? 0, at(high, t * 3 + axis))
  }
}
