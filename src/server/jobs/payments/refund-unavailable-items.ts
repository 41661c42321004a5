import { z } from 'zod'
import { refundSoldOutOrder } from '#shop/payments/refund/refund-sold-out.ts'
import type { Tools } from '#shop/shared/tools.ts'

const facts = z.object({ orderId: z.number().int() })

/** Gives back what was paid for pieces that were gone; what fails is tried again by the queue. */
export function refundSoldOutJob(tools: Tools) {
  return (payload: unknown): Promise<void> => refundSoldOutOrder(tools, facts.parse(payload))
}
