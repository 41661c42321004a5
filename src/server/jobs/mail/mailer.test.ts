import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shopSettings } from '#contract/shared/settings.ts'
import { createMailer, type Mailer, type Message, senderOf } from './mailer.ts'

let outbox: string
beforeAll(async () => {
  outbox = await mkdtemp(join(tmpdir(), 'vitrine-outbox-'))
})
afterAll(() => rm(outbox, { recursive: true, force: true }))

async function sent(over: Partial<Message>): Promise<{ head: string; body: string }> {
  const id = `${Math.random().toString(36).slice(2)}@shop.example`
  await createMailer({ smtpUrl: () => '', outbox }).send({
    id,
    to: ['ada@example.test'],
    from: '"Fogline" <shop@example.test>',
    subject: 'New order',
    html: '<p>Hello</p>',
    text: 'Hello',
    ...over,
  })
  const bytes = await readFile(join(outbox, `${id.replace('@', '-')}.eml`), 'utf8')
  const end = bytes.indexOf('\n\n')
  return { head: bytes.slice(0, end), body: bytes.slice(end) }
}

const fieldsOf = (head: string) =>
  head
    .split('\n')
    .filter((line) => /^[\w-]+:/.test(line))
    .map((line) => line.split(':')[0])

describe('the sender of a message', () => {
  const from = (settings: object) => senderOf(shopSettings.parse({ name: 'Ours', ...settings }))

  it('is the shop’s own address until another is set', () => {
    expect(from({ email: 'owner@shop.example' })).toBe('"Ours" <owner@shop.example>')
    expect(from({ email: 'owner@shop.example', mail: { from: '' } })).toBe('"Ours" <owner@shop.example>')
    expect(from({ email: 'owner@shop.example', mail: { from: 'mail@shop.example' } })).toBe(
      '"Ours" <mail@shop.example>',
    )
    expect(from({ mail: { from: 'Sales <mail@shop.example>' } })).toBe('Sales <mail@shop.example>')
  })
})

describe('the outbox', () => {
  it('holds a message in both forms, with an id that tells a repeat', async () => {
    const { head, body } = await sent({ to: ['ada@example.test', 'bo@example.test'], replyTo: 'cy@example.test' })
    expect(head).toMatch(/^Message-ID: <\w+@shop\.example>$/m)
    expect(head).toContain('To: ada@example.test, bo@example.test')
    expect(head).toContain('Reply-To: cy@example.test')
    expect(head).toContain('Auto-Submitted: auto-generated')
    expect(body).toMatch(/text\/plain[\s\S]*Hello[\s\S]*text\/html[\s\S]*<p>Hello<\/p>/)
    expect((await readdir(outbox)).every((name) => name.endsWith('.eml'))).toBe(true)
  })

  it('holds plain text alone where the merchant wants no markup', async () => {
    expect((await sent({ html: null })).head).toContain('Content-Type: text/plain')
  })

  it.each<[string, Partial<Message>]>([
    ['subject', { subject: 'New\r\nBcc: evil@example.test\r\n\r\nbody' }],
    [
      'sender',
      {
        from: senderOf({
          mail: { from: 'shop@example.test' } as never,
          email: '',
          name: 'A"\r\nBcc: evil@example.test',
        }),
      },
    ],
    ['answer', { replyTo: 'a@example.test\r\nBcc: evil@example.test' }],
    ['recipient', { to: ['a@example.test\r\nBcc: evil@example.test'] }],
  ])('takes no further head from its %s', async (_, hostile) => {
    const { head } = await sent(hostile)
    expect(fieldsOf(head)).not.toContain('Bcc')
    expect(fieldsOf(head)).toHaveLength(new Set(fieldsOf(head)).size)
  })

  it('sends to nobody else for a comma in an address', async () => {
    const { head } = await sent({ to: ['a@example.test, evil@example.test'] })
    expect(head).not.toMatch(/^To: a@example\.test, evil@example\.test$/m)
  })
})

describe('a mail server', () => {
  /** @param hear handles the first, second, … connection */
  async function listening(hear: (socket: Socket, nr: number) => void) {
    const open = new Set<Socket>()
    const server = createServer((socket) => {
      open.add(socket)
      socket.on('error', () => {})
      hear(socket, open.size)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
    const close = async () => {
      for (const socket of open) socket.destroy()
      server.close()
    }
    return { url, [Symbol.asyncDispose]: close }
  }
  /** Accepts every line up to the message itself. */
  const polite = (socket: Socket) => {
    socket.write('220 test\r\n')
    socket.on('data', (bytes) => {
      const said = String(bytes)
      if (said.startsWith('DATA')) socket.write('354 go on\r\n')
      else if (said.endsWith('\r\n.\r\n') || /^(?:EHLO|MAIL|RCPT|RSET)/.test(said)) socket.write('250 fine\r\n')
    })
  }
  /** Sends one byte a moment, which defeats timeouts between two bytes. */
  const trickling = (socket: Socket) => {
    const timer = setInterval(() => socket.write('2'), 20)
    socket.once('close', () => clearInterval(timer))
  }
  const one = (mailer: Mailer, id = 'one') =>
    mailer.send({ id, to: ['a@example.test'], from: 's@example.test', subject: 'x', html: null, text: 'x' })

  it.each([
    ['says nothing', () => {}],
    ['trickles', trickling],
  ] as const)('that %s is given up, and the next message leaves by another connection', async (_, silent) => {
    await using server = await listening((socket, nr) => (nr <= 2 ? silent(socket) : polite(socket)))
    const mailer = createMailer({ smtpUrl: () => server.url, outbox, patienceMs: 200 })
    // The pool has only two connections.
    const ended = await Promise.allSettled([one(mailer, 'a'), one(mailer, 'b')])
    expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await one(mailer, 'c')
  })

  it('is waited for a moment longer when the shop stops, and by nobody after that', async () => {
    await using server = await listening(() => {})
    const mailer = createMailer({ smtpUrl: () => server.url, outbox })
    const waits = one(mailer)
    const began = performance.now()
    await mailer.stop()
    await expect(waits).rejects.toThrow()
    expect(performance.now() - began).toBeGreaterThan(1_000)
    await expect(one(mailer)).rejects.toThrow()
  })
})
