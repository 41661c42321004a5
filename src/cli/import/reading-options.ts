import { separatorWords } from '#shop/import/column-map.ts'
import type { FileReading } from '#shop/import/product-file.ts'
import { knownEncoding } from '#shop/import/text-encoding.ts'
import { type Given, type Options, textGiven } from '../shared/command-group.ts'

/** Options of every command that reads a CSV file of other programs. */
export const readingOptions = {
  separator: { type: 'string', value: '<character>', what: 'between cells: tab, semicolon, pipe …; guessed' },
  delimiter: { type: 'string', value: '<character>', what: 'the same as --separator' },
  encoding: { type: 'string', value: '<name>', what: 'utf-8, utf-16, windows-1252 …; guessed' },
} as const satisfies Options

/** Parses the options about encoding and separator, which all imports of CSV files share. */
export function readingGiven(given: Given): Pick<FileReading, 'encoding' | 'separator'> | { readonly problem: string } {
  const name = given.separator === undefined ? '--delimiter' : '--separator'
  const typed = textGiven(given.separator) ?? textGiven(given.delimiter)
  const separator = typed === undefined ? undefined : (separatorWords[typed] ?? typed)
  if (separator !== undefined && separator.length !== 1)
    return { problem: `${name} "${typed}" is not one character. Choose tab, comma, semicolon, pipe or one character.` }
  const encoding = textGiven(given.encoding)
  if (encoding === undefined) return { separator }
  const known = knownEncoding(encoding)
  return known === null
    ? {
        problem: `--encoding "${encoding}" is unknown. Choose utf-8, utf-16, windows-1252 or another name of the Encoding Standard.`,
      }
    : { separator, encoding: known }
}
