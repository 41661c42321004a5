import { writeFile } from 'node:fs/promises'
import { type MailKind, mailKinds, type ShopMailKind, shopMailKinds } from '#contract/mail/settings.ts'
import { findMailOfOrder } from '#database/mail/messages.ts'
import { isEmail } from '#domain/addresses/contact-syntax.ts'
import type { PreviewedMail } from '#shop/mail/mail-desk.ts'
import { requestInvoice } from '#shop/orders/request-invoice.ts'
import type { CommandContext } from '../shared/command.ts'
import { commandGroup, type Given, jsonOption, type Options, textGiven } from '../shared/command-group.ts'
import { recordStaffAccess } from '../shared/log-access.ts'
import { fail, rejectUsage, unknownChoice } from '../shared/messages.ts'
import { minute } from '../shared/record-text.ts'
import { tableLines } from '../shared/table.ts'

/** The event that makes the shop send each email. */
const causes: Readonly<Record<MailKind, string>> = {
  new_order: 'an order was placed, or resumed',
  cancelled_order: 'an order was canceled',
  failed_order: 'a payment failed',
  low_stock: 'a sale left few pieces',
  no_stock: 'a sale sold the last piece',
  backorder: 'a sale exceeded the stock',
  customer_on_hold_order: 'an order awaits its payment',
  customer_processing_order: 'an order is paid, or to be paid on delivery',
  customer_completed_order: 'an order is complete',
  customer_failed_order: 'a payment failed',
  customer_cancelled_order: 'an accepted order was canceled',
  customer_refunded_order: 'an order was refunded in full',
  customer_partially_refunded_order: 'an order was refunded in part',
  customer_invoice: 'mail invoice',
  customer_note: 'a note to the customer was added',
  customer_reset_password: 'a new password was requested',
  customer_new_account: 'an account was created',
  customer_account_change: 'an email address was changed, or an account was closed',
}

const isMailKind = (word: string): word is MailKind => mailKinds.some((known) => known === word)
const isShopMail = (kind: MailKind): kind is ShopMailKind => shopMailKinds.some((known) => known === kind)

const orderOption = {
  order: {
    type: 'string',
    value: '<number>',
    what: 'the order in the email; the newest',
    completes: ['order'],
  },
} as const satisfies Options

const languageOption = {
  language: { type: 'string', value: '<tag>', what: 'a language of the shop; the language of the order' },
} as const satisfies Options

