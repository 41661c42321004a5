import type { Completion } from '../completion/completion-values.ts'

/** An option of a command: `--minimum <amount>`. */
export type Option = {
  readonly type: 'string' | 'boolean'
  /** The placeholder of its value: `<amount>`. */
  readonly value?: string
  readonly what: string
  /** May be given several times; each value may also be a list, separated by commas. */
  readonly multiple?: true
  /** The values that a shell can complete. */
  readonly completes?: Completion
}

export type Options = Readonly<Record<string, Option>>

export type Given = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

/** The words and options that a command accepts. */
export type Syntax = {
  /** The words and options after the name: `<code> [options]`. */
  readonly usage: string
  readonly summary: string
  /** The words and options of a typical call: `spring --amount 15`. */
  readonly example: string
  readonly options: Options
  /** The least and the largest number of words beside the options. */
  readonly words: readonly [least: number, most: number]
  /** The kind of each word, for shell completion; the last stands for all that follow. */
  readonly completes?: readonly Completion[]
}

/** An option of every command that prints a list or a record. */
export const jsonOption = {
  json: { type: 'boolean', what: 'prints one line of JSON for programs' },
} as const satisfies Options

/** An option of every command that asks for confirmation. */
export const yesOption = {
  yes: { type: 'boolean', what: 'confirms without a question' },
} as const satisfies Options
