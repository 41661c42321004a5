import { approveUrl, type OrderBody, type WalletOrder } from '#contract/paypal/order.ts'
import { transaction } from '#database/engine/connect.ts'
import { appendToLedger, findLedgerEnd } from '#database/orders/ledger.ts'
import { lockOrder } from '#database/orders/orders.ts'
import { type AttemptRow, closeAttempt } from '#database/payments/payments.ts'
import { insertWalletOrder } from '#database/payments/wallet-orders.ts'
import { type PaymentSource, plainWallet, sourceKey } from '#paypal/source-body.ts'
import { withoutLocale } from '#paypal/wallet-order-body.ts'
import { sha256 } from '../../shared/digest.ts'
import type { Tools } from '../../shared/tools.ts'
import { paymentsPaused } from '../cards/limit-failed-payments.ts'
import { declined, done, type Lease, type PaymentStep } from '../operation/payment-step.ts'
import { openedWallet } from './opened-wallet.ts'
import { isSameWalletView, type Shown, shownBy, unsure } from './wallet-snapshot.ts'

export type StartResult =
  /** `approveUrl` is '' where there is none: the cardholder confirms the card on the page. */
  | { ok: true; walletOrderId: string; approveUrl: string }
  | { ok: false; reason: 'already-paid' | 'cancelled' | 'nothing-to-pay' | 'busy' }
  /** The limit of failed payments is reached. */
  | { ok: false; reason: 'paused' }
  /** PayPal could not be reached, or the outcome is unknown: a retry is safe. */
  | { ok: false; reason: 'unreachable' }
  | { ok: false; reason: 'refused'; issue: string }

/** A claimed creation of a wallet order. */
export type WalletCreation = Lease & {
  readonly body: OrderBody
  readonly source: PaymentSource
  /** The source's key, as the attempt records it. */
  readonly key: string
  readonly shown: Shown
}

type Decline = { readonly reason: 'unreachable' | 'paused' | 'refused'; readonly issue: string }

/** Creates a wallet order; a repeat after a crash sends the same request id and gets the first order. */
export const createWalletOrder: PaymentStep<WalletCreation, WalletOrder, WalletOrder, Decline, StartResult> = {
  call: {
    milestone: 'S6',
    check: async (tools, _, { order }) =>
      (await paymentsPaused(tools, order)) ? { reading: declined({ reason: 'paused', issue: 'PAUSED' }) } : {},
    send: async (paypal, { body, attempt: { request_id: requestId } }) => {
      const created = await paypal.createOrder(body, { requestId })
      const isLocale = !created.ok && created.kind === 'refused' && created.details.some(isAboutLocale)
      // The wallet supports fewer languages than the shop: without a locale it chooses one itself.
      return isLocale ? paypal.createOrder(withoutLocale(body), { requestId: `${requestId}-l` }) : created
    },
    read: (wallet, { source }) =>
      source.kind === 'wallet' && approveUrl(wallet) === undefined
        ? declined({ reason: 'refused', issue: 'NO_APPROVAL_ADDRESS' })
        : done(wallet),
    readRefusal: ({ issue }) => declined({ reason: 'refused', issue }),
  },
  log: { level: 'warn', declined: 'wallet order not created', unknown: 'outcome of a new wallet order unknown' },
  unreachable: (issue) => ({ reason: 'unreachable', issue }),
  recordDone: recordWallet,
  declineRecord: ({ attempt, shown }, { issue }) => ({ issue, ...contentRecord(attempt, shown) }),
  declined: (_, __, decline) =>
    decline.reason === 'refused' ? { ok: false, ...decline, reason: 'refused' } : { ok: false, reason: decline.reason },
  unknown: () => ({ ok: false, reason: 'unreachable' }),
}

const isAboutLocale = ({ field }: { readonly field?: string | undefined }) => field?.endsWith('/locale') === true

/** Returns the payment source of an attempt; older attempts have only the wallet. */
export function sourceOf({ result }: AttemptRow): string {
  return typeof result?.source === 'string' ? result.source : sourceKey(plainWallet)
}

/** Reports whether the attempt's wallet order has the current content; without a record, true is assumed. */
export function hasSameContent(attempt: AttemptRow, now: Shown): boolean {
  const shown = shownBy(attempt)
  return shown === null || isSameWalletView(shown, now)
}

/** Returns the attempt's source and content for its result. */
function contentRecord(attempt: AttemptRow, now: Shown) {
  // PayPal has the first request, or, where that was lost, the current one.
  const shown = hasSameContent(attempt, now) ? shownBy(attempt) : { window: unsure, address: unsure, figures: unsure }
  return { source: sourceOf(attempt), ...shown }
}

async function recordWallet(
  tools: Tools,
  { order, attempt, body: { intent }, shown }: WalletCreation,
  wallet: WalletOrder,
): Promise<StartResult> {
  const now = tools.clock.now()
  const url = approveUrl(wallet) ?? ''
  await transaction(tools, async (tx) => {
    const [, ledgerEnd] = await Promise.all([lockOrder(tx, order.id), findLedgerEnd(tx, order.id)])
    const data = { walletOrder: wallet.id, amount: attempt.amount, currency: attempt.currency }
    const row = openedWallet(tools, order, { attempt, wallet, url, intent, at: now })
    const end = {
      state: 'succeeded',
      result: { walletOrder: wallet.id, ...contentRecord(attempt, shown) },
      at: now,
      walletOrderId: wallet.id,
    } as const
    await Promise.all([
      insertWalletOrder(tx, row),
      closeAttempt(tx, attempt.id, end),
      appendToLedger(tx, order.id, now, [{ kind: 'wallet-order', data }], sha256, ledgerEnd),
    ])
  })
  return { ok: true, walletOrderId: wallet.id, approveUrl: url }
}
