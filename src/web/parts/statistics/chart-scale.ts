/** The numbers on the axis of a chart: round ones, from zero to the first above all values. */
export type ChartScale = { readonly top: number; readonly ticks: readonly number[] }

/**
 * Returns steps of 1, 2 or 5 times a power of ten, as few as `lines` allows. Values are whole numbers, so no step is
 * below one, and an empty chart still has a height.
 */
export function chartScale(highest: number, lines = 4): ChartScale {
  const wanted = Math.max(1, highest) / lines
  const power = 10 ** Math.floor(Math.log10(wanted))
  const step = Math.max(1, ([1, 2, 5, 10].find((factor) => factor * power >= wanted - 1e-9) ?? 10) * power)
  const count = Math.max(1, Math.ceil(highest / step - 1e-9))
  return { top: count * step, ticks: Array.from({ length: count + 1 }, (_, place) => Math.round(place * step)) }
}

/**
 * Returns the positions of labels under a chart: as many as fit, at equal distances, including the last.
 * @param most the maximum number of labels in a row
 */
export function labelledPlaces(count: number, most: number): readonly number[] {
  if (count <= 0) return []
  const apart = Math.max(1, Math.ceil((count - 1) / Math.max(1, most - 1)))
  const places: number[] = []
  for (let place = count - 1; place >= 0; place -= apart) places.unshift(place)
  return places
}

/** Returns every second label position, including the last: those that fit into a narrow window. */
export function everySecond(places: readonly number[]): readonly number[] {
  return places.filter((_, at) => (places.length - 1 - at) % 2 === 0)
}

/** Returns a share in percent with one decimal, in the format of SVG attributes. */
export function percentOf(part: number, whole: number): number {
  return whole > 0 ? Math.round((part / whole) * 1000) / 10 : 0
}
