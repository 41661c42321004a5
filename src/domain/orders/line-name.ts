type NamedLine = {
  readonly name: string
  /** Chosen options of the product. */
  readonly choices: readonly { readonly value: string }[]
}

/**
 * Returns the name of a cart or order line: product and choices, which distinguish lines of one product:
 * "Harbor Mug – Oat, Large". Every place that names a line in one text uses it.
 * @param longest in code points; the product's name is shortened first, because the choices distinguish the lines
 */
export function lineName({ name, choices }: NamedLine, longest = Number.POSITIVE_INFINITY): string {
  if (choices.length === 0) return shortened(name, longest)
  const chosen = ` – ${choices.map(({ value }) => value).join(', ')}`
  const room = longest - [...chosen].length
  return room < minNameLength ? shortened(name + chosen, longest) : shortened(name, room) + chosen
}

/** Minimum length of a shortened product name. */
const minNameLength = 20

/** Shortens by code points: a cut inside a surrogate pair would leave half a character. */
function shortened(text: string, longest: number): string {
  const points = [...text]
  return points.length <= longest
    ? text
    : `${points
        .slice(0, longest - 1)
        .join('')
        .trimEnd()}…`
}
