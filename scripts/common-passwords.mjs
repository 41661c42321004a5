// Writes the list of common passwords from its source. Run it with the path of `src/passwords.json` of another version of
// `@zxcvbn-ts/language-common`, unpacked: `npm pack @zxcvbn-ts/language-common` fetches it.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [source] = process.argv.slice(2)
if (!source) throw new Error('node scripts/common-passwords.mjs <path of passwords.json>')

const shortest = 8
const wordsInLine = 64
const words = JSON.parse(readFileSync(source, 'utf8')).filter((word) => [...word].length >= shortest)
const unfit = words.filter((word) => /[\s\\`]|\$\{/.test(word) || word !== word.normalize('NFC').toLowerCase())
if (unfit.length > 0) throw new Error(`cannot be written down as they are: ${unfit.slice(0, 5).join(' ')}`)

const lines = Array.from({ length: Math.ceil(words.length / wordsInLine) }, (_, line) =>
  words.slice(line * wordsInLine, (line + 1) * wordsInLine).join(' '),
)
const file = join(import.meta.dirname, '../src/shop/customers/credentials/common-passwords.ts')
// The permission of those whose words they are goes wherever the words go.
const [permission] = /^\/\*.*?\*\//s.exec(readFileSync(file, 'utf8')) ?? []
if (!permission) throw new Error(`${file} does not begin with the permission`)
writeFileSync(
  file,
  `${permission}

/** The commonest first, in lower case, with a blank or the end of a line around each; none is shorter than eight characters. */
export const commonPasswords = \`
${lines.join('\n')}
\`
`,
)
console.log(`wrote ${words.length} passwords`)
