import { booleanIn, listOf, slugOf, withoutEntities } from './product-csv-cells.ts'
import type { CsvColumn, ProductCsvLayout } from './product-csv-columns.ts'

/** An attribute of the row. `slug` has the prefix pa_ for a shop-wide attribute. */
export type RowAttribute = {
  readonly name: string
  readonly slug: string
  readonly values: readonly string[]
  readonly visible: boolean
  readonly global: boolean
  readonly preset: string
}

/** A downloadable file of the product; `column` is its column in the row. */
export type RowDownload = {
  readonly id: string
  readonly name: string
  readonly url: string
  readonly column: string
}

export function isWebAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:')
}

export function attributesOf(
  layout: ProductCsvLayout,
  cellAt: (column: CsvColumn) => string,
  refuse: (column: CsvColumn, problem: string) => void,
  slugOfName: (name: string) => string = slugOf,
): RowAttribute[] {
  const attributes: RowAttribute[] = []
  const taken = new Set<string>()
  for (const columns of layout.attributes) {
    const flag = (column: CsvColumn | undefined, otherwise: boolean) => {
      const cell = column ? cellAt(column) : ''
      if (!column || cell === '') return otherwise
      const result = booleanIn(cell)
      if ('value' in result) return result.value
      refuse(column, result.problem)
      return otherwise
    }
    const name = columns.name ? withoutEntities(cellAt(columns.name)) : ''
    if (!columns.name || name === '') continue
    const global = flag(columns.global, false)
    const bare = slugOfName(name).slice(0, 100)
    const slug = global ? `pa_${bare}` : bare
    const values = columns.values ? [...new Set(listOf(cellAt(columns.values)).map(withoutEntities))] : []
    if (bare === '') refuse(columns.name, 'must hold a letter or a digit')
    else if (taken.has(slug)) refuse(columns.name, 'is given twice in this row')
    else if (columns.values && values.some((value) => value.length > 200))
      refuse(columns.values, 'has a value longer than 200 characters')
    taken.add(slug)
    const preset = columns.preset ? withoutEntities(cellAt(columns.preset)) : ''
    const chosen = values.find((value) => value.toLowerCase() === preset.toLowerCase())
    if (columns.preset && preset !== '' && chosen === undefined) refuse(columns.preset, 'is not among the values')
    attributes.push({ name, slug, values, visible: flag(columns.visible, true), global, preset: chosen ?? '' })
  }
  return attributes
}

export function downloadsOf(
  layout: ProductCsvLayout,
  cellAt: (column: CsvColumn) => string,
  refuse: (column: CsvColumn, problem: string) => void,
): RowDownload[] {
  return layout.downloads.flatMap(({ id, name, url }) => {
    const address = url ? cellAt(url) : ''
    if (!url || address === '') return []
    if (/^[a-z][a-z0-9+.-]*:/i.test(address) && !isWebAddress(address)) refuse(url, 'must be a web address or a path')
    return [{ id: id ? cellAt(id) : '', name: name ? cellAt(name) : '', url: address, column: url.name }]
  })
}
