/** A triangle mesh. Lengths are centimetres, z points up, the camera looks along +y. Normals point out of the material. */
export type Mesh = {
  positions: Float32Array
  normals: Float32Array
  uvs: Float32Array
  triangles: Int32Array
}

export type Point = readonly [x: number, y: number, z: number]

/**
 * Reads one element. Two functions, one for each kind of array, because a function that meets several kinds is compiled
 * to a slow general look-up, and these run some hundred million times a picture.
 */
export function at(list: Float32Array, index: number): number {
  // Callers compute the index from the array's own length, so the element is there.
  return list[index] as number
}

export function whole(list: Int32Array, index: number): number {
  // As in `at`.
  return list[index] as number
}

/**
 * A mesh over a grid: `place` maps u and v in 0..1 to a point, normals follow dP/du × dP/dv.
 * `closed`: u = 0 and u = 1 are the same seam, so normals run across it.
 */
export function surface(
  columns: number,
  rows: number,
  place: (u: number, v: number) => Point,
  { closed = false, closedRows = false } = {},
): Mesh {
  const width = columns + 1
  const count = width * (rows + 1)
  const positions = new Float32Array(count * 3)
  const uvs = new Float32Array(count * 2)
  for (let j = 0; j <= rows; j++) {
    for (let i = 0; i <= columns; i++) {
      const vertex = j * width + i
      positions.set(place(i / columns, j / rows), vertex * 3)
      uvs[vertex * 2] = i / columns
      uvs[vertex * 2 + 1] = j / rows
    }
  }
  const triangles = new Int32Array(columns * rows * 6)
  let next = 0
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      const a = j * width + i
      triangles.set([a, a + 1, a + width + 1, a, a + width + 1, a + width], next)
      next += 6
    }
  }
  return { positions, uvs, triangles, normals: gridNormals(positions, columns, rows, closed, closedRows) }
}

function gridNormals(positions: Float32Array, columns: number, rows: number, closed: boolean, closedRows: boolean) {
  const width = columns + 1
  const normals = new Float32Array(positions.length)
  const coordinate = (i: number, j: number, axis: number) => at(positions, (j * width + i) * 3 + axis)
  for (let j = 0; j <= rows; j++) {
    const below = j > 0 ? j - 1 : closedRows ? rows - 1 : 0
    const above = j < rows ? j + 1 : closedRows ? 1 : rows
    for (let i = 0; i <= columns; i++) {
      const left = i > 0 ? i - 1 : closed ? columns - 1 : 0
      const right = i < columns ? i + 1 : closed ? 1 : columns
      const ux = coordinate(right, j, 0) - coordinate(left, j, 0)
      const uy = coordinate(right, j, 1) - coordinate(left, j, 1)
      const uz = coordinate(right, j, 2) - coordinate(left, j, 2)
      const vx = coordinate(i, above, 0) - coordinate(i, below, 0)
      const vy = coordinate(i, above, 1) - coordinate(i, below, 1)
      const vz = coordinate(i, above, 2) - coordinate(i, below, 2)
      const x = uy * vz - uz * vy
      const y = uz * vx - ux * vz
      const z = ux * vy - uy * vx
      const length = Math.hypot(x, y, z)
      if (length > 1e-12) normals.set([x / length, y / length, z / length], (j * width + i) * 3)
    }
  }
  fillPoles(normals, columns, rows)
  return normals
}

/** Where a row shrinks to a point the cross product is nothing: take the mean normal of the row beside it. */
function fillPoles(normals: Float32Array, columns: number, rows: number) {
  const width = columns + 1
  for (const [row, beside] of [
    [0, 1],
    [rows, rows - 1],
  ] as const) {
    const mean = [0, 1, 2].map((axis) => {
      let sum = 0
      for (let i = 0; i < columns; i++) sum += at(normals, (beside * width + i) * 3 + axis)
      return sum
    })
    const length = Math.hypot(...mean) || 1
    for (let i = 0; i <= columns; i++) {
      const k = (row * width + i) * 3
      if (Math.hypot(at(normals, k), at(normals, k + 1), at(normals, k + 2)) > 0.5) continue
      normals.set(
        mean.map((part) => part / length),
        k,
      )
    }
  }
}

