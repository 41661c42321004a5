/** A repeatable random number in 0..1 for up to three whole numbers. */
export function hash(x: number, y = 0, z = 0): number {
  let h = Math.imul(x | 0, 0x27d4eb2d) ^ Math.imul(y | 0, 0x165667b1) ^ Math.imul(z | 0, 0x9e3779b1)
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296
}

const ease = (t: number) => t * t * (3 - 2 * t)

/** Smooth noise in 0..1 whose features are about 1 wide. */
export function noise(x: number, y = 0, z = 0): number {
  const [i, j, k] = [Math.floor(x), Math.floor(y), Math.floor(z)]
  const [u, v, w] = [ease(x - i), ease(y - j), ease(z - k)]
  const along = (b: number, c: number) => {
    const start = hash(i, b, c)
    return start + (hash(i + 1, b, c) - start) * u
  }
  const low = along(j, k) + (along(j + 1, k) - along(j, k)) * v
  const high = along(j, k + 1) + (along(j + 1, k + 1) - along(j, k + 1)) * v
  return low + (high - low) * w
}

/** Several layers of noise, each half as strong and twice as fine; about 0..1. */
export function clouds(x: number, y = 0, z = 0, layers = 4): number {
  let [sum, weight, size] = [0, 0.5, 1]
  for (let layer = 0; layer < layers; layer++) {
    sum += noise(x * size + layer * 17, y * size, z * size) * weight
    weight /= 2
    size *= 2.03
  }
  return sum / (1 - 0.5 ** layers)
}

export function smoothstep(from: number, to: number, value: number): number {
  const t = Math.min(1, Math.max(0, (value - from) / (to - from)))
  return t * t * (3 - 2 * t)
}

/** Small round spots: 1 inside a spot, 0 outside. `density` is the share of cells of size 1 that hold one. */
export function specks(x: number, y: number, z: number, density: number): number {
  const [i, j, k] = [Math.floor(x), Math.floor(y), Math.floor(z)]
  const chance = hash(i, j, k)
  if (chance > density) return 0
  const radius = 0.12 + 0.3 * hash(i, j, k + 91)
  const away = Math.hypot(
    x - i - 0.35 - 0.3 * hash(i + 7, j, k),
    y - j - 0.35 - 0.3 * hash(i, j + 7, k),
    z - k - 0.35 - 0.3 * hash(i, j, k + 7),
  )
  return 1 - smoothstep(radius * 0.7, radius, away)
}

/** A repeatable row of random numbers, for arranging things. */
export function sequence(seed: number): () => number {
  let step = 0
  return () => hash(seed, ++step, 31)
}
