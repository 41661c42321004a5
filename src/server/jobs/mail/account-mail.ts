import { z } from 'zod'
import { urls } from '#contract/shared/urls.ts'
import { findMail, insertStandaloneMail } from '#database/mail/messages.ts'
import { type AccountMailDue, accountMailDue } from '#shop/mail/account-mail.ts'
import type { AccountMailContent } from '#web/mails/mail-content.ts'
import { viewIn } from '../../translation/stored-locale-view.ts'
import type { Mailer } from './mailer.ts'
import { type MailApplication, sendMail } from './send-mail.ts'

/** Jobs queued by an older version have no language. */
const language = z.string().default('')

const facts = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('welcome'), customerId: z.number().int() }),
  z.object({
    kind: z.literal('open-account'),
    email: z.string(),
    language,
    attribution: z.record(z.string(), z.unknown()).default({}),
  }),
  z.object({ kind: z.literal('reset-password'), login: z.string(), language }),
  z.object({ kind: z.literal('confirm-email'), customerId: z.number().int() }),
  z.object({ kind: z.enum(['email-changed', 'account-closed']), email: z.string(), username: z.string(), language }),
])

/**
 * Creates the job that emails a customer about the account, in the customer's language, once per job. The recipient is
 * determined here, not in the request of the visitor who typed the address.
 */
export function accountMailJob(app: MailApplication, mailer: Mailer) {
  return async (payload: unknown, jobId: string): Promise<void> => {
    const { kysely } = app.tools.db
    const messageId = `account-${jobId}`
    // Checked first: creating another link would invalidate the one that was sent.
    if ((await findMail(kysely, messageId))?.sent_at) return
    const due = await accountMailDue(app.tools, facts.parse(payload))
    if (!due) return
    const view = viewIn(app, due.language)
    const { path } = await view.shop()
    const content: AccountMailContent = {
      about: 'account',
      kind: mailKinds[due.kind],
      reason: due.kind,
      username: due.username,
      link: app.tools.publicUrl + path(linkOf(due)),
    }
    const row = await insertStandaloneMail(kysely, { message_id: messageId, kind: content.kind, recipient: '' })
    await sendMail(view, mailer, row, content, due.email)
  }
}

const mailKinds = {
  welcome: 'customer_new_account',
  'choose-password': 'customer_new_account',
  'known-address': 'customer_new_account',
  'reset-password': 'customer_reset_password',
  'confirm-email': 'customer_account_change',
  'email-changed': 'customer_account_change',
  'account-closed': 'customer_account_change',
} as const satisfies Record<AccountMailDue['kind'], AccountMailContent['kind']>

function linkOf(due: AccountMailDue): string {
  switch (due.kind) {
    case 'welcome':
    case 'confirm-email':
      return urls.confirmEmail({ key: due.link.key, id: due.link.customerId })
    case 'choose-password':
    case 'reset-password':
    case 'known-address':
      return urls.lostPassword({ key: due.link.key, id: due.link.customerId })
    case 'email-changed':
      return urls.account()
    case 'account-closed':
      return urls.home()
  }
}
