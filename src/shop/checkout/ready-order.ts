import type { traceForJob } from '#database/engine/trace.ts'
import type { OrderRow } from '#database/orders/orders.ts'
import type { VisitSession } from '../customers/sessions/visit-session.ts'
import type { PlaceOrder } from './place-order.ts'

/** Calculated and valid order that needs no payment now. */
export type ReadyOrder = {
  readonly wanted: PlaceOrder
  /** Session with the form's input. */
  readonly visitor: VisitSession
  /** Language of the visitor. */
  readonly language: string
  /** Trace context of the request. */
  readonly trace: ReturnType<typeof traceForJob>
  /** Versions of the products that the order was calculated with. */
  readonly productVersions: ReadonlyMap<number, string>
}

export type BatchPlacement = { readonly order: OrderRow; readonly session: VisitSession }
