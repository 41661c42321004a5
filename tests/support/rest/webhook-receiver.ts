import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { expect } from 'vitest'
import { type LocalServer, localServer } from '#tests/support/http/local-server.ts'

export type Received = {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** Whether the signature fits the bytes of the body. */
  signedWith(secret: string): boolean
  json(): Record<string, unknown>
}

/** A program that receives webhooks. */
export type WebhookReceiver = LocalServer & {
  readonly received: readonly Received[]
  /** Statuses of the next responses; 200 afterwards. */
  answer(...statuses: number[]): void
  /** Waits for a delivery of a topic, `ping` for the form. @param count how many there must be */
  delivery(topic: string, count?: number): Promise<Received>
  ofTopic(topic: string): Received[]
}

export async function webhookReceiver(): Promise<WebhookReceiver> {
  const received: Received[] = []
  const statuses: number[] = []
  const server = await localServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const bytes = Buffer.concat(pieces)
      const { headers, url: path = '' } = request
      received.push({
        path,
        headers,
        body: bytes.toString('utf8'),
        signedWith: (secret) =>
          headers['x-wc-webhook-signature'] === createHmac('sha256', secret).update(bytes).digest('base64'),
        json: () => JSON.parse(bytes.toString('utf8')) as Record<string, unknown>,
      })
      const status = path.startsWith('/redirect') ? 302 : (statuses.shift() ?? 200)
      response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end('thank you')
    })
  })
  const topicOf = ({ headers }: Received) => headers['x-wc-webhook-topic'] ?? 'ping'
  const ofTopic = (topic: string) => received.filter((one) => topicOf(one) === topic)
  return {
    ...server,
    received,
    answer: (...next) => void statuses.push(...next),
    ofTopic,
    async delivery(topic, count = 1) {
      await expect.poll(() => ofTopic(topic).length, { timeout: 15_000 }).toBeGreaterThanOrEqual(count)
      const found = ofTopic(topic)[count - 1]
      if (!found) throw new Error(`no delivery ${count} of ${topic}`)
      return found
    },
  }
}
