import { parseArgs } from 'node:util'
import { checkInvariants } from '#shop/check-invariants.ts'
import type { Command } from './command.ts'

export const doctorCommand: Command = {
  usage: 'doctor [--json]',
  summary:
    'Checks that orders, money, stock and ledger agree with each other, and with PayPal where its credentials are set.',

  async run(args, context) {
    let json: boolean
    try {
      json = parseArgs({ args: [...args], options: { json: { type: 'boolean', default: false } } }).values.json
    } catch (error) {
      context.say(error instanceof Error ? error.message : String(error))
      return 2
    }
    const broken = await checkInvariants(context)
    if (json) context.print(JSON.stringify(broken))
    else for (const { invariant, orderId, what } of broken) context.print(line(invariant, orderId, what))
    if (!context.paypal) context.say('The books of PayPal were not compared: its credentials are not set.')
    context.say(broken.length === 0 ? 'Everything agrees.' : `${broken.length} things do not agree.`)
    return broken.length === 0 ? 0 : 1
  },
}

function line(invariant: string, orderId: number | null, what: string): string {
  return `${invariant.padEnd(4)} ${orderId === null ? '' : `order ${orderId}: `}${what}`
}
