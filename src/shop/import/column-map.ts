import { readFile, writeFile } from 'node:fs/promises'
import { parse, stringify } from 'yaml'
import { z } from 'zod'
import { readTitle } from '#contract/import/formats/read-title.ts'
import type { ColumnMap } from '#contract/import/formats/recognise-format.ts'
import { productCsvColumns } from '#contract/import/product-csv-columns.ts'
import { type RuleFault, schemaFaults } from '#contract/shared/merchant-rules.ts'
import { nearest } from '#contract/shared/suggest-word.ts'
import { currencyExponent } from '#domain/money/currency-exponent.ts'
import { fileTrouble } from '../shared/file-trouble.ts'
import type { ImportTools } from './import-tools.ts'
import type { FileReading } from './product-file.ts'
import { openProductFile } from './product-file.ts'
import { knownEncoding } from './text-encoding.ts'

const mapFile = z.strictObject({
  encoding: z
    .string()
    .refine((name) => knownEncoding(name) !== null, 'is an unknown encoding; write utf-8 or windows-1252')
    .optional(),
  separator: z.union([z.enum(['comma', 'semicolon', 'tab', 'pipe']), z.string().length(1)]).optional(),
  decimal: z.enum(['point', 'comma']).optional(),
  columns: z.record(z.string(), z.union([z.string(), z.null()])),
})

export const separatorWords: Readonly<Record<string, string>> = { tab: '\t', comma: ',', semicolon: ';', pipe: '|' }

/** Columns whose titles carry a number, a name or a unit. */
const openTitle = /^(?:(?:Weight|Length|Width|Height) \(\w+\)|Attribute: .+|Attribute \d+ .+|Download \d+ .+|Meta: .+)$/

/** Reads a mapping of columns. @returns how to read the product file, or what is wrong with the mapping */
export async function readColumnMap(
  file: string,
): Promise<
  { readonly ok: true; readonly reading: FileReading } | { readonly ok: false; readonly faults: readonly RuleFault[] }
> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => ({ problem: fileTrouble(error) }))
  if (typeof text !== 'string') return { ok: false, faults: [{ key: '', problem: text.problem }] }
  let written: unknown
  try {
    written = parse(text)
  } catch (error) {
    return { ok: false, faults: [{ key: '', problem: error instanceof Error ? error.message : String(error) }] }
  }
  const parsed = mapFile.safeParse(written)
  if (!parsed.success) return { ok: false, faults: schemaFaults(parsed.error) }
  const { encoding, separator, decimal, columns } = parsed.data
  const faults = Object.entries(columns).flatMap(([title, target]) => columnFault(title, target))
  if (faults.length > 0) return { ok: false, faults }
  const map: ColumnMap = Object.fromEntries(
    Object.entries(columns).map(([title, target]) => [title, target === null ? null : (canonical(target) ?? target)]),
  )
  return {
    ok: true,
    reading: {
      encoding: encoding === undefined ? undefined : (knownEncoding(encoding) ?? undefined),
      separator: separator === undefined ? undefined : (separatorWords[separator] ?? separator),
      decimal,
      map,
    },
  }
}

function canonical(target: string): string | null {
  return openTitle.test(target) ? target : readTitle(target)
}

function columnFault(title: string, target: string | null): RuleFault[] {
  if (target === null || canonical(target) !== null) return []
  const near = nearest(target, Object.keys(productCsvColumns))
  const hint = near === null ? '' : `; did you mean "${near}"?`
  return [{ key: `columns.${title}`, problem: `"${target}" is no column of a product file${hint}` }]
}

/**
 * Writes a mapping with all columns of a product file: the known ones, a guess for titles that nearly are, and null for the
 * others.
 * @returns the number of columns, and of those without a meaning
 * @throws ProductFileError when the file cannot be read
 */
export async function writeColumnMap(
  { settings: { currency } }: Pick<ImportTools, 'settings'>,
  file: string,
  stated: FileReading,
  target: string,
): Promise<{ readonly columns: number; readonly unknown: number; readonly format: string }> {
  const source = await openProductFile(file, stated, { decimals: currencyExponent(currency), currency })
  const titles = source.titles.cells.map((cell) => cell.trim()).filter((title) => title !== '')
  const columns = Object.fromEntries(
    titles.map((title) => [
      title,
      stated.map?.[title] ?? readTitle(title) ?? nearest(title, Object.keys(productCsvColumns)),
    ]),
  )
  const word = Object.entries(separatorWords).find(([, mark]) => mark === source.table.separator)?.[0]
  const written = {
    encoding: source.table.encoding,
    separator: word ?? source.table.separator,
    ...(source.mark === null ? {} : { decimal: source.mark }),
    columns,
  }
  await writeFile(target, `${head}${stringify(written, { lineWidth: 0 })}`, { flag: 'wx' })
  const unknown = Object.values(columns).filter((column) => column === null).length
  return { columns: titles.length, unknown, format: source.format.name }
}

const head = `# The meaning of each column of a product file. Left: the title in the file. Right: a column of a product file in
# English, such as Name, SKU, Regular price, Stock, Images, Weight (kg), Meta: note, or "Attribute: Colour" for an attribute
# of this name. null leaves the column out.
`
