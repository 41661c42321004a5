/** Controls that can reject a request. */
export type Control =
  /** The request came from another site. */
  | 'origin'
  /** The nonce of the form was wrong: forged or expired. */
  | 'nonce'
  /** The resource requires a staff role, or an API key. */
  | 'role'
  /** The key of an order was wrong or unknown. */
  | 'order-key'
  /** The fields were invalid for the call. */
  | 'input'
  /** Too many attempts. */
  | 'tries'
