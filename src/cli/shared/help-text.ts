import type { Syntax } from './command-syntax.ts'
import { tableLines } from './table.ts'

const program = 'npm run shop --'

/** Help of one command: usage, summary, options and an example. */
export function commandHelp(name: string, { usage, summary, options, example }: Syntax): string[] {
  const rows = Object.entries(options).map(([option, { value, what, multiple }]) => [
    `  --${option}${value ? ` ${value}` : ''}`,
    multiple ? `${what} (several: separated by commas)` : what,
  ])
  return [
    `Usage: ${program} ${name} ${usage}`.trimEnd(),
    summary,
    ...(rows.length > 0 ? ['', 'Options:', ...tableLines(rows)] : []),
    '',
    `Example: ${program} ${name} ${example}`.trimEnd(),
  ]
}

/** Help of a command group: one line about each of its commands. */
export function groupHelp(name: string, summary: string, subs: Readonly<Record<string, Syntax>>): string[] {
  const rows = Object.entries(subs).map(([sub, each]) => [`  ${name} ${sub}`, each.summary])
  const [first = ''] = Object.keys(subs)
  return [
    `Usage: ${program} ${name} <command>`,
    summary,
    '',
    'Commands:',
    ...tableLines(rows),
    '',
    `Without a command, "${name}" runs "${name} ${first}". Options of a command: ${program} help ${name} ${first}`,
  ]
}

/** The list of all commands. */
export function commandList(commands: Readonly<Record<string, { readonly summary: string }>>): string[] {
  return [
    `Usage: ${program} <command>`,
    '',
    'Commands:',
    ...tableLines(Object.entries(commands).map(([name, { summary }]) => [`  ${name}`, summary])),
    '',
    `Commands and options of one: ${program} help orders`,
  ]
}
