import type { DraftFault } from './product-draft.ts'

export type SaveFault =
  | { readonly reason: 'unknown-product' | 'unknown-parent' }
  | ({ readonly reason: 'parameter' } & DraftFault)
  | { readonly reason: 'sku-taken'; readonly sku: string; readonly holder: number | null }
  | { readonly reason: 'image' | 'file'; readonly source: string; readonly problem: string }

/** Rolls the transaction back. */
export class SaveRefused extends Error {
  readonly fault: SaveFault
  constructor(fault: SaveFault) {
    super(fault.reason)
    this.fault = fault
  }
}

export const refusedParameter = (name: string, problem: string) =>
  new SaveRefused({ reason: 'parameter', name, problem })
