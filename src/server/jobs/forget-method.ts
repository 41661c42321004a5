import { z } from 'zod'
import type { Tools } from '#shop/tools.ts'
import { forgetMethod } from '#shop/vault-forget.ts'

const facts = z.object({ environment: z.enum(['sandbox', 'live']), token: z.string().min(1) })

/** Deletes at the provider what a customer no longer keeps; what fails is tried again by the queue. */
export function forgetMethodJob(tools: Tools) {
  return (payload: unknown): Promise<void> => forgetMethod(tools, facts.parse(payload))
}
