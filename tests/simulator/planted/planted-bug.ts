/** A mistake that somebody could make, as a change of one place in one file of the sources. */
export type PlantedBug = {
  readonly name: string
  /** Its path from the root. */
  readonly file: string
  /** Stands exactly once in the file. */
  readonly find: string
  readonly replace: string
  /** What goes wrong, and for whom. */
  readonly harm: string
  /** Met within some thirty purchases: it may be looked for at every change. */
  readonly isSoonFound?: true
}

/** The text with the mistake in it. @throws when the place is not there, or not the only one */
export function planted({ name, file, find, replace }: PlantedBug, text: string): string {
  const places = text.split(find).length - 1
  if (places !== 1) throw new Error(`the bug "${name}" fits ${places} places of ${file}, not one`)
  return text.replace(find, () => replace)
}
