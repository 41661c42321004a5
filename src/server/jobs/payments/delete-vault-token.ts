import { z } from 'zod'
import { deleteVaultToken } from '#shop/payments/vault/delete-vault-token.ts'
import type { Tools } from '#shop/shared/tools.ts'

const facts = z.object({ environment: z.enum(['sandbox', 'live']), token: z.string().min(1) })

/** Creates the job that deletes a removed payment method at the provider; the queue retries failures. */
export function deleteVaultTokenJob(tools: Tools) {
  return (payload: unknown): Promise<void> => deleteVaultToken(tools, facts.parse(payload))
}
