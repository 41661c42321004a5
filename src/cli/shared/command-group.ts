import { parseArgs } from 'node:util'
import { listOf } from '#contract/import/product-csv-cells.ts'
import type { RuleFault } from '#contract/shared/merchant-rules.ts'
import { hint } from '#contract/shared/suggest-word.ts'
import type { Completion } from '../completion/completion-values.ts'
import type { Command, CommandContext } from './command.ts'
import { type CommandName, summaries } from './summaries.ts'
import { tableLines } from './table.ts'

/** An option of a command: `--minimum <amount>`. */
export type Option = {
  readonly type: 'string' | 'boolean'
  /** What stands after it: `<amount>`. */
  readonly value?: string
  readonly what: string
  /** May be given several times; each may also hold several, separated by commas. */
  readonly multiple?: true
  /** What a shell can complete after it. */
  readonly completes?: Completion
}

export type Options = Readonly<Record<string, Option>>

export type Given = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

/** `list`, `add` … of a command such as `coupons`. */
export type SubCommand = {
  /** What follows the name: `<code> [options]`. */
  readonly usage: string
  readonly summary: string
  readonly options: Options
  /** How many words it takes beside its options, least and most. */
  readonly words: readonly [number, number]
  /** What its words are, for a shell to complete; the last stands for all that follow. */
  readonly completes?: readonly Completion[]
  run(words: readonly string[], given: Given, context: CommandContext): Promise<number>
}

/** Every command that prints a list or a thing has it. */
export const jsonOption = {
  json: { type: 'boolean', what: 'one line of JSON for programs' },
} as const satisfies Options

/** Every command that does what cannot be undone has it. */
export const yesOption = {
  yes: { type: 'boolean', what: 'does it without asking' },
} as const satisfies Options

/** Whether to go on with what cannot be undone: asks where somebody sits, and says how to do without. */
export async function isMeant({ yes }: Given, { ask, say }: CommandContext, question: string): Promise<boolean> {
  if (yes) return true
  const answer = await ask(question)
  if (answer !== true) say(answer === null ? `${question} Say --yes to do it.` : 'Nothing was done.')
  return answer === true
}

/** A command with commands of its own. Without one it does the first of them. */
export function commandGroup(name: CommandName, subs: Readonly<Record<string, SubCommand>>): Command {
  const names = Object.keys(subs)
  const [first = ''] = names
  return {
    usage: `${name} ${names.join('|')}`,
    subs,
    summary: summaries[name],
    help: ([sub = '']) =>
      Object.hasOwn(subs, sub) ? helpOf(name, sub, subs[sub]) : overview(name, summaries[name], subs),

    async run([word, ...rest], context) {
      const bare = word === undefined || word.startsWith('-')
      const subName = bare ? first : word
      const sub = Object.hasOwn(subs, subName) ? subs[subName] : undefined
      if (!sub) {
        context.say(`There is no command "${name} ${subName}".${hint(subName, names, `${name} `)}`)
        context.say(`There are: ${names.map((known) => `${name} ${known}`).join(', ')}.`)
        return 2
      }
      const parsed = parse(sub, bare && word !== undefined ? [word, ...rest] : rest)
      if (typeof parsed === 'string') {
        context.say(parsed)
        context.say(`npm run shop -- ${name} ${subName} ${sub.usage}`.trim())
        return 2
      }
      return sub.run(parsed.words, parsed.given, context)
    },
  }
}

function parse(sub: SubCommand, args: readonly string[]): { words: string[]; given: Given } | string {
  const known = Object.keys(sub.options)
  try {
    const { values, positionals } = parseArgs({
      // A value may begin with a minus: `--cost -1` is for the check of the cost to refuse, not for the shell's reading.
      args: joined(args, sub.options),
      allowPositionals: true,
      options: Object.fromEntries(
        Object.entries(sub.options).map(([option, { type, multiple }]) => [
          option,
          { type, multiple: multiple ?? false },
        ]),
      ),
    })
    const [least, most] = sub.words
    if (positionals.length < least) return 'Something is missing.'
    if (positionals.length > most)
      return `"${positionals[most]}" is one word too many; put what belongs together in quotation marks.`
    // parseArgs types its values by options that are written out; these come from a table.
    return { words: positionals, given: { ...values } as Given }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const stranger = /^Unknown option '--?([^']+)'/.exec(message)?.[1]
    if (stranger) return `There is no option --${stranger}.${hint(stranger, known, '--')}`
    return message.split('\n')[0] ?? message
  }
}

/** `--cost -1` as `--cost=-1`, so that a value may begin with a minus. */
function joined(args: readonly string[], options: Options): string[] {
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

function overview(name: string, summary: string, subs: Readonly<Record<string, SubCommand>>): string[] {
  return [
    `npm run shop -- ${name} <command>`,
    summary,
    ...Object.entries(subs).flatMap(([sub, { usage, summary: what }]) => [
      `  ${name} ${sub} ${usage}`.trimEnd(),
      `      ${what}`,
    ]),
  ]
}

function helpOf(name: string, subName: string, sub: SubCommand | undefined): string[] {
  if (!sub) return []
  const rows = Object.entries(sub.options).map(([option, { value, what, multiple }]) => [
    `  --${option}${value ? ` ${value}` : ''}`,
    multiple ? `${what} (several: by commas)` : what,
  ])
  return [`npm run shop -- ${name} ${subName} ${sub.usage}`.trimEnd(), sub.summary, ...tableLines(rows)]
}

/** The values of an option that may be given several times. `''` alone empties the list. */
export function listGiven(value: Given[string]): string[] | undefined {
  return Array.isArray(value) ? value.flatMap((part: string) => listOf(part)) : undefined
}

export function textGiven(value: Given[string]): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Says what is wrong, each fault by the option it came from. */
export function printFaults(
  { say }: CommandContext,
  faults: readonly RuleFault[],
  optionOf: Readonly<Record<string, string>> = {},
): void {
  for (const { key, problem } of faults) {
    const member = /^\w*/.exec(key)?.[0] ?? ''
    const option = optionOf[member]
    // A member with a name of its own, `classCosts.bulky`; a place in a list is told by the value in the problem.
    const inside = /^\.(.+)/.exec(key.slice(member.length))?.[1]
    const named = optionOf[key] ?? (option && (inside ? `${option} ${inside}` : option)) ?? key
    say(named === '' ? problem : `${named}: ${problem}`)
  }
}
