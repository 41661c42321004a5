type NamedLine = {
  readonly name: string
  /** What was chosen of the product. */
  readonly choices: readonly { readonly value: string }[]
}

/**
 * Names a line of a cart or an order by its product and its choices, by which two lines of one product are told apart:
 * "Harbor Mug – Oat, Large". Every place that names a line in one text uses it.
 * @param longest in code points; the product's name is shortened first, because the choices tell the lines apart
 */
export function lineName({ name, choices }: NamedLine, longest = Number.POSITIVE_INFINITY): string {
  if (choices.length === 0) return shortened(name, longest)
  const chosen = ` – ${choices.map(({ value }) => value).join(', ')}`
  const room = longest - [...chosen].length
  return room < leastOfName ? shortened(name + chosen, longest) : shortened(name, room) + chosen
}

/** Fewer letters than these name no product. */
const leastOfName = 20

/** By code points: a cut between the halves of a pair would leave half a character. */
function shortened(text: string, longest: number): string {
  const points = [...text]
  return points.length <= longest
    ? text
    : `${points
        .slice(0, longest - 1)
        .join('')
        .trimEnd()}…`
}
