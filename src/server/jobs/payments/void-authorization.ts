import { z } from 'zod'
import { voidSoldOutAuthorization } from '#shop/payments/operation/void-sold-out.ts'
import type { Tools } from '#shop/shared/tools.ts'

const facts = z.object({ orderId: z.number().int() })

/** Lets go what is held for pieces that were gone; what fails is tried again by the queue. */
export function voidAuthorizationJob(tools: Tools) {
  return (payload: unknown): Promise<void> => voidSoldOutAuthorization(tools, facts.parse(payload))
}
