import type { CommandContext } from '../shared/command.ts'

/** The number of an order as a merchant writes it, `1001` or `#1001`; says so where it is none. */
export function orderIdOf(word: string, { say }: Pick<CommandContext, 'say'>): number | null {
  const digits = /^#?([1-9]\d{0,14})$/.exec(word)?.[1]
  if (digits !== undefined) return Number(digits)
  say(`"${word}" is no order: name one by its number, as in orders show 1001.`)
  return null
}

export function unknownOrder(id: number, { say }: Pick<CommandContext, 'say'>): number {
  say(`There is no order ${id}.`)
  return 1
}
