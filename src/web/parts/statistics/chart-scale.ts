/** The numbers along the side of a chart: round ones, from nought to the first that nothing is above. */
export type ChartScale = { readonly top: number; readonly ticks: readonly number[] }

/**
 * Steps of 1, 2 or 5 times a power of ten, as few as `lines` allows. What is counted comes in whole ones, so no step is
 * smaller, and an empty chart still has a height.
 */
export function chartScale(highest: number, lines = 4): ChartScale {
  const wanted = Math.max(1, highest) / lines
  const power = 10 ** Math.floor(Math.log10(wanted))
  const step = Math.max(1, ([1, 2, 5, 10].find((factor) => factor * power >= wanted - 1e-9) ?? 10) * power)
  const count = Math.max(1, Math.ceil(highest / step - 1e-9))
  return { top: count * step, ticks: Array.from({ length: count + 1 }, (_, place) => Math.round(place * step)) }
}

/**
 * Where the words under a chart stand: as many as fit, evenly apart, the last of all among them.
 * @param most how many have room beside each other
 */
export function labelledPlaces(count: number, most: number): readonly number[] {
  if (count <= 0) return []
  const apart = Math.max(1, Math.ceil((count - 1) / Math.max(1, most - 1)))
  const places: number[] = []
  for (let place = count - 1; place >= 0; place -= apart) places.unshift(place)
  return places
}

/** Every second of the places that are labelled, the last of them too: those that have room in a narrow window. */
export function everySecond(places: readonly number[]): readonly number[] {
  return places.filter((_, at) => (places.length - 1 - at) % 2 === 0)
}

/** A share of a whole in percent with one digit after the point, as attributes of a drawing have it. */
export function percentOf(part: number, whole: number): number {
  return whole > 0 ? Math.round((part / whole) * 1000) / 10 : 0
}
