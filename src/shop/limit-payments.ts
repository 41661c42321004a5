import type { OrderRow } from '#database/orders.ts'
import { limitTries, waitBefore } from './limit-tries.ts'
import type { Tools } from './tools.ts'

type Payer = Pick<OrderRow, 'session_id' | 'customer_ip'>

const whoPays = ({ session_id: subject, customer_ip: ip }: Payer) => ({ subject, ip })

/** Whether so many payments have failed lately, for this visitor or from their network, that the next must wait. */
export async function paymentsPaused(tools: Tools, order: Payer): Promise<boolean> {
  return (await waitBefore(tools, 'pay', whoPays(order))) > 0
}

/** Counts a payment that the provider or a bank has refused. */
export async function countFailedPayment(tools: Tools, order: Payer): Promise<void> {
  await limitTries(tools, 'pay', whoPays(order))
}
