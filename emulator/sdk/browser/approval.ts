import { type AttemptTools, leaveFor } from './attempt-tools.ts'
import type { WalletTarget } from './wire.ts'

/** Calls the page's `onApprove`; true when it asked to start the approval again. */
export async function approve(tools: AttemptTools, target: WalletTarget, payerID: string): Promise<boolean> {
  const asked = Promise.withResolvers<'again'>()
  const restart = () => {
    asked.resolve('again')
    // The real promise does not settle either: the page's handler is called anew instead.
    return new Promise<never>(() => {})
  }
  const actions = {
    restart,
    redirect: (url: string) => leaveFor(tools.link, url),
    ...(target.kind === 'order' ? { order: orderActions(tools, target.id, restart) } : {}),
  }
  const data = { payerID, paymentSource: target.fundingSource, ...(await approvedData(tools, target)) }
  const handled = Promise.resolve(tools.options().onApprove?.(data, actions))
  // A handler that waits for what `restart` gave never settles, so the wish itself counts, and counts first.
  return (await Promise.race([asked.promise, handled.then(() => Promise.race([asked.promise, 'done']))])) === 'again'
}

async function approvedData({ link }: AttemptTools, { kind, id }: WalletTarget): Promise<Record<string, unknown>> {
  if (kind === 'setup') return { vaultSetupToken: id }
  const nothing = { orderID: null, paymentID: null, billingToken: null, subscriptionID: null, vaultSetupToken: null }
  const facilitatorAccessToken = await link.ask('TOKEN', '')
  return { ...nothing, ...(kind === 'order' ? { orderID: id } : { billingToken: id }), facilitatorAccessToken }
}

function orderActions({ link, intent }: AttemptTools, orderId: string, restart: () => Promise<never>) {
  const path = `/v2/checkout/orders/${encodeURIComponent(orderId)}`
  const complete = (action: string) => async () => {
    if (action === 'capture' && intent !== 'capture') {
      throw new Error(`Use actions.order.authorize instead of actions.order.capture, the intent is ${intent}`)
    }
    try {
      return await link.ask('POST', `${path}/${action}`, {})
    } catch (error) {
      if (error instanceof Error && /INSTRUMENT_DECLINED|PAYER_ACTION_REQUIRED/.test(error.message)) return restart()
      throw error
    }
  }
  return {
    get: () => link.ask('GET', path),
    capture: complete('capture'),
    authorize: complete('authorize'),
    patch: (operations: unknown) =>
      link.ask('PATCH', path, operations).catch(() => {
        throw new Error('Order could not be patched')
      }),
  }
}
