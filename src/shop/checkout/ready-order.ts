import type { traceForJob } from '#database/engine/trace.ts'
import type { OrderRow } from '#database/orders/orders.ts'
import type { EvaluatedCart } from '../cart/evaluated-cart.ts'
import type { VisitSession } from '../customers/sessions/visit-session.ts'
import type { PlaceOrder } from './place-order.ts'

/** An order that needs no payment now, worked out and found without fault. */
export type ReadyOrder = {
  readonly wanted: PlaceOrder
  /** Whose it is, with what the form says. */
  readonly visitor: VisitSession
  /** In which the visitor is served. */
  readonly language: string
  /** On whose behalf it is placed. */
  readonly trace: ReturnType<typeof traceForJob>
  /** What it was worked out with. */
  readonly seen: {
    readonly versions: ReadonlyMap<number, string>
    readonly entries: EvaluatedCart['entries']
    /** Nobody has asked the database before. */
    readonly isRemembered: boolean
  }
}

export type BatchPlacement = { readonly order: OrderRow; readonly session: VisitSession }
