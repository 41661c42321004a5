import { disputeView } from '../orders/disputes.ts'
import { notFound } from './error-bodies.ts'
import type { Operation } from './operation.ts'

const errors = { document: 'checkout_orders_v2', prefix: '' } as const
const BASE = '/v1/customer/disputes'

/** Complaints of buyers, to be read; they are opened and ended by the control API. */
export const disputeOperations: readonly Operation[] = [
  {
    name: 'disputes.list',
    method: 'GET',
    path: BASE,
    errors,
    run: ({ world, query }) => {
      const transaction = query.get('disputed_transaction_id')
      const items = [...world.disputes.values()]
        .filter(({ captureId }) => transaction === null || captureId === transaction)
        .map((dispute) => disputeView(world, dispute))
      return { status: 200, show: () => ({ items, links: [] }) }
    },
  },
  {
    name: 'disputes.get',
    method: 'GET',
    path: `${BASE}/:id`,
    errors,
    run: ({ world, params }) => {
      const id = params.id ?? ''
      const dispute = world.disputes.get(id)
      if (!dispute) throw notFound(id, 'dispute_id')
      return { status: 200, show: () => disputeView(world, dispute) }
    },
  },
]
