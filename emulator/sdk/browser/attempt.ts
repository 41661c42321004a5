import { approve } from './approval.ts'
import { type AttemptTools, leaveFor } from './attempt-tools.ts'
import { type Overlay, openOverlay } from './overlay.ts'
import { requestShippingUpdate } from './shipping.ts'
import type { ShippingQuestion, WalletTarget } from './wire.ts'

type OrderView = { intent?: string; purchase_units?: { amount?: { currency_code?: string } }[] }

const HELP = 'https://developer.paypal.com/docs/checkout/reference/customize-sdk/'

/** One click: from the veto over order, wallet and approval to the page's answer. Settles when all is closed. */
export async function runAttempt(tools: AttemptTools, fundingSource: string, opened: boolean): Promise<void> {
  const { link } = tools
  link.forgetOutcomes()
  let overlay: Overlay | undefined

  function show(target: WalletTarget): void {
    const answer = (question: ShippingQuestion) =>
      requestShippingUpdate(question, target.id, tools.options(), link, tools.report)
    if (opened) {
      link.answerShipping(answer)
      link.send({ kind: 'show', target })
      return
    }
    overlay?.remove()
    const layer = openOverlay(tools.origin, target, {
      settle: (outcome) => link.putOutcome(outcome),
      shipping: (question) => void answer(question).then((verdict) => layer.answer(verdict)),
    })
    overlay = layer
  }

  try {
    if (!(await mayStart(tools, fundingSource))) return
    if (link.peekOutcome()) {
      await cancel(tools, undefined)
      return
    }
    const target = await makeTarget(tools, fundingSource)
    if (link.peekOutcome()) {
      await cancel(tools, target)
      return
    }
    // Checked while the wallet opens: the buyer does not wait for it.
    const mismatch = (target.kind === 'order' ? orderFits(tools, target.id) : Promise.resolve()).then(
      () => new Promise<never>(() => {}),
    )
    show(target)
    for (;;) {
      const outcome = await Promise.race([link.nextOutcome(), mismatch])
      if (outcome.kind !== 'approved') {
        await cancel(tools, target)
        return
      }
      const again = await approve(tools, target, outcome.payerId)
      if (!again) return
      show(target)
    }
  } catch (error) {
    tools.report(error)
  } finally {
    overlay?.remove()
    link.answerShipping(undefined)
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

/** What the page makes at a click: the first of the callbacks that it gave decides what it is. */
async function makeTarget(tools: AttemptTools, fundingSource: string): Promise<WalletTarget> {
  const { createVaultSetupToken, createBillingAgreement } = tools.options()
  const about = { fundingSource, ...(tools.userToken === undefined ? {} : { userToken: tools.userToken }) }
  const data = { paymentSource: fundingSource }
  if (createVaultSetupToken) {
    const made: unknown = await createVaultSetupToken(data, {})
    return { kind: 'setup', id: wantedId(made, 'a vault setup token'), ...about }
  }
  if (createBillingAgreement) {
    if (!tools.vault) throw new Error('Must pass vault=true to sdk to use createBillingAgreement')
    if (tools.intent !== 'tokenize') {
      throw new Error(`Must pass intent=tokenize to sdk to use createBillingAgreement, got intent=${tools.intent}`)
    }
    const made: unknown = await createBillingAgreement(data, {})
    return { kind: 'agreement', id: wantedId(made, 'a billing token'), ...about }
  }
  return { kind: 'order', id: await createOrder(tools, data), ...about }
}

async function createOrder(tools: AttemptTools, data: { paymentSource: string }): Promise<string> {
  const { createOrder: create } = tools.options()
  if (!create) throw new Error('Expected prop "createOrder" to be defined')
  const made: unknown = await create(data, {
    order: {
      create: async (order: unknown) => {
        const answer = await tools.link.ask('POST', '/v2/checkout/orders', order)
        return (answer as { id?: string }).id
      },
    },
  })
  return wantedId(made, 'an order id')
}

function wantedId(made: unknown, what: string): string {
  if (typeof made !== 'string' || made === '') throw new Error(`Expected ${what} to be passed`)
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

async function cancel(tools: AttemptTools, target: WalletTarget | undefined): Promise<void> {
  const id = target?.id
  const data =
    target?.kind === 'setup'
      ? { vaultSetupToken: id }
      : target?.kind === 'agreement'
        ? { billingToken: id }
        : { orderID: id }
  await tools.options().onCancel?.(data, { redirect: (url: string) => leaveFor(tools.link, url) })
}
