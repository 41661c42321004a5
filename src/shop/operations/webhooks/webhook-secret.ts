import { createHmac } from 'node:crypto'
import { openText, sealText } from '../../customers/credentials/sealed-text.ts'
import type { Tools } from '../../shared/tools.ts'

const aboutWebhook = (id: number) => `webhook:${id}`

/** Encrypts the secret of a webhook. @param shopSecret `VITRINE_SECRET`, or the stored one */
export const sealWebhookSecret = (
  tools: Pick<Tools, 'chance'>,
  shopSecret: string,
  { id, secret }: { id: number; secret: string },
): string => sealText(tools, shopSecret, aboutWebhook(id), secret)

/** @returns null if it was encrypted with another secret of the shop */
export const openWebhookSecret = (shopSecret: string, { id, secret }: { id: number; secret: string }): string | null =>
  openText(shopSecret, aboutWebhook(id), secret)

/** Returns `X-WC-Webhook-Signature`: base64 of HMAC-SHA256 over the bytes of the body. */
export const webhookSignature = (secret: string, body: string): string =>
  createHmac('sha256', secret).update(body).digest('base64')
