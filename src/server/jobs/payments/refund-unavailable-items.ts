import { z } from 'zod'
import { refundSoldOutOrder } from '#shop/payments/refund/refund-sold-out.ts'
import type { Tools } from '#shop/shared/tools.ts'

const facts = z.object({ orderId: z.number().int() })

/** Creates the job that refunds paid items that were out of stock; the queue retries failures. */
export function refundSoldOutJob(tools: Tools) {
  return (payload: unknown): Promise<void> => refundSoldOutOrder(tools, facts.parse(payload))
}
