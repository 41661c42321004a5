import type { RowAttribute } from '#contract/import/product-csv-lists.ts'

/** An attribute of a variable product: its values by their names in lower case. */
export type ParentAttribute = { readonly slug: string; readonly values: ReadonlyMap<string, string> }

export type ChosenValue = { readonly slug: string; readonly value: string }
export type ChoiceFault = { readonly attribute: string; readonly value: string; readonly problem: string }

const bare = (slug: string) => slug.replace(/^pa_/, '')

/** Returns the fixed values of a variation's row, by the values of its parent. An empty cell means any value. */
export function chosenValues(
  parent: readonly ParentAttribute[],
  chosen: readonly RowAttribute[],
): { values: ChosenValue[]; faults: ChoiceFault[] } {
  const values: ChosenValue[] = []
  const faults: ChoiceFault[] = []
  for (const { name, slug, values: given } of chosen) {
    const fault = (problem: string) => faults.push({ attribute: name, value: given.join(', '), problem })
    const attribute = parent.find((has) => has.slug === slug) ?? parent.find((has) => bare(has.slug) === bare(slug))
    const wanted = given[0] ?? ''
    const value = wanted === '' ? '' : attribute?.values.get(wanted.toLowerCase())
    if (given.length > 1) fault('a variation has one value; write \\, for a comma inside it')
    else if (!attribute) fault('the parent has no such attribute')
    else if (value === undefined) fault('is not among the values of the parent')
    else values.push({ slug: attribute.slug, value })
  }
  return { values, faults }
}

/** Returns the attributes of a variable product from its own row. */
export function attributesOfRow(attributes: readonly RowAttribute[]): ParentAttribute[] {
  return attributes.map(({ slug, values }) => ({
    slug,
    values: new Map(values.map((value) => [value.toLowerCase(), value])),
  }))
}
