import type { ButtonOptions } from './button-options.ts'
import type { FrameLink } from './frame-link.ts'
import { openOverlay } from './overlay.ts'

export type AttemptTools = {
  link: FrameLink
  origin: string
  currency: string
  intent: string
  /** As they are now: `updateProps` may change them during an attempt. */
  options(): ButtonOptions
  isEnabled(): boolean
  /** Reports an error to the page, each error object once. */
  report(error: unknown): void
}

type OrderView = { intent?: string; purchase_units?: { amount?: { currency_code?: string } }[] }

const HELP = 'https://developer.paypal.com/docs/checkout/reference/customize-sdk/'

/** One click: from the veto over order, wallet and approval to the page's answer. Settles when all is closed. */
export async function runAttempt(tools: AttemptTools, fundingSource: string, opened: boolean): Promise<void> {
  const { link } = tools
  link.forgetOutcomes()
  let removeOverlay: (() => void) | undefined
  let overlayOrder: string | undefined

  function show(orderId: string): void {
    if (opened) {
      link.send({ kind: 'show', orderId })
      return
    }
    removeOverlay?.()
    overlayOrder = orderId
    removeOverlay = openOverlay(tools.origin, orderId, (outcome) => {
      if (overlayOrder === orderId) link.putOutcome(outcome)
    })
  }

  try {
    if (!(await mayStart(tools, fundingSource))) return
    const closedBefore = link.peekOutcome()
    if (closedBefore) {
      await cancel(tools, undefined)
      return
    }
    const orderId = await createOrder(tools, fundingSource)
    if (link.peekOutcome()) {
      await cancel(tools, orderId)
      return
    }
    // Checked while the wallet opens: the buyer does not wait for it.
    const mismatch = orderFits(tools, orderId).then(() => new Promise<never>(() => {}))
    show(orderId)
    for (;;) {
      const outcome = await Promise.race([link.nextOutcome(), mismatch])
      if (outcome.kind !== 'approved') {
        await cancel(tools, orderId)
        return
      }
      const again = await approve(tools, orderId, outcome.payerId, fundingSource)
      if (!again) return
      show(orderId)
    }
  } catch (error) {
    tools.report(error)
  } finally {
    removeOverlay?.()
    link.forgetOutcomes()
    link.send({ kind: 'finish' })
  }
}

async function mayStart(tools: AttemptTools, fundingSource: string): Promise<boolean> {
  const verdict = await tools
    .options()
    .onClick?.({ fundingSource }, { resolve: () => Promise.resolve(true), reject: () => Promise.resolve(false) })
  return verdict !== false && tools.isEnabled()
}

async function createOrder(tools: AttemptTools, fundingSource: string): Promise<string> {
  const { createOrder: create } = tools.options()
  if (!create) throw new Error('Expected prop "createOrder" to be defined')
  const made: unknown = await create(
    { paymentSource: fundingSource },
    {
      order: {
        create: async (order: unknown) => {
          const answer = await tools.link.ask('POST', '/v2/checkout/orders', order)
          return (answer as { id?: string }).id
        },
      },
    },
  )
  if (typeof made !== 'string' || made === '') throw new Error('Expected an order id to be passed')
  return made
}

/** The order must be in the currency and with the intent that the script was loaded for. */
async function orderFits(tools: AttemptTools, orderId: string): Promise<void> {
  const order = (await tools.link.ask('GET', `/v2/checkout/orders/${encodeURIComponent(orderId)}`)) as OrderView
  const expected = { currency: tools.currency, intent: tools.intent }
  const got = {
    currency: order.purchase_units?.[0]?.amount?.currency_code ?? '',
    intent: (order.intent ?? '').toLowerCase(),
  }
  for (const what of ['intent', 'currency'] as const) {
    if (got[what] === expected[what]) continue
    throw new Error(
      `Expected ${what} from order api call to be ${expected[what]}, got ${got[what]}. ` +
        `Please ensure you are passing ${what}=${got[what]} to the sdk url. ${HELP}`,
    )
  }
}

/** Calls the page's `onApprove`; true when it asked to start the approval again. */
async function approve(tools: AttemptTools, orderId: string, payerId: string, paymentSource: string): Promise<boolean> {
  const { link } = tools
  const asked = Promise.withResolvers<'again'>()
  const restart = () => {
    asked.resolve('again')
    // The real promise does not settle either: the page's handler is called anew instead.
    return new Promise<never>(() => {})
  }
  const path = `/v2/checkout/orders/${encodeURIComponent(orderId)}`
  const complete = (action: string) => async () => {
    if (action === 'capture' && tools.intent !== 'capture') {
      throw new Error(`Use actions.order.authorize instead of actions.order.capture, the intent is ${tools.intent}`)
    }
    try {
      return await link.ask('POST', `${path}/${action}`, {})
    } catch (error) {
      if (error instanceof Error && /INSTRUMENT_DECLINED|PAYER_ACTION_REQUIRED/.test(error.message)) return restart()
      throw error
    }
  }
  const facilitatorAccessToken = await link.ask('TOKEN', '')
  const handled = Promise.resolve(
    tools.options().onApprove?.(
      {
        orderID: orderId,
        payerID: payerId,
        paymentID: null,
        billingToken: null,
        subscriptionID: null,
        facilitatorAccessToken,
        paymentSource,
        vaultSetupToken: null,
      },
      {
        restart,
        redirect: (url: string) => leaveFor(link, url),
        order: {
          get: () => link.ask('GET', path),
          capture: complete('capture'),
          authorize: complete('authorize'),
          patch: (operations: unknown) =>
            link.ask('PATCH', path, operations).catch(() => {
              throw new Error('Order could not be patched')
            }),
        },
      },
    ),
  )
  // A handler that waits for what `restart` gave never settles, so the wish itself counts, and counts first.
  return (await Promise.race([asked.promise, handled.then(() => Promise.race([asked.promise, 'done']))])) === 'again'
}

async function cancel(tools: AttemptTools, orderID: string | undefined): Promise<void> {
  await tools.options().onCancel?.({ orderID }, { redirect: (url: string) => leaveFor(tools.link, url) })
}

function leaveFor(link: FrameLink, url: string): Promise<void> {
  if (!/^https?:\/\//.test(url)) throw new Error(`Invalid redirect url: ${url} - must be fully qualified url`)
  link.send({ kind: 'finish' })
  location.assign(url)
  return Promise.resolve()
}
