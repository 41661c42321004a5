import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMailer, type Message, senderOf } from './mail.ts'

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
      { from: senderOf({ mail: { from: 'shop@example.test' } as never, name: 'A"\r\nBcc: evil@example.test' }) },
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