export function join(...meshes: readonly Mesh[]): Mesh {
  const triangles: Int32Array[] = []
  let vertices = 0
  for (const mesh of meshes) {
    triangles.push(mesh.triangles.map((index) => index + vertices))
    vertices += mesh.positions.length / 3
  }
  const floats = (pick: (mesh: Mesh) => Float32Array) => {
    const all = new Float32Array(meshes.reduce((sum, mesh) => sum + pick(mesh).length, 0))
    let offset = 0
    for (const mesh of meshes) {
      all.set(pick(mesh), offset)
      offset += pick(mesh).length
    }
    return all
  }
  const indices = new Int32Array(triangles.reduce((sum, list) => sum + list.length, 0))
  let offset = 0
  for (const list of triangles) {
    indices.set(list, offset)
    offset += list.length
  }
  return {
    positions: floats((mesh) => mesh.positions),
    normals: floats((mesh) => mesh.normals),
    uvs: floats((mesh) => mesh.uvs),
    triangles: indices,
  }
}

export function move(mesh: Mesh, x: number, y: number, z: number): Mesh {
  const by = [x, y, z]
  return { ...mesh, positions: mesh.positions.map((value, index) => value + (by[index % 3] ?? 0)) }
}

export function grow(mesh: Mesh, factor: number): Mesh {
  return { ...mesh, positions: mesh.positions.map((value) => value * factor) }
}

/** Turns a mesh about an axis through the origin, counter-clockwise seen from the axis' tip. */
export function turn(mesh: Mesh, axis: 'x' | 'y' | 'z', degrees: number): Mesh {
  const [a, b] = { x: [1, 2], y: [2, 0], z: [0, 1] }[axis] as [number, number]
  const cos = Math.cos((degrees * Math.PI) / 180)
  const sin = Math.sin((degrees * Math.PI) / 180)
  const rotated = (source: Float32Array) => {
    const result = source.slice()
    for (let k = 0; k < source.length; k += 3) {
      result[k + a] = at(source, k + a) * cos - at(source, k + b) * sin
      result[k + b] = at(source, k + a) * sin + at(source, k + b) * cos
    }
    return result
  }
  return { ...mesh, positions: rotated(mesh.positions), normals: rotated(mesh.normals) }
}

/** Moves every point by a function of where it is; normals are worked out anew per triangle and averaged. */
export function bend(mesh: Mesh, place: (x: number, y: number, z: number) => Point): Mesh {
  const positions = mesh.positions.slice()
  for (let k = 0; k < positions.length; k += 3) {
    positions.set(place(at(positions, k), at(positions, k + 1), at(positions, k + 2)), k)
  }
  const normals = new Float32Array(positions.length)
  const corner = (index: number, axis: number) => at(positions, whole(mesh.triangles, index) * 3 + axis)
  for (let t = 0; t < mesh.triangles.length; t += 3) {
    const ax = corner(t + 1, 0) - corner(t, 0)
    const ay = corner(t + 1, 1) - corner(t, 1)
    const az = corner(t + 1, 2) - corner(t, 2)
    const bx = corner(t + 2, 0) - corner(t, 0)
    const by = corner(t + 2, 1) - corner(t, 1)
    const bz = corner(t + 2, 2) - corner(t, 2)
    const face = [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]
    for (let c = 0; c < 3; c++) {
      const k = whole(mesh.triangles, t + c) * 3
      for (let axis = 0; axis < 3; axis++) normals[k + axis] = at(normals, k + axis) + (face[axis] ?? 0)
    }
  }
  for (let k = 0; k < normals.length; k += 3) {
    const length = Math.hypot(at(normals, k), at(normals, k + 1), at(normals, k + 2))
    if (length < 1e-12) normals.set(mesh.normals.subarray(k, k + 3), k)
    else for (let axis = 0; axis < 3; axis++) normals[k + axis] = at(normals, k + axis) / length
  }
  return { ...mesh, positions, normals }
}
