import { z } from 'zod'
import { voidSoldOutAuthorization } from '#shop/payments/operation/void-sold-out.ts'
import type { Tools } from '#shop/shared/tools.ts'

const facts = z.object({ orderId: z.number().int() })

/** Creates the job that voids the authorization of items that were out of stock; the queue retries failures. */
export function voidAuthorizationJob(tools: Tools) {
  return (payload: unknown): Promise<void> => voidSoldOutAuthorization(tools, facts.parse(payload))
}
