import type { z } from 'zod'
import { recordAccess } from '#database/customers/access-log.ts'
import { findOrder } from '#database/orders/orders.ts'
import { noRoute, refuse } from '../../../calls/shared/refuse-call.ts'
import type { Visit } from '../../../http/visit.ts'
import { callerOf } from '../authenticate.ts'
import { invalidParameters } from '../response-fields.ts'

type Order = NonNullable<Awaited<ReturnType<typeof findOrder>>>

/**
 * Reads the order of a call below `orders/{id}`, and records the access. Authentication comes first: unauthorized callers
 * learn nothing about the parameters.
 * @returns the response to a call that may not read it, or names none
 */
export async function readOrder<Asked extends { id: number }>(
  visit: Visit,
  given: Readonly<Record<string, unknown>>,
  input: z.ZodType<Asked>,
  unknownCode: string,
): Promise<{ asked: Asked; order: Order } | Response> {
  const reader = await callerOf(visit)
  if (reader instanceof Response) return reader
  // `orders/batch` and `orders/statuses` are not implemented.
  if (!/^\d+$/.test(String(given.id))) return noRoute()
  const asked = input.safeParse(given)
  if (!asked.success) return invalidParameters(asked.error)
  const { id } = asked.data
  const { tools } = visit.app
  const order = await findOrder(tools.db.kysely, id)
  if (!order) return refuse({ door: 'rest' }, 404, unknownCode, 'This order was not found.')
  await recordAccess(tools.db.kysely, {
    at: tools.clock.now(),
    who: reader.who,
    action: 'orders show',
    subject: `order:${id}`,
  })
  return { asked: asked.data, order }
}
