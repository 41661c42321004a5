import { nearest } from '#contract/shared/suggest-word.ts'

type Terminal = { say(line: string): void }

/** Prints the reason why a command was refused. @returns the exit code */
export function fail({ say }: Terminal, problem: string): 1 {
  say(errorLines(problem))
  return 1
}

/** Prints what is wrong with the words or options of a command. @returns the exit code */
export function rejectUsage({ say }: Terminal, problem: string): 2 {
  say(errorLines(problem))
  return 2
}

/** Several errors are one text with a line each; indented lines and hints continue the line before. */
const errorLines = (problem: string) => problem.replace(/^(?=\S)(?!Did you mean )/gm, 'Error: ')

/** Prints what the caller should know although the command succeeds. */
export function warn({ say }: Terminal, text: string): void {
  say(`Warning: ${text}`)
}

/** `unknown status "shiped". Choose one of: …`, and the nearest word on a last line of its own. */
export function unknownChoice(kind: string, typed: string, words: readonly string[]): string {
  return `unknown ${kind} "${typed}". Choose one of: ${words.join(', ')}.${didYouMean(typed, words)}`
}

/** The last line of an error about a mistyped word, or nothing where no known word is near. */
export function didYouMean(typed: string, known: readonly string[], before = ''): string {
  const word = nearest(typed, known)
  return word === null ? '' : `\nDid you mean "${before}${word}"?`
}

/** `1 order`, `3 orders`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
