import type { CommandEntry } from '../commands.ts'
import type { Syntax } from '../shared/command-syntax.ts'
import type { Completion } from './completion-values.ts'

/** The kind of word at the cursor, and the part of it that is typed. */
export type CompletionPlace = {
  readonly kind: Completion
  /** The typed text before the part to complete: `--status=`, or the first words of a list. */
  readonly before: string
  readonly start: string
}

const nothing: CompletionPlace = { kind: [], before: '', start: '' }

/** Parses a command line without its program. @param words the last is the one at the cursor, perhaps empty */
export async function completionAt(
  commands: Readonly<Record<string, CommandEntry>>,
  words: readonly string[],
): Promise<CompletionPlace> {
  const current = words.at(-1) ?? ''
  const [name = '', second = ''] = words
  if (words.length <= 1) return of([...Object.keys(commands), 'help'], current)
  const command = Object.hasOwn(commands, name) ? await commands[name]?.load() : undefined
  if (!command) return nothing
  const { subs, syntax } = command
  if (!subs) return syntax ? ofSyntax(syntax, words.slice(1)) : nothing
  if (words.length === 2 && !current.startsWith('-')) return of(Object.keys(subs), current)
  const bare = second.startsWith('-')
  if (bare) return ofSyntax(Object.values(subs)[0], words.slice(1))
  const [subName = '', ...rest] = command.expand?.(words.slice(1)) ?? words.slice(1)
  return Object.hasOwn(subs, subName) ? ofSyntax(subs[subName], rest) : nothing
}

const of = (kind: Completion, current: string, before = ''): CompletionPlace => {
  const comma = typeof kind === 'string' ? current.lastIndexOf(',') + 1 : 0
  return { kind, before: before + current.slice(0, comma), start: current.slice(comma) }
}

function ofSyntax(syntax: Syntax | undefined, words: readonly string[]): CompletionPlace {
  if (!syntax) return nothing
  const { options, completes = [] } = syntax
  const [, most] = syntax.words
  const current = words.at(-1) ?? ''
  const takesValue = (word: string | undefined) => word?.startsWith('--') && options[word.slice(2)]?.type === 'string'
  const previous = words.at(-2)
  if (previous !== undefined && takesValue(previous)) return of(options[previous.slice(2)]?.completes ?? [], current)
  const [, option = '', value] = /^--([\w-]+)=(.*)$/s.exec(current) ?? []
  if (value !== undefined) return of(options[option]?.completes ?? [], value, `--${option}=`)
  if (current.startsWith('-')) {
    const left = Object.entries(options).filter(([name, { multiple }]) => multiple || !words.includes(`--${name}`))
    return of([...left.map(([name]) => `--${name}`), '--help'], current)
  }
  const place = words.slice(0, -1).filter((word, at) => !word.startsWith('-') && !takesValue(words[at - 1])).length
  return place < most ? of(completes[Math.min(place, completes.length - 1)] ?? [], current) : nothing
}
