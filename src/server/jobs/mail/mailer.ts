import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createTransport, type Transporter } from 'nodemailer'
import type { ShopSettings } from '#contract/shared/settings.ts'

export type Message = {
  /** Unique for what the message says: a repeat carries the same, so that it is not delivered twice. */
  readonly id: string
  /** Addresses alone, without names. */
  readonly to: readonly string[]
  readonly from: string
  /** Whom an answer reaches, where that is not the sender. */
  readonly replyTo?: string
  readonly subject: string
  /** Null: plain text alone. */
  readonly html: string | null
  readonly text: string
}

export type Mailer = {
  /** @throws also when the mail server takes longer than anybody can wait for it; it may have taken the message all the same */
  send(message: Message): Promise<void>
}

export type StoppableMailer = Mailer & {
  /** What is under way has a moment left, and nothing leaves after that. */
  stop(): Promise<void>
}

/** The library by itself waits ten minutes for each answer, and for ever where one trickles in: jobs wait behind it. */
const usualPatienceMs = 60_000
/** Who ends the shop waits little longer than its last requests take. */
export const lastMomentMs = 2_000

type MailerOptions = { smtpUrl: () => string; outbox: string; patienceMs?: number }

/**
 * Sends by SMTP where a server is named, else writes each message as a file into the outbox folder: `<id>.eml`, whole or
 * not at all.
 * @param smtpUrl asked for each message: the merchant may name another server while the shop runs
 * @param patienceMs for a whole message, the wait for a connection included
 */
export function createMailer({ smtpUrl, outbox, patienceMs = usualPatienceMs }: MailerOptions): StoppableMailer {
  const stopped = new AbortController()
  const files = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
  let server = { url: '', transport: files as Pick<Transporter, 'sendMail' | 'close'> }
  return {
    async send(message) {
      const url = smtpUrl()
      if (url === '') return writeMessage(await files.sendMail(envelope(message)), join(outbox, fileName(message)))
      if (url !== server.url) {
        if (server.url !== '') server.transport.close()
        // The address and these together are more than the types of either signature know.
        server = { url, transport: createTransport(url, { pool: true, maxConnections: 2 } as never) }
      }
      const signal = AbortSignal.any([AbortSignal.timeout(patienceMs), stopped.signal])
      // A connection that is given up is closed: the next message does not wait for the same server's answer.
      await server.transport.sendMail({ ...envelope(message), signal } as never)
    },
    async stop() {
      setTimeout(() => stopped.abort(), lastMomentMs).unref()
    },
  }
}

/** Connects to a mail server and says who we are. @returns what is wrong; null: it would take messages */
export async function mailFault(smtpUrl: string): Promise<string | null> {
  const transport = createTransport(smtpUrl, {
    connectionTimeout: 5_000,
    greetingTimeout: 5_000,
    socketTimeout: 5_000,
  } as never)
  try {
    await transport.verify()
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    transport.close()
  }
}

const fileName = ({ id }: Message) => `${id.replace(/[^\w.-]+/g, '-')}.eml`

async function writeMessage({ message }: { message: Buffer | NodeJS.ReadableStream }, path: string): Promise<void> {
  // A buffer, because the transport was asked for one.
  const write = () => writeFile(`${path}.part`, message as Buffer, { mode: 0o600 })
  await write().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    await mkdir(dirname(path), { recursive: true })
    await write()
  })
  await rename(`${path}.part`, path)
}

/** Returns who the shop's messages are from: its name and its own address, unless the merchant has set others. */
export function senderOf({ mail, name, email }: Pick<ShopSettings, 'mail' | 'name' | 'email'>): string {
  const from = mail.from.trim() || email
  return from.includes('<') ? from : `"${name.replaceAll('"', '')}" <${from}>`
}

function envelope({ id, to, from, replyTo, subject, html, text }: Message) {
  return {
    messageId: `<${id}>`,
    to: to.map(asAddress),
    from,
    subject,
    text,
    ...(html === null ? {} : { html }),
    ...(replyTo ? { replyTo: asAddress(replyTo) } : {}),
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}

/** Not as text, which would be read as a list: a comma in an address adds nobody. */
function asAddress(address: string) {
  return { name: '', address }
}
