import { recordAccess } from '#database/customers/access-log.ts'
import type { PayloadOf } from '#shop/operations/webhooks/deliver-webhook.ts'
import { Visit } from '../../http/visit.ts'
import type { Application } from '../../operations/startup/application.ts'
import { readRecord } from './resource/embed.ts'
import type { V3Context } from './resource/v3-call.ts'
import { V3Error } from './resource/v3-error.ts'

/**
 * Returns the reader of webhook payloads: the same records as `GET wc/v3/<resource>s/<id>`, by the group of each
 * resource. Each access to personal data is recorded.
 */
export const webhookPayloads =
  (app: Application): PayloadOf =>
  async (resource, id, webhookId) => {
    const href = `wc/v3/${resource}s/${id}`
    try {
      const record = await readRecord(contextOf(app, webhookId), href, 'view')
      if (typeof record !== 'object' || record === null) return null
      // A draft is not placed yet.
      return 'status' in record && record.status === 'checkout-draft' ? null : record
    } catch (error) {
      // The record no longer exists.
      if (error instanceof V3Error) return null
      throw error
    }
  }

/** A request of nobody: the webhook is the caller. */
function contextOf(app: Application, webhookId: number): V3Context {
  const { tools } = app
  const who = `webhook:${webhookId}`
  return {
    visit: new Visit(app, new Request(`${tools.publicUrl}/`), { requestId: who, ip: '127.0.0.1' }),
    tools,
    caller: { who },
    path: {},
    record: (action, subject) => recordAccess(tools.db.kysely, { at: tools.clock.now(), who, action, subject }),
  }
}
