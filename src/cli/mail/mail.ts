import { writeFile } from 'node:fs/promises'
import { type MailKind, mailKinds, type ShopMailKind, shopMailKinds } from '#contract/mail/settings.ts'
import { hint } from '#contract/shared/suggest-word.ts'
import { transaction } from '#database/engine/connect.ts'
import { findMailOfOrder } from '#database/mail/messages.ts'
import { lockOrder } from '#database/orders/orders.ts'
import { isEmail } from '#domain/addresses/contact-syntax.ts'
import type { PreviewedMail } from '#shop/mail/mail-desk.ts'
import { announceInvoice } from '#shop/mail/mail-events.ts'
import type { CommandContext } from '../shared/command.ts'
import { commandGroup, type Given, jsonOption, type Options, textGiven } from '../shared/command-group.ts'
import { recordStaffAccess } from '../shared/log-access.ts'
import { minute } from '../shared/record-text.ts'
import { tableLines } from '../shared/table.ts'

/** What makes the shop send a message, for people. */
const causes: Readonly<Record<MailKind, string>> = {
  new_order: 'an order was placed, or taken up again',
  cancelled_order: 'an order was cancelled',
  failed_order: 'a payment failed',
  low_stock: 'a sale left few pieces',
  no_stock: 'a sale took the last piece',
  backorder: 'more was sold than is there',
  customer_on_hold_order: 'an order waits for its payment',
  customer_processing_order: 'an order is paid, or to be paid on delivery',
  customer_completed_order: 'an order is complete',
  customer_failed_order: 'a payment failed',
  customer_cancelled_order: 'an accepted order was cancelled',
  customer_refunded_order: 'all of an order was given back',
  customer_partially_refunded_order: 'a part of an order was given back',
  customer_invoice: 'mail invoice',
  customer_note: 'a note to the customer was written',
  customer_reset_password: 'somebody asked for a new password',
  customer_new_account: 'an account was opened',
  customer_account_change: 'a new address to confirm, an address that changed, an account that was closed',
}

const isMailKind = (word: string): word is MailKind => mailKinds.some((known) => known === word)
const isShopMail = (kind: MailKind): kind is ShopMailKind => shopMailKinds.some((known) => known === kind)

const orderOption = {
  order: {
    type: 'string',
    value: '<number>',
    what: 'made of this order; the newest unless told',
    completes: ['order'],
  },
} as const satisfies Options

const languageOption = {
  language: { type: 'string', value: '<tag>', what: 'of the shop; the one of the order unless told' },
} as const satisfies Options

export const mailCommand = commandGroup('mail', {
  list: {
    usage: '[--json]',
    summary: 'Every message: when it is sent, to whom, and whether it is switched on.',
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
      say('Change one: settings mail.messages.new_order.enabled false')
      return 0
    },
  },

  preview: {
    usage: '<message> [--order 1001] [--language de-DE] [--out file] [--text]',
    summary: 'A message as it would leave now.',
    options: {
      ...orderOption,
      ...languageOption,
      out: { type: 'string', value: '<file>', what: 'written there instead of being printed' },
      text: { type: 'boolean', what: 'as plain text instead of HTML' },
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
      // Read by nobody else: an order's address stands in it.
      await writeFile(out, body, { mode: 0o600 })
      context.say(`Written to ${out}.`)
      return 0
    },
  },

  'send-test': {
    usage: '<message> --to <address> [--order 1001] [--language de-DE]',
    summary: 'Sends a message to an address of your own, marked as a test.',
    options: { ...orderOption, ...languageOption, to: { type: 'string', value: '<address>', what: 'who gets it' } },
    words: [1, 1],
    completes: [mailKinds],
    async run([word = ''], given, context) {
      const to = textGiven(given.to)
      if (to === undefined || !isEmail(to)) {
        context.say(to === undefined ? 'Say who gets it: --to you@example.com' : `"${to}" is no email address.`)
        return 2
      }
      const mail = await previewOf(word, given, context)
      if (typeof mail === 'number') return mail
      context.say(`"[test] ${mail.subject}" went to ${to}, by ${await (await context.mailDesk()).sendTest(mail, to)}.`)
      return 0
    },
  },

  invoice: {
    usage: '<order>',
    summary: 'Sends the customer the order, with the link to pay while it is unpaid.',
    options: {},
    words: [1, 1],
    completes: ['order'],
    async run([word = ''], _, context) {
      const id = orderNumber(word, context)
      if (id === null) return 2
      const found = await transaction(context, async (tx) => {
        const order = await lockOrder(tx, id)
        if (order) await announceInvoice(tx, id)
        return order !== undefined
      })
      context.say(found ? 'A running shop sends it now, one that is started later when it starts.' : noOrder(id))
      return found ? 0 : 1
    },
  },

  sent: {
    usage: '<order> [--json]',
    summary: 'The messages about an order: when each was sent, or why it was not.',
    options: jsonOption,
    words: [1, 1],
    completes: ['order'],
    async run([word = ''], { json }, context) {
      const id = orderNumber(word, context)
      if (id === null) return 2
      const mails = await findMailOfOrder(context.db.kysely, id)
      if (json) context.print(JSON.stringify(mails))
      else if (mails.length === 0) context.say(`There is no message about an order ${id}.`)
      const why = { disabled: 'switched off', nobody: 'nobody to send it to' }
      const cells = mails.map(({ kind, recipient, sent_at, skipped }) => [
        kind,
        recipient,
        sent_at ? `${minute(sent_at)} UTC` : skipped ? why[skipped] : 'waits',
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

/** The message that was asked for, or the exit code. */
async function previewOf(word: string, given: Given, context: CommandContext): Promise<PreviewedMail | number> {
  if (!isMailKind(word)) {
    context.say(`There is no message "${word}".${hint(word, mailKinds)}`)
    return 2
  }
  const order = textGiven(given.order)
  const id = order === undefined ? null : orderNumber(order, context)
  if (order !== undefined && id === null) return 2
  const language = textGiven(given.language)
  const tags = [context.settings.language, ...context.settings.languages.map(({ tag }) => tag)]
  if (language !== undefined && !tags.includes(language)) {
    context.say(`The shop does not speak "${language}", but ${tags.join(', ')}.`)
    return 2
  }
  const mail = await (await context.mailDesk()).preview(word, id, language)
  if (!mail) context.say(noOrder(id))
  else if (mail.orderId === null) context.say('This is about an example: the shop has nothing like it yet.')
  else await recordStaffAccess(context, 'mail preview', `order:${mail.orderId}`)
  return mail ?? 1
}

const noOrder = (id: number | null) => `There is no order ${id}.`

function orderNumber(word: string, { say }: CommandContext): number | null {
  if (/^[1-9]\d{0,14}$/.test(word)) return Number(word)
  say(`"${word}" is no order's number.`)
  return null
}
