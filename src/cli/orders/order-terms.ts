import { findTermsVersion } from '#database/checkout/terms-versions.ts'
import { findShownOrder } from '#database/orders/orders.ts'
import { storedTermsAgreement } from '#shop/checkout/agreed-terms.ts'
import { jsonOption, type SubCommand } from '../shared/command-group.ts'
import { recordStaffAccess } from '../shared/log-access.ts'
import { fail } from '../shared/messages.ts'
import { minute } from '../shared/record-text.ts'
import { printable } from '../shared/table.ts'
import { orderIdOf, unknownOrder } from './order-id.ts'

export const termsCommand: SubCommand = {
  usage: '<number> [--json]',
  summary: 'Shows the terms that the customer agreed to, as they were when the order was placed.',
  example: '1001',
  options: jsonOption,
  words: [1, 1],
  completes: ['order'],
  async run([word = ''], { json }, context) {
    const id = orderIdOf(word, context)
    if (id === null) return 2
    const order = await findShownOrder(context.db.kysely, id)
    if (!order) return unknownOrder(id, context)
    await recordStaffAccess(context, 'orders terms', `order:${id}`)
    const agreed = storedTermsAgreement(order)
    const terms = agreed && (await findTermsVersion(context.db.kysely, agreed.version))
    if (!agreed || !terms)
      return fail(
        context,
        `order ${id} has no terms: the shop required no agreement when it was placed. See: orders show ${id}`,
      )
    if (json) {
      context.print(JSON.stringify({ order: id, agreedAt: agreed.at, ...terms }))
      return 0
    }
    context.print(`Terms of order ${id}, ${terms.language}, shown ${minute(new Date(agreed.at))} UTC`)
    context.print(`Version ${terms.version}`)
    for (const part of [terms.title, terms.introduction, terms.text.trim()]) {
      if (part !== '') for (const line of ['', ...part.split('\n')]) context.print(printable(line))
    }
    return 0
  },
}
