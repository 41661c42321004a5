/** What may stand in the way of a request that is not meant to be. */
export type Control =
  /** It came from another site. */
  | 'origin'
  /** The token of its form did not fit: forged, or simply old. */
  | 'nonce'
  /** It asked for what is the staff's, or a program's without its key. */
  | 'role'
  /** The secret of an order was wrong, or nobody's. */
  | 'order-key'
  /** Its fields were none that the call takes. */
  | 'input'
  /** There were too many tries. */
  | 'tries'