export const mailCommand = commandGroup('mail', {
  list: {
    usage: '[--json]',
    summary: 'Lists the email templates: when each is sent, to whom, and whether it is enabled.',
    example: '',
    options: jsonOption,
    words: [0, 0],
    async run(_, { json }, { settings, print, say }) {
      const rows = mailKinds.map((kind) => ({
        id: kind,
        to: isShopMail(kind) ? shopAddresses(settings, kind) : ['customer'],
        when: causes[kind],
        ...settings.mail.messages[kind],
      }))
      if (json) {
        print(JSON.stringify(rows))
        return 0
      }
      const cells = rows.map((row) => [row.id, row.enabled ? 'on' : 'off', row.to.join(', '), row.when])
      for (const line of tableLines([['Message', '', 'To', 'When'], ...cells])) print(line)
      say(`${rows.length} email templates. Disable one: settings mail.messages.new_order.enabled false`)
      return 0
    },
  },

  preview: {
    usage: '<template> [--order 1001] [--language de-DE] [--out file] [--text]',
    summary: 'Shows an email as it would be sent now.',
    example: 'new_order --order 1001 --text',
    options: {
      ...orderOption,
      ...languageOption,
      out: { type: 'string', value: '<file>', what: 'writes a file instead of printing' },
      text: { type: 'boolean', what: 'plain text instead of HTML' },
    },
    words: [1, 1],
    completes: [mailKinds],
    async run([word = ''], given, context) {
      const mail = await previewOf(word, given, context)
      if (typeof mail === 'number') return mail
      const body = given.text === true || mail.html === null ? mail.text : mail.html
      const out = textGiven(given.out)
      context.say(`Subject: ${mail.subject}`)
      if (out === undefined) {
        context.print(body.trimEnd())
        return 0
      }
      // Readable by the owner only: it holds the address of an order.
      await writeFile(out, body, { mode: 0o600 })
      context.say(`Wrote ${out}.`)
      return 0
    },
  },

  'send-test': {
    usage: '<template> --to <address> [--order 1001] [--language de-DE]',
    summary: 'Sends an email, marked as a test, to an address of your own.',
    example: 'new_order --to you@example.com',
    options: { ...orderOption, ...languageOption, to: { type: 'string', value: '<address>', what: 'the recipient' } },
    words: [1, 1],
    completes: [mailKinds],
    async run([word = ''], given, context) {
      const to = textGiven(given.to)
      if (to === undefined || !isEmail(to)) {
        const problem = to === undefined ? 'option --to is missing' : `--to "${to}" is not an email address`
        return rejectUsage(context, `${problem}. Example: --to you@example.com`)
      }
      const mail = await previewOf(word, given, context)
      if (typeof mail === 'number') return mail
      context.say(`Sent "[test] ${mail.subject}" to ${to}, by ${await (await context.mailDesk()).sendTest(mail, to)}.`)
      return 0
    },
  },

  invoice: {
    usage: '<order>',
    summary: 'Emails the order to the customer, with a payment link while it is unpaid.',
    example: '1001',
    options: {},
    words: [1, 1],
    completes: ['order'],
    async run([word = ''], _, context) {
      const id = orderNumber(word, context)
      if (id === null) return 2
      const sent = await requestInvoice(context, id)
      if (sent === 'imported')
        return fail(context, `order ${id} was imported from another shop, and no emails are sent about it.`)
      if (sent === 'not-found') return fail(context, noOrder(id))
      context.say(`Queued the invoice of order ${id}. A running shop sends it now, a stopped one at its next start.`)
      return 0
    },
  },

  sent: {
    usage: '<order> [--json]',
    summary: 'Lists the emails about an order: when each was sent, or why it was not.',
    example: '1001',
    options: jsonOption,
    words: [1, 1],
    completes: ['order'],
    async run([word = ''], { json }, context) {
      const id = orderNumber(word, context)
      if (id === null) return 2
      const mails = await findMailOfOrder(context.db.kysely, id)
      if (json) context.print(JSON.stringify(mails))
      else if (mails.length === 0) context.say(`There are no emails about order ${id}.`)
      const why = { disabled: 'disabled', nobody: 'no recipient' }
      const cells = mails.map(({ kind, recipient, sent_at, skipped }) => [
        kind,
        recipient,
        sent_at ? `${minute(sent_at)} UTC` : skipped ? why[skipped] : 'queued',
      ])
      if (!json) for (const line of tableLines(cells)) context.print(line)
      return 0
    },
  },
})

function shopAddresses({ mail, email }: CommandContext['settings'], kind: ShopMailKind): readonly string[] {
  const { recipients } = mail.messages[kind]
  return recipients.length > 0 ? recipients : [email]
}

/** The requested email, or the exit code. */
async function previewOf(word: string, given: Given, context: CommandContext): Promise<PreviewedMail | number> {
  if (!isMailKind(word)) return rejectUsage(context, unknownChoice('email template', word, mailKinds))
  const order = textGiven(given.order)
  const id = order === undefined ? null : orderNumber(order, context)
  if (order !== undefined && id === null) return 2
  const language = textGiven(given.language)
  const tags = [context.settings.language, ...context.settings.languages.map(({ tag }) => tag)]
  if (language !== undefined && !tags.includes(language)) {
    return rejectUsage(context, unknownChoice('language', language, tags))
  }
  const mail = await (await context.mailDesk()).preview(word, id, language)
  if (!mail) return fail(context, noOrder(id))
  if (mail.orderId === null) context.say('The email shows sample data: the shop has no such order yet.')
  else await recordStaffAccess(context, 'mail preview', `order:${mail.orderId}`)
  return mail
}

const noOrder = (id: number | null) => `order ${id} does not exist. List orders: orders list`

function orderNumber(word: string, context: CommandContext): number | null {
  if (/^[1-9]\d{0,14}$/.test(word)) return Number(word)
  rejectUsage(context, `"${word}" is not an order number. Example: mail invoice 1001`)
  return null
}
