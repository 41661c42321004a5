import type { RuleFault } from '#contract/shared/merchant-rules.ts'
import type { Command, CommandContext } from './command.ts'
import { type Given, jsonOption, type Option, type Options, type Syntax, yesOption } from './command-syntax.ts'
import { commandHelp, groupHelp } from './help-text.ts'
import { didYouMean, fail, rejectUsage } from './messages.ts'
import { listGiven, type ParsedArguments, parseArguments, textGiven } from './parse-arguments.ts'
import { type CommandName, summaries } from './summaries.ts'

export { type Given, jsonOption, listGiven, type Option, type Options, type Syntax, textGiven, yesOption }

/** Runs a command with its parsed words and options. @returns the exit code: 0 done, 1 refused, 2 wrong usage */
type Run<Context> = (words: readonly string[], given: Given, context: Context) => Promise<number>

/** `list`, `add` … of a command such as `coupons`, or a command without any. */
export type SubCommand<Context = CommandContext> = Syntax & { readonly run: Run<Context> }

/** Asks for confirmation of what cannot be undone. Without a terminal, `--yes` is required. */
export async function isConfirmed(
  { yes }: Given,
  { ask, say }: Pick<CommandContext, 'ask' | 'say'>,
  action: string,
  consequence = '',
): Promise<boolean> {
  if (yes) return true
  const answer = await ask(`${action}?${consequence && ` ${consequence}`}`)
  if (answer === true) return true
  if (answer === false) say('Nothing was changed.')
  else {
    const what = `${action.charAt(0).toLowerCase()}${action.slice(1)}`
    fail({ say }, `confirm with --yes: ${what}.${consequence && ` ${consequence}`}`)
  }
  return false
}

/** A command with commands of its own. Without a name it runs the first of them. */
export function commandGroup(name: CommandName, subs: Readonly<Record<string, SubCommand>>): Command {
  const names = Object.keys(subs)
  const [first = ''] = names
  const parseCall = (args: readonly string[]): (ParsedArguments & { readonly sub: SubCommand }) | string => {
    const [word] = args
    const isBare = word === undefined || word.startsWith('-')
    const subName = isBare ? first : word
    const sub = Object.hasOwn(subs, subName) ? subs[subName] : undefined
    if (!sub) {
      const hint = didYouMean(subName, names, `${name} `)
      return `unknown command "${name} ${subName}". Commands: ${names.join(', ')}.${hint}`
    }
    const parsed = parseArguments(`${name} ${subName}`, sub, isBare ? args : args.slice(1))
    if (typeof parsed !== 'string') return { ...parsed, sub }
    const misplaced = isBare ? args.find((arg) => Object.hasOwn(subs, arg)) : undefined
    return misplaced === undefined || parsed.includes('\n') ? parsed : `${parsed}\nDid you mean "${name} ${misplaced}"?`
  }
  return {
    subs,
    help: ([sub = '']) => {
      const asked = Object.hasOwn(subs, sub) ? subs[sub] : undefined
      return asked ? commandHelp(`${name} ${sub}`, asked) : groupHelp(name, summaries[name], subs)
    },
    usageProblem: (args) => {
      const call = parseCall(args)
      return typeof call === 'string' ? call : null
    },
    async run(args, context) {
      const call = parseCall(args)
      return typeof call === 'string' ? rejectUsage(context, call) : call.sub.run(call.words, call.given, context)
    },
  }
}

/** A command without commands of its own. */
export function singleCommand(name: CommandName, command: SubCommand): Command & { readonly single: SubCommand } {
  return { ...describedCommand(name, command), single: command, run: parsedRun(name, command) }
}

/** Help, completion and check of a command without commands of its own. */
export function describedCommand(name: CommandName, syntax: Syntax): Pick<Command, 'syntax' | 'help' | 'usageProblem'> {
  return {
    syntax,
    help: () => commandHelp(name, syntax),
    usageProblem: (args) => {
      const parsed = parseArguments(name, syntax, args)
      return typeof parsed === 'string' ? parsed : null
    },
  }
}

/** Parses the arguments before a command runs. */
export function parsedRun<Context extends Pick<CommandContext, 'say'>>(
  name: string,
  command: SubCommand<Context>,
): (args: readonly string[], context: Context) => Promise<number> {
  return async (args, context) => {
    const parsed = parseArguments(name, command, args)
    return typeof parsed === 'string' ? rejectUsage(context, parsed) : command.run(parsed.words, parsed.given, context)
  }
}

/** Prints each fault by the option that it came from. @returns the exit code */
export function printFaults(
  context: Pick<CommandContext, 'say'>,
  faults: readonly RuleFault[],
  optionOf: Readonly<Record<string, string>> = {},
  given: Given = {},
): 1 {
  for (const { key, problem } of faults) {
    const member = /^\w*/.exec(key)?.[0] ?? ''
    const option = optionOf[member]
    // A named member, `classCosts.bulky`; the problem itself names an entry of a list.
    const inside = /^\.(.+)/.exec(key.slice(member.length))?.[1]
    const named = optionOf[key] ?? (option && (inside ? `${option} ${inside}` : option)) ?? key
    const value = given[named.replace(/^--/, '')]
    const typed = value === undefined || typeof value === 'boolean' ? '' : ` "${String(value)}"`
    fail(context, named === '' ? problem : `${named}${problem.includes(typed.trim()) ? '' : typed}: ${problem}`)
  }
  return 1
}
