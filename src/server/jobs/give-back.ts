import { z } from 'zod'
import { giveBack } from '#shop/sold-out-after-payment.ts'
import type { Tools } from '#shop/tools.ts'

const facts = z.object({ orderId: z.number().int() })

/** Gives back what was paid for pieces that were gone; what fails is tried again by the queue. */
export function giveBackJob(tools: Tools) {
  return (payload: unknown): Promise<void> => giveBack(tools, facts.parse(payload))
}
