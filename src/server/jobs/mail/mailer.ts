import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createTransport, type Transporter } from 'nodemailer'
import type { ShopSettings } from '#contract/shared/settings.ts'

export type Message = {
  /** Unique per content: a retry has the same id, so that the email is not delivered twice. */
  readonly id: string
  /** Email addresses without names. */
  readonly to: readonly string[]
  readonly from: string
  /** Reply-To address, where it is not the sender. */
  readonly replyTo?: string
  readonly subject: string
  /** Null: plain text alone. */
  readonly html: string | null
  readonly text: string
}

export type Mailer = {
  /** @throws also on timeout; the server may have accepted the email all the same */
  send(message: Message): Promise<void>
}

export type StoppableMailer = Mailer & {
  /** Gives emails in progress a moment; none is sent after that. */
  stop(): Promise<void>
}

/**
 * The library waits ten minutes for each answer by default, and for ever if an answer trickles in: that would block the
 * jobs.
 */
const usualPatienceMs = 60_000
/** Matches the time that the last requests get at a stop. */
export const lastMomentMs = 2_000

type MailerOptions = { smtpUrl: () => string; outbox: string; patienceMs?: number }

/**
 * Creates a mailer that sends by SMTP if a server is set. Otherwise it writes each email atomically to the outbox
 * folder as `<id>.eml`.
 * @param smtpUrl called for each email: the merchant may change the server while the shop runs
 * @param patienceMs timeout of a whole email, including the wait for a connection
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
        // The options with a URL are not in the types of either signature.
        server = { url, transport: createTransport(url, { pool: true, maxConnections: 2 } as never) }
      }
      const signal = AbortSignal.any([AbortSignal.timeout(patienceMs), stopped.signal])
      // An aborted connection is closed, so the next email does not wait for the same answer.
      await server.transport.sendMail({ ...envelope(message), signal } as never)
    },
    async stop() {
      setTimeout(() => stopped.abort(), lastMomentMs).unref()
    },
  }
}

/** Connects to a mail server and greets it. @returns the fault; null: it would accept emails */
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
  // A buffer, because the transport was created with `buffer: true`.
  const write = () => writeFile(`${path}.part`, message as Buffer, { mode: 0o600 })
  await write().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    await mkdir(dirname(path), { recursive: true })
    await write()
  })
  await rename(`${path}.part`, path)
}

/** Returns the sender of the shop's emails: its name and address, unless the merchant has set others. */
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

/** An object, because a string is parsed as a list: a comma in an address must not add a recipient. */
function asAddress(address: string) {
  return { name: '', address }
}
