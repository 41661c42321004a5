import { parseArgs } from 'node:util'
import { listOf } from '#contract/import/product-csv-cells.ts'
import type { Given, Option, Syntax } from './command-syntax.ts'
import { didYouMean } from './messages.ts'

export type ParsedArguments = { readonly words: string[]; readonly given: Given }

/** Parses the words and options of a command. @returns a text where they do not fit its syntax */
export function parseArguments(name: string, syntax: Syntax, args: readonly string[]): ParsedArguments | string {
  const joined = joinNegativeValues(args, syntax)
  const { tokens } = parseArgs({
    args: joined,
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: Object.fromEntries(Object.entries(syntax.options).map(([option, { type }]) => [option, { type }])),
  })
  const words: string[] = []
  let negativeAt = -1
  const given: Record<string, string | boolean | string[]> = {}
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    const arg = joined[token.index] ?? ''
    if (/^-\d/.test(arg)) {
      // A negative number is a word. The parser makes an option of each of its digits.
      if (token.index !== negativeAt) words.push(arg)
      negativeAt = token.index
      continue
    }
    const option = Object.hasOwn(syntax.options, token.name) ? syntax.options[token.name] : undefined
    if (!option || !token.rawName.startsWith('--')) return unknownOption(name, syntax, token.rawName)
    const problem = valueProblem(token.rawName, option, token.value)
    if (problem) return problem
    const before = given[token.name]
    const value = token.value ?? true
    given[token.name] = option.multiple ? [...(Array.isArray(before) ? before : []), String(value)] : value
  }
  const [least, most] = syntax.words
  if (words.length < least) return `"${name}" needs ${placeholders(syntax, words.length)}. ${exampleText(name, syntax)}`
  if (words.length > most) return unexpectedArgument(name, syntax, words[most] ?? '')
  return { words, given }
}

function unknownOption(name: string, { options }: Syntax, typed: string): string {
  const hint = didYouMean(typed.replace(/^--?/, ''), Object.keys(options), '--')
  return `unknown option "${typed}". Options are listed by: npm run shop -- help ${name}${hint}`
}

/** Names the option where its dashes may be missing: `orders list json`. */
function unexpectedArgument(name: string, syntax: Syntax, word: string): string {
  const hint = word.length > 2 ? didYouMean(word, Object.keys(syntax.options), '--') : ''
  return `unexpected argument "${word}". Put text with spaces in quotation marks. ${exampleText(name, syntax)}${hint}`
}

function valueProblem(typed: string, { type, value = '<value>' }: Option, given: string | undefined): string | null {
  if (type === 'string') return given === undefined ? `option "${typed}" needs a value: ${typed} ${value}` : null
  return given === undefined ? null : `option "${typed}" takes no value, but "${given}" was given.`
}

const exampleText = (name: string, { example }: Syntax) => `Example: ${`${name} ${example}`.trim()}`

/** The arguments that are missing, as the usage names them: `<number> <text>`. */
function placeholders({ usage }: Syntax, count: number): string {
  const names = usage.match(/<[^>]+>/g) ?? []
  return names.slice(count).find(Boolean) ?? 'an argument'
}

/** `--cost -1` as `--cost=-1`: the command itself judges the value. */
function joinNegativeValues(args: readonly string[], { options }: Syntax): string[] {
  const result: string[] = []
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? ''
    const next = args[at + 1]
    const takesValue = arg.startsWith('--') && options[arg.slice(2)]?.type === 'string'
    if (takesValue && next !== undefined && /^-(?!-)/.test(next)) {
      result.push(`${arg}=${next}`)
      at += 1
    } else result.push(arg)
  }
  return result
}

/** The values of an option that may be given several times. `''` alone empties the list. */
export function listGiven(value: Given[string]): string[] | undefined {
  return Array.isArray(value) ? value.flatMap((part: string) => listOf(part)) : undefined
}

export function textGiven(value: Given[string]): string | undefined {
  return typeof value === 'string' ? value : undefined
}
