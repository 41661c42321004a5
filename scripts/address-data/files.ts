const made = '// Made by scripts/generate-address-data.mjs.\n// biome-ignore-all format: one country a line'

/** The data files by path, in the order in which they follow from each other: what makes a later one reads the earlier. */
export const dataFiles: readonly { readonly path: string; readonly content: () => Promise<string> }[] = [
  {
    path: 'src/domain/addresses/data/state-lists.ts',
    content: async () =>
      file(
        'Country → `code=name` of its states in display order.',
        'stateLists',
        (await import('./state-lists.ts')).stateLists(),
      ),
  },
  {
    path: 'src/domain/addresses/data/state-aliases.ts',
    content: async () =>
      file(
        'Country → `other name=code`: names of its states in standards, neighbouring countries and wallets.',
        'stateAliases',
        (await import('./state-aliases.ts')).stateAliases(),
      ),
  },
  {
    path: 'src/domain/addresses/data/address-formats.ts',
    content: async () => {
      const { usual, others } = (await import('./address-formats.ts')).addressFormats()
      return [
        made,
        '',
        '/** The address format without a specific one. */',
        `export const usualFormat = ${quoted(usual)}`,
        '',
        '/** Format → its countries. */',
        'export const formatsByCountries: readonly (readonly [format: string, countries: string])[] = [',
        ...others.map(([format, countries]) => `  [${quoted(format)}, ${quoted(countries)}],`),
        ']',
        '',
      ].join('\n')
    },
  },
]

function file(about: string, name: string, data: Readonly<Record<string, string>>): string {
  return [
    made,
    '',
    `/** ${about} */`,
    `export const ${name}: Readonly<Record<string, string>> = {`,
    ...Object.entries(data).map(([country, text]) => `  ${country}: ${quoted(text)},`),
    '}',
    '',
  ].join('\n')
}

/** A literal in single quotes; the data has none of its own. */
function quoted(text: string): string {
  if (/['\\]/.test(text)) throw new Error(`cannot quote ${text}`)
  return `'${text.replaceAll('\n', '\\n')}'`
}
