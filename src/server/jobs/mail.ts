import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'

export type Message = {
  /** Unique for what the message says: a repeat carries the same, so that it is not delivered twice. */
  readonly id: string
  readonly to: string
  readonly from: string
  readonly subject: string
  readonly html: string
  readonly text: string
}

export type Mailer = { send(message: Message): Promise<void> }

/**
 * Sends by SMTP where a server is named, else writes each message as a file into the outbox folder: `<id>.eml`, whole or
 * not at all.
 */
export function createMailer({ smtpUrl, outbox }: { smtpUrl: string; outbox: string }): Mailer {
  if (smtpUrl !== '') {
    const transport = createTransport(smtpUrl, { pool: true, maxConnections: 2 } as never)
    return {
      async send(message) {
        await transport.sendMail(envelope(message))
      },
    }
  }
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
  return {
    async send(message) {
      const { message: bytes } = await transport.sendMail(envelope(message))
      await mkdir(outbox, { recursive: true })
      const path = join(outbox, `${message.id.replace(/[^\w.-]+/g, '-')}.eml`)
      await writeFile(`${path}.part`, bytes as Buffer, { mode: 0o600 })
      await rename(`${path}.part`, path)
    },
  }
}

function envelope({ id, to, from, subject, html, text }: Message) {
  return { messageId: `<${id}>`, to, from, subject, html, text, headers: { 'Auto-Submitted': 'auto-generated' } }
}
