import { type KeyObject, sign, verify, X509Certificate } from 'node:crypto'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'

export const AUTH_ALGORITHM = 'SHA256withRSA'

/** What is signed: the ids, the time, and the CRC-32 of the raw body as an unsigned decimal. */
function messageOf(transmissionId: string, time: string, webhookId: string, rawBody: string): Buffer {
  return Buffer.from(`${transmissionId}|${time}|${webhookId}|${crc32(rawBody)}`)
}

const signInBackground = promisify(
  (message: Buffer, key: KeyObject, done: (error: Error | null, signature: Buffer) => void) =>
    sign('sha256', message, key, done),
)

/** The signature in base64. Computed off the main thread: it is the dearest step of a notification. */
export async function signTransmission(
  key: KeyObject,
  transmissionId: string,
  time: string,
  webhookId: string,
  rawBody: string,
): Promise<string> {
  return (await signInBackground(messageOf(transmissionId, time, webhookId, rawBody), key)).toString('base64')
}

export function isSignedBy(
  pem: string,
  signature: string,
  transmission: { id: string; time: string; webhookId: string; rawBody: string },
): boolean {
  const { id, time, webhookId, rawBody } = transmission
  const message = messageOf(id, time, webhookId, rawBody)
  return verify('sha256', message, new X509Certificate(pem).publicKey, Buffer.from(signature, 'base64'))
}
