import type { CommandContext } from '../shared/command.ts'
import { fail, rejectUsage } from '../shared/messages.ts'

/** Parses the number of an order, `1001` or `#1001`; prints an error where it is none. */
export function orderIdOf(word: string, context: Pick<CommandContext, 'say'>): number | null {
  const digits = /^#?([1-9]\d{0,14})$/.exec(word)?.[1]
  if (digits !== undefined) return Number(digits)
  rejectUsage(context, `"${word}" is not an order number. Example: orders show 1001`)
  return null
}

export function unknownOrder(id: number, context: Pick<CommandContext, 'say'>): number {
  return fail(context, `order ${id} does not exist. List orders: orders list`)
}
