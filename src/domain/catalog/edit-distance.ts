/**
 * Returns the number of letters to insert, delete, replace or swap with their neighbour to turn one word into the
 * other.
 * @returns the distance, or `most + 1` for everything above `most`
 */
export function editDistance(from: string, to: string, most: number): number {
  if (Math.abs(from.length - to.length) > most) return most + 1
  let before: number[] = []
  let above = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row]
    let least = row
    for (let at = 1; at <= to.length; at += 1) {
      const same = from[row - 1] === to[at - 1]
      let cost = Math.min((above[at] ?? 0) + 1, (current[at - 1] ?? 0) + 1, (above[at - 1] ?? 0) + (same ? 0 : 1))
      const swapped = row > 1 && at > 1 && from[row - 1] === to[at - 2] && from[row - 2] === to[at - 1]
      if (swapped) cost = Math.min(cost, (before[at - 2] ?? 0) + 1)
      current.push(cost)
      least = Math.min(least, cost)
    }
    if (least > most) return most + 1
    before = above
    above = current
  }
  return Math.min(above[to.length] ?? 0, most + 1)
}
